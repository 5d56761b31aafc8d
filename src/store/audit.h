#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

/*
 * The audit log: a row for every action, allowed or blocked.  It is marked
 * three times: asked, judged, done.  A row that was asked and never judged
 * reads as blocked ("interrupted"); one judged and never done tells of a crash
 * in between.  No secret and no message text ever gets here.
 */
#include "store/store.h"

struct store_audit {
	int64_t id;
	struct str ts; /* RFC 3339 UTC, filled in when asked */
	struct str principal, account, action, target;
	struct str result;  /* "allowed" or "blocked" */
	struct str reason;  /* why blocked; empty */
	struct str outcome; /* "ok", an error code, or empty: never finished */
	struct str detail;  /* the operator's text of an error */
};

/* Inserts the row and gives its id. */
int store_audit_asked(struct store *s, const struct store_audit *row,
    int64_t *id, struct err *e);
/* allowed, or blocked with its reason. */
int store_audit_judged(struct store *s, int64_t id, bool allowed,
    struct str reason, struct err *e);
/* The same, of the account that was found where the call named none. */
int store_audit_judged_for(struct store *s, int64_t id, struct str account,
    bool allowed, struct str reason, struct err *e);
/* The end; a run that was allowed may still end blocked (reason not empty). */
int store_audit_done(struct store *s, int64_t id, struct str reason,
    struct str outcome, struct str detail, struct err *e);

/* What to list; an empty string asks nothing. */
struct store_audit_query {
	struct str account, principal, action, result;
	struct str since;  /* asked then or later: RFC 3339, UTC */
	struct str before; /* asked earlier than that */
	size_t limit;
};

/* Newest first. */
int store_audit_list(struct store *s, struct arena *a,
    const struct store_audit_query *q, struct store_audit **out, size_t *n,
    struct err *e);

/* -- the chain: store/chain*.c ------------------------------------------ */

/*
 * Every mark above also writes a link: a hash over the row as it is now and the
 * link before.  Whoever holds the admin key signs the newest link whenever a
 * command opens the store with it, after the links since the last signature
 * were found whole; purging goes by age for anybody, and what is left still
 * verifies.
 */
struct store_chain {
	bool whole;        /* nothing is wrong */
	int64_t broken_id; /* the first audit row that is; 0: none or unknown */
	struct str why;    /* "the row is missing": static */
	int64_t rows, links;  /* looked at */
	int64_t first, last;  /* ids of the oldest and newest row; 0: none */
	int64_t unsigned_n;   /* rows since the last signature */
	int64_t signatures;   /* how many there are */
	struct str signed_ts; /* when the last was made; empty: never */
};

/* Walks all of it.  Needs the admin key. */
int store_chain_verify(struct store *s, struct arena *a,
    struct store_chain *out, struct err *e);
/* Signs the newest link, or when the chain is not whole says why not. */
int store_chain_sign(struct store *s, struct store_chain *out, struct err *e);

/* A value of a row, a link or a signature, as it is hashed. */
struct store_cell {
	const char *name;
	bool number, null;
	int64_t n;
	struct str text;
};

/*
 * Hands over rows asked from `since` and before `before` (both may be empty),
 * then the run of links that is about them, then the signatures within that
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
