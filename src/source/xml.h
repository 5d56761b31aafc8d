/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_XML_H
#define SOURCE_XML_H

/*
 * The part of XML 1.0 that a file of mail settings needs: elements, attributes,
 * text, comments and the declaration.  A document type, processing
 * instructions, CDATA, own entities and anything not well-formed are refused,
 * so that no file has two readings.
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
	struct str in; /* the whole text */
	size_t at;
	size_t depth;
	struct str open[XML_DEPTH]; /* the open elements */
	bool rooted;                /* the root element was seen */
	bool pending;               /* <a/>: its end is still to be reported */
	struct str name, attrs, text;
};

/* ERR_LIMIT over LIMIT_AUTOCONFIG, ERR_USAGE if it is not UTF-8. */
int xml_init(struct xml *x, struct str text, struct err *e);
/* ERR_USAGE if it is not well-formed, ERR_LIMIT if it is nested too deep. */
int xml_next(struct xml *x, enum xml_event *out, struct err *e);
/* The raw value of an attribute of the element just opened; or empty. */
struct str xml_attr(const struct xml *x, struct str name);
/* Text without white space at its ends, the five entities and numeric ones
 * decoded.  ERR_USAGE. */
int xml_plain(struct arena *a, struct str raw, struct str *out, struct err *e);

#endif
