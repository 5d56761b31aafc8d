#ifndef SOURCE_XML_H
#define SOURCE_XML_H

/*
 * As much of XML 1.0 as a file of mail settings needs: elements, attributes,
 * text, comments and the declaration.  A document type, processing
 * instructions, CDATA, entities of one's own and everything not well formed
 * are refused: what two readers could read in two ways is read in none.
 */
#include "base/err.h"
#include "base/str.h"

enum {
	XML_DEPTH = 16,
	XML_NAME = 64
};

enum xml_event {
	XML_END,   /* of the document */
	XML_OPEN,  /* name, and attrs for xml_attr() */
	XML_CLOSE, /* name */
	XML_TEXT,  /* text, raw: xml_plain() decodes it */
};

struct xml {
	struct str in; /* all of it */
	size_t at;
	size_t depth;
	struct str open[XML_DEPTH]; /* the elements we are in */
	bool rooted;                /* the one root element was met */
	bool pending;               /* <a/>: its end is still to be told */
	struct str name, attrs, text;
};

/* ERR_LIMIT past LIMIT_AUTOCONFIG, ERR_USAGE when it is not UTF-8. */
int xml_init(struct xml *x, struct str text, struct err *e);
/* ERR_USAGE when it is not well formed, ERR_LIMIT when it is too deep. */
int xml_next(struct xml *x, enum xml_event *out, struct err *e);
/* The value of an attribute of the element just opened, raw; else empty. */
struct str xml_attr(const struct xml *x, struct str name);
/* Text without white space at its ends, the five entities and numeric ones
 * decoded.  ERR_USAGE. */
int xml_plain(struct arena *a, struct str raw, struct str *out, struct err *e);

#endif
