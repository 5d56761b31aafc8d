/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_CHANGE_H
#define BACKEND_IMAP_CHANGE_H

/*
 * Changes of messages that stay: their flags (mark.c), and their folder
 * (move.c, copy.c).  A change first looks, in the flight that selects the
 * folder, whether every message is there; only then is a command sent that
 * changes something.  Such a command is never sent twice.
 */
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/limits.h"

/* uids.c: the messages of a change. */

struct imap_uids {
	const uint32_t *v; /* descending, each once */
	size_t n;
};

/* Of refs; those without a uid are left out. */
struct imap_uids imap_uids_of(struct arena *a, const struct refs *refs);
/* The index of one; u->n if it is missing. */
size_t imap_uids_place(const struct imap_uids *u, uint32_t uid);

/* parts.c: commands about a set of messages. */

struct imap_ask {
	const char *verb;  /* "UID STORE " */
	const char *words; /* after the set, or NULL */
	struct str flag;   /* after these, or empty */
	struct str label;  /* the same, and not for a trace */
	struct str folder; /* the same as a string */
	const char *end;   /* after that, or NULL */
};

/* Messages of a change.  So many are at most two parts wherever they are: a
 * flight may be about some of them, and those are never more. */
#define IMAP_CHANGED LIMIT_ORGANISE
#define IMAP_PARTS 8

/* The commands for one set, which is cut where a line would be too long. */
struct imap_parts {
	struct imap_cmd cmd[IMAP_PARTS];
	size_t n;
};

/* ERR_LIMIT before anything is sent: there are too many. */
int imap_parts_fit(const struct imap_uids *u, struct err *e);
/* Sends it, waiting for nothing. */
int imap_parts_send(struct imap_session *s, struct imap_parts *p,
    const struct imap_ask *ask, const struct imap_uids *u, struct err *e);
/* Waits for all of them; *bad is the first that was refused, or NULL. */
int imap_parts_wait(struct imap_session *s, struct imap_parts *p,
    const struct imap_cmd **bad, struct err *e);
/*
 * A change was sent, and its answer is missing or is not all of it: *e, which
 * says why, becomes ERR_UNKNOWN_OUTCOME with this sentence.
 */
int imap_parts_unknown(struct err *e, const char *say);

/* keyword.c: flags and labels, RFC 9051 section 2.3.2. */

/* "\\Seen": the name of a flag; NULL: IMAP has none. */
const char *imap_keyword_flag(unsigned flag);
/* " SEEN", " UNSEEN": the search key for messages with it, or without it. */
const char *imap_keyword_search(unsigned flag, bool with);
/* Reads a FLAGS list into a row.  The first labels of a row count. */
void imap_keyword_read(struct arena *a, const struct imap_node *list,
    struct row *row);

/* Flags of one list that are compared with those of a change. */
#define IMAP_WORDS 500
/*
 * Is a flag in a list such as "(\\Seen \\*)", the text of PERMANENTFLAGS?  Also
 * true if the list is longer than is read: then a server is tried.
 */
bool imap_keyword_among(struct str list, struct str flag);

/* store.c: the flags of messages are changed. */

/* A flag or label, and what is wanted of it. */
struct imap_term {
	struct str name;
	bool label, set;
	bool may;              /* the folder keeps it */
	struct imap_uids need; /* those that are not as wanted */
	struct imap_parts store;
};

struct imap_marking {
	struct imap_session *s;
	struct arena *a;
	struct imap_uids uids;
	struct imap_term *v;
	size_t n;
	bool *here; /* is that uid there? */
	bool *has;  /* n for each uid: has it that flag? */
	bool told;  /* PERMANENTFLAGS */
	bool any;   /* new labels too */
};

int imap_store_absent(struct err *e);
/* Are all of them there?  ERR_NOT_FOUND. */
int imap_store_all_here(const struct imap_marking *m, struct err *e);
/* Asks for their flags, into `here` and `has`; s->data is imap_mark()'s. */
int imap_store_send_fetch(struct imap_marking *m, struct imap_parts *p,
    struct err *e);
/* Stores every flag on those that need it: all of them or none. */
int imap_store_change(struct imap_marking *m, struct err *e);

/* copied.c: COPYUID, RFC 4315 section 3. */

