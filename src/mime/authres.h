/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_AUTHRES_H
#define MIME_AUTHRES_H

/*
 * Authentication of the domain in From: by the Authentication-Results of a
 * trusted server (RFC 8601), or a DKIM signature that emcli verifies (RFC
 * 6376).  No I/O: the caller fetches the keys of signatures.  In doubt the
 * result is none.
 */
#include "base/str.h"

enum mime_auth {
	MIME_AUTH_NONE, /* zero: not authenticated */
	MIME_AUTH_FAIL,
	MIME_AUTH_PASS,
};

/*
 * The result of the server authserv_id for from_domain (A-labels, lower case).
 * Anybody can write such a field, so only that server's fields count, and only
 * where the border server writes: not below the first Received field of a
 * foreign host.  PASS: it reports dmarc=pass with a header.from of that domain.
 * FAIL: it reports dmarc=fail for it, or its reports disagree.
 */
enum mime_auth authres_judge(struct arena *a, struct str head,
    struct str authserv_id, struct str from_domain);

/*
 * Does that server report a DMARC result there, for any domain?  And
 * candidates: the names in the header's fields, each once, at most
 * LIMIT_AUTHRES_NAMES that can be an authserv_id.
 */
bool authres_tells(struct arena *a, struct str head, struct str authserv_id);
void authres_names(struct arena *a, struct str head, struct strs *out);

#define DKIM_HASH 32 /* bytes of SHA-256 */

/* What a key must fit. */
struct dkim {
	bool ed25519; /* else RSA */
	bool within;  /* i= names a sub-domain of d= */
	struct str b; /* the signature's bytes */
	unsigned char head[DKIM_HASH];
};

/* A DKIM-Signature field that can be verified, mime/dkim.c. */
struct dkim_signature {
	struct str domain; /* d=, A-labels, lower case */
	struct str query;  /* "selector._domainkey.domain": a TXT record */
	struct dkim *parts;
};

/*
 * The signatures that justify a DNS query: at most LIMIT_DKIM_SIGNATURES, whose
 * domain is from_domain or a parent of it.  Left out, with *bad set: those that
 * fail without a key (expired x=, body hash, l=, From not signed, sha1,
 * malformed).  RFC 6376 section 3.5, 5.4, 6.1.1.
 */
struct dkim_signature *dkim_read(struct arena *a, struct str raw,
    struct str from_domain, int64_t now_s, size_t *n, bool *bad);
/*
 * Verifies with the TXT records found (each with its strings joined; RFC 6376
 * section 3.6.2.2): rsa-sha256 of at least 1024 bits, and ed25519-sha256 (RFC
 * 8463).
 */
bool dkim_verify(struct arena *a, const struct dkim_signature *s,
    const struct strs *records);

#endif
