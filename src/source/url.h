#ifndef SOURCE_URL_H
#define SOURCE_URL_H

/*
 * Addresses of threads, for people: an operator's template filled in, and such
 * an address read back.  Pure: no address is ever asked for.
 */
#include "base/str.h"

/* What there is to put in; an empty one is not known. */
struct url_parts {
	struct str id;   /* <id>: a Message-ID goes without its brackets */
	struct str hash; /* <hash>: what a Pony Mail archive calls it */
	struct str list; /* <list>: the list's address */
};

/* Does the template want it? */
bool url_wants(struct str template, struct str part);
/*
 * Every value percent-encoded (RFC 3986 section 2.1).  False when the template
 * wants something that is not known: half an address leads nowhere.
 */
bool url_fill(struct arena *a, struct str template,
    const struct url_parts *parts, struct str *out);
/*
 * Reads back what url_fill() made of a template; scheme and host without case.
 * False when it is not of that form: a value is what url_fill() writes, so that
 * no "/", "?", "#" or "@host" of an address can move what is where.
 */
bool url_match(struct arena *a, struct str template, struct str url,
    struct url_parts *out);
/* One value, encoded for a path or query; "@" may be in both. */
struct str url_encode(struct arena *a, struct str s);

#endif
