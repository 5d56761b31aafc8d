/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

/*
 * The audit log: a row for every action, allowed or blocked.  It is marked
 * three times: asked, judged, done.  A row that was asked but not judged reads
 * as blocked ("interrupted"); one that was judged but not done shows a crash in
 * between.  No secret and no message text is ever written here.
 */
#include "store/store.h"

struct store_audit {
	int64_t id;
	struct str ts; /* RFC 3339 UTC, filled in when asked */
	struct str principal, account, action, target;
	struct str result;  /* "allowed" or "blocked" */
	struct str reason;  /* why it was blocked, or empty */
	struct str outcome; /* "ok", an error code, or empty */
	struct str detail;  /* the operator's text of an error */
};

/* Inserts the row and returns its id. */
int store_audit_asked(struct store *s, const struct store_audit *row,
    int64_t *id, struct err *e);
/* Marks it allowed, or blocked with a reason. */
int store_audit_judged(struct store *s, int64_t id, bool allowed,
    struct str reason, struct err *e);
/* The same, with the account that was found for a call that named none. */
int store_audit_judged_for(struct store *s, int64_t id, struct str account,
    bool allowed, struct str reason, struct err *e);
/* Marks the end; an allowed run may still end blocked (reason not empty). */
int store_audit_done(struct store *s, int64_t id, struct str reason,
    struct str outcome, struct str detail, struct err *e);

/* What to list; an empty string matches everything. */
struct store_audit_query {
	struct str account, principal, action, result;
	struct str since;  /* asked at that time or later: RFC 3339, UTC */
	struct str before; /* asked before that time */
	size_t limit;
};

/* Newest first. */
int store_audit_list(struct store *s, struct arena *a,
    const struct store_audit_query *q, struct store_audit **out, size_t *n,
    struct err *e);

/* -- the chain: store/chain*.c ------------------------------------------ */

/*
 * Every mark above also writes a link: a hash over the row as it is now and the
 * previous link.  Each command that opens the store with the admin key signs
 * the newest link, after it has checked the links since the last signature.
 * Anybody may purge rows by age, and the rest still verifies.
 */
struct store_chain {
	bool whole;           /* nothing is wrong */
	int64_t broken_id;    /* the first bad audit row; 0: none or unknown */
	struct str why;       /* "the row is missing": static */
	int64_t rows, links;  /* how many were checked */
	int64_t first, last;  /* the lowest and highest id of a row; 0: none */
	int64_t unsigned_n;   /* rows after the last signature */
	int64_t signatures;   /* how many there are */
	struct str signed_ts; /* time of the last one; empty: never */
};

/* Checks all of it.  Needs the admin key. */
int store_chain_verify(struct store *s, struct arena *a,
    struct store_chain *out, struct err *e);
/* Signs the newest link; if the chain is not whole, says why instead. */
int store_chain_sign(struct store *s, struct store_chain *out, struct err *e);

/* A value of a row, a link or a signature, as it is hashed. */
struct store_cell {
	const char *name;
	bool number, null;
	int64_t n;
	struct str text;
};

/*
 * Calls back with the rows asked from `since` until before `before` (both may
 * be empty), then the run of links about them, then the signatures within that
 * run: `kind` is "row", "link", "checkpoint".  store/chain_export.c
 */
struct store_export {
	struct str since, before;
	int (*put)(void *ctx, const char *kind, const struct store_cell *v,
	    size_t n, struct err *e);
	void *ctx;
};

int store_chain_export(struct store *s, const struct store_export *x,
    struct err *e);

/* -- purging: store/audit_purge.c --------------------------------------- */

/* Deletes rows older than audit_retention_days (0: keep all). */
int store_audit_purge(struct store *s, int64_t now_s, struct err *e);

#endif
