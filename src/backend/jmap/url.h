/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_URL_H
#define BACKEND_JMAP_URL_H

/* Addresses that a session gives, and which of them are trusted. */
#include "backend/jmap/internal.h"

/* -- url.c: addresses ------------------------------------------------------ */

/*
 * The session's address for the address that the operator gave (RFC 8620
 * section 2.2).
 */
struct str jmap_url_session(struct arena *a, struct str given);
/* Where its host says what the session's address is; empty: it has no host. */
struct str jmap_url_well_known(struct arena *a, struct str url);
/* `ref` resolved in a document from `base`, RFC 3986 section 5.2. */
struct str jmap_url_resolve(struct arena *a, struct str base, struct str ref);
/* May credentials for `base` also be sent to `url`? */
bool jmap_url_trusts(struct str base, struct str url);

/* Host and port of it, for doctor. */
bool jmap_url_target(struct arena *a, struct str url, struct wire_target *out);

struct jmap_url_var {
	const char *name;
	struct str value;
};
/* Fills a template, RFC 6570 level 1; unknown names become empty. */
struct str jmap_url_fill(struct arena *a, struct str template,
    const struct jmap_url_var *v, size_t n);

#endif
