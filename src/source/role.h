/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_ROLE_H
#define SOURCE_ROLE_H

/*
 * The contract's operations, and the role of an account as a mail source.  Only
 * words and masks: choose.h decides which source serves what.
 */
#include "base/err.h"
#include "base/str.h"

/* The contract of mail sources; none of them sends. */
enum role_op {
	ROLE_LIST_RECENT_THREADS,
	ROLE_READ_THREAD,
	ROLE_LIST_DRAFTS,
	ROLE_LIST_SENT_SINCE,
	ROLE_CREATE_DRAFT,
	ROLE_THREAD_URL,
	ROLE_SEARCH_THREADS,
	ROLE_OPS /* how many there are */
};

/* For tables of arguments. */
#define ROLE_OP_WORDS                                                          \
	"list_recent_threads|read_thread|list_drafts|list_sent_since|"         \
	"create_draft|thread_url|search_threads"
#define ROLE_WORDS "none|optional|preferred|fallback|primary"

/* Zero is the safe one: no role. */
enum role {
	ROLE_NONE,      /* an account, but not a source */
	ROLE_OPTIONAL,  /* only if it is named */
	ROLE_PREFERRED, /* only for the operations it is preferred for */
	ROLE_FALLBACK,  /* in the declared order, after the primary */
	ROLE_PRIMARY,
};

/* Why an account may not do an operation.  Both are static. */
struct role_bar {
	const char *reason; /* "ro_mode"; NULL: it may */
	const char *why;    /* in words, without a full stop */
};

/* One source.  An array of them is in the declared order. */
struct role_source {
	struct str name;    /* the account's */
	struct str backend; /* "imap" */
	enum role role;
	unsigned prefers;  /* 1 << enum role_op: preferred for it */
	unsigned supports; /* 1 << enum role_op: can do it; matrix.h */
	bool mandatory;
	/* The facts for the matrix: struct matrix_facts. */
	bool drafts, sent, url;
	/* Assumed so far: its mail store was not asked. */
	bool drafts_open, sent_open;
	/* What policy refuses it, independent of the call; set by the gate. */
	struct role_bar bar[ROLE_OPS];
	/* The address in the call is not of one of its threads. */
	bool elsewhere;
	bool declined; /* answered ERR_UNSUPPORTED in this run */
};

/* "read_thread". */
const char *role_op_name(enum role_op op);
/* Exact; "-" is accepted for "_", as on the command line. */
bool role_op_find(struct str word, enum role_op *out);
/*
 * The same as a command's argument: ERR_USAGE with the nearest operation, or
 * all of them.
 */
int role_op_read(struct arena *a, struct str word, enum role_op *out,
    struct err *e);
/* The operations of a mask, "read_thread, list_drafts"; "" for none. */
struct str role_ops_text(struct arena *a, unsigned wanted);
/* "primary", and back; ignoring case. */
const char *role_name(enum role r);
bool role_find(struct str word, enum role *out);

#endif
