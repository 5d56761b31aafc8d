/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_URL_H
#define SOURCE_URL_H

/*
 * Addresses of threads, for people: fills in an operator's template, and parses
 * such an address.  Pure: no address is ever fetched.
 */
#include "base/str.h"

/* The values; an empty one is unknown. */
struct url_parts {
	struct str id;   /* <id>: a Message-ID, without its brackets */
	struct str hash; /* <hash>: a Pony Mail archive's name for it */
	struct str list; /* <list>: the list's address */
};

/* Does the template need it? */
bool url_wants(struct str template, struct str part);
/*
 * Every value percent-encoded (RFC 3986 section 2.1).  False if the template
 * needs an unknown value: an incomplete address is useless.
 */
bool url_fill(struct arena *a, struct str template,
    const struct url_parts *parts, struct str *out);
/*
 * Parses an address that url_fill() made from a template, ignoring the case of
 * scheme and host.  False for any other form: a value must be encoded as by
 * url_fill(), so no "/", "?", "#" or "@host" in it can change the structure.
 */
bool url_match(struct arena *a, struct str template, struct str url,
    struct url_parts *out);
/* One value, encoded for a path or query; "@" is allowed in both. */
struct str url_encode(struct arena *a, struct str s);

#endif
