#ifndef SOURCE_ROLE_H
#define SOURCE_ROLE_H

/*
 * The contract's operations, and the part an account plays among the mail
 * sources.  Words and masks only: which source serves what is choose.h's.
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

/* Zero is the safe one: no part at all. */
enum role {
	ROLE_NONE,      /* an account, but no source */
	ROLE_OPTIONAL,  /* when it is named, and never else */
	ROLE_PREFERRED, /* for the operations it is preferred for alone */
	ROLE_FALLBACK,  /* in the declared order, behind the primary */
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
	unsigned prefers;  /* 1 << enum role_op: is its first choice */
	unsigned supports; /* 1 << enum role_op: as deployed; matrix.h */
	bool mandatory;
	/* What the matrix depends on: struct matrix_facts. */
	bool drafts, sent, url;
	/* Taken at its word so far: nobody has asked the store of mail. */
	bool drafts_open, sent_open;
	/* What policy refuses it, whatever else a call says; the gate's word.
	 */
	struct role_bar bar[ROLE_OPS];
	/* The address that the call names is of no thread of its. */
	bool elsewhere;
	bool declined; /* said ERR_UNSUPPORTED when it was asked in this run */
};

/* "read_thread". */
const char *role_op_name(enum role_op op);
/* Exact; "-" is taken for "_", as the command line spells names. */
bool role_op_find(struct str word, enum role_op *out);
/*
 * The same as a command's argument: ERR_USAGE with the nearest operation, or
 * all of them.
 */
int role_op_read(struct arena *a, struct str word, enum role_op *out,
    struct err *e);
/* The operations of a mask, "read_thread, list_drafts"; "" for none. */
struct str role_ops_text(struct arena *a, unsigned wanted);
/* "primary", and back; without case. */
const char *role_name(enum role r);
bool role_find(struct str word, enum role *out);

#endif