struct imap_copied {
	const struct imap_uids *from;
	uint32_t *to;         /* the new uid of each, or 0 */
	uint32_t uidvalidity; /* of the target, as it was told; or 0 */
	uint32_t next;        /* lowest uid that a new message may have */
	size_t n;             /* how many have a new uid */
	bool wrong; /* one was not what it must be: none is believed */
};

/* As imap_session.code with a struct imap_copied for ctx. */
void imap_copied_take(struct imap_session *s, struct str word, struct str rest,
    void *ctx);

/* moving.c: messages on their way into another folder. */

struct imap_moving {
	struct imap_session *s;
	struct arena *a;
	const struct refs *refs; /* as they were asked for */
	const struct copying *by;
	struct imap_uids uids;
	struct str from, to;
	struct str name;      /* of `to`, as it is sent */
	struct imap_set here; /* those of uids that a search found */
	struct imap_copied copied;
	uint32_t uidvalidity;      /* of `from` */
	uint32_t expunged;         /* how many were told before one was moved */
	bool told, removes;        /* PERMANENTFLAGS; \Deleted is among them */
	bool copies;               /* without MOVE: copy.c */
	bool loose;                /* UIDNOTSTICKY was heard */
	struct imap_rights rights; /* to `from`, if it copies */
	bool unanswered; /* something may have been copied or moved, and its
			    answer is missing */
};

/* Are the copies those of an earlier call?  rest.c */
static inline bool
imap_moving_is_rest(const struct imap_moving *t)
{
	return t->by != NULL && t->by->copies != NULL;
}

/* Sends a search for uids, into t->here; STATUS and MYRIGHTS are heard too. */
int imap_moving_send_search(struct imap_moving *t, struct imap_parts *p,
    struct err *e);
/* How many of uids it found. */
size_t imap_moving_count(struct imap_moving *t);
/*
 * How many of uids are left in the folder, and which: t->here.  Asks the server
 * unless all was done, and it has told of as many EXPUNGE since t->expunged.
 */
int imap_moving_left(struct imap_moving *t, bool done, size_t *left,
    struct err *e);
/* What the messages are called in the target, in the order asked. */
void imap_moving_told(const struct imap_moving *t, struct refs *out);
/* NO or BAD to a command that moved nothing. */
int imap_moving_refused(struct imap_moving *t, const struct imap_cmd *c,
    struct err *e);

/* look.c: are both folders and all messages there?  ERR_NOT_FOUND. */
int imap_look(struct imap_moving *t, struct err *e);

/* sums.c: by which a message is recognized. */

struct imap_sums {
	struct arena *a;
	struct imap_uids uids;
	bool *there;   /* it was shown */
	uint64_t *sum; /* 0: not told */
	bool *told;    /* its flags */
	bool *deleted; /* \Deleted */
	/* In a rest: the others, but \Recent. */
	struct strs *flags;
};

/* Asks for them in the folder that is open, or was asked for. */
int imap_sums_send(struct imap_moving *t, struct imap_sums *x,
    struct imap_uids uids, struct imap_parts *p, struct err *e);
/* Has new's message there every flag that old's has? */
bool imap_sums_has_flags(const struct imap_sums *new, size_t at,
    const struct imap_sums *old, size_t i);

/* copy.c: without MOVE: copies, and removes the originals of confirmed copies.
 */
int imap_copy(struct imap_moving *t, struct err *e);
/* Shows the copies, where they are said to be; none of them if the target is
 * another now.  ERR_NOT_FOUND without a target. */
int imap_copy_fetch(struct imap_moving *t, struct imap_sums *new,
    struct err *e);
/* Is the copy of uids.v[i] the same message, and safe where it is? */
bool imap_copy_is_shown(const struct imap_moving *t,
    const struct imap_sums *new, const struct imap_sums *old, size_t i);
/* Removes the originals; `from` is open. */
int imap_copy_remove(struct imap_moving *t, const struct imap_sums *old,
    struct err *e);
/* Takes \Deleted from these; store and bad as for imap_parts_wait(). */
int imap_copy_unmark(struct imap_moving *t, const struct imap_uids *left,
    struct imap_parts *store, const struct imap_cmd **bad, struct err *e);

/* rest.c: the same of copies that an earlier call was told of. */
int imap_rest(struct imap_moving *t, struct err *e);

int imap_mark(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
int imap_move(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);

#endif
