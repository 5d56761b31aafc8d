/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_READ_H
#define BACKEND_IMAP_READ_H

/* Responses of a server, as they are read. */
#include "backend/internal.h"

/* read.c: responses, RFC 9051 section 7. */

/* Where bytes come from: a wire, or memory in tests. */
struct imap_source {
	/*
	 * A line without its end, in the arena.  1: it was longer than max;
	 * *out is its beginning followed by its last bytes.
	 */
	int (*line)(void *ctx, struct arena *a, size_t max, struct str *out,
	    struct err *e);
	int (*bytes)(void *ctx, void *p, size_t n, struct err *e);
	void *ctx;
};

struct imap_reader {
	struct imap_source src;
	struct arena *scratch; /* for one response; then emptied */
	struct arena *keep;    /* for BODY[], which stays */
	size_t body_max;       /* maximum size of BODY[]; 0: none requested */
	size_t body_used;      /* its size so far */
	size_t lines;          /* bytes read so far without literals */
	size_t total;          /* the same with literals */
};

enum imap_kind {
	IMAP_DATA,   /* "* 3 EXISTS" */
	IMAP_NOTICE, /* "* OK ...", "* BYE ..." */
	IMAP_TAGGED, /* "e3 OK ..." */
	IMAP_MORE,   /* "+ ..." */
};

enum imap_status {
	IMAP_NO, /* zero: the default is a failure */
	IMAP_OK,
	IMAP_BAD,
	IMAP_BYE,
	IMAP_PREAUTH,
};

/* A line without its literal mark, and the literal that followed it. */
struct imap_piece {
	struct str text;
	struct str literal;
	bool has_literal;
	size_t size; /* of the literal as sent; a long one is kept in part */
};

/* Everything is valid until the next response is read, except BODY[]. */
struct imap_resp {
	enum imap_kind kind;
	enum imap_status status; /* of IMAP_NOTICE and IMAP_TAGGED */
	uint32_t tag;            /* 0 if it is not one of ours */
	uint32_t number;         /* of IMAP_DATA: "* 3 FETCH"; else 0 */
	struct str name;         /* of IMAP_DATA: "FETCH", as sent */
	struct str code;         /* the text in [], or empty */
	struct str text;         /* free text; also of IMAP_MORE */
	bool cut; /* a FETCH that is too big: skipped, not parsed */
	struct imap_piece *piece; /* of IMAP_DATA: what follows the name */
	size_t n;
};

void imap_read_init(struct imap_reader *r, const struct imap_source *src);
/* Accepts NULL parts and repeated calls. */
void imap_read_done(struct imap_reader *r);
/* Reads one response.  ERR_NETWORK, ERR_LIMIT: the connection is lost. */
int imap_read_next(struct imap_reader *r, struct imap_resp *out, struct err *e);
/* "the server's answer is malformed", with the scope of the connection. */
int imap_read_nonsense(struct err *e, const char *why);

#endif
