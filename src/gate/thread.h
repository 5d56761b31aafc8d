/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_THREAD_H
#define GATE_THREAD_H

/* Shared by the files that read threads; private to the room. */
#include "gate/internal.h"
#include "gate/mailbox_thread.h"
#include "gate/uids.h"

/* Where a thread's messages may be. */
enum thread_place_kind {
	THREAD_LIST, /* the list's folder, or INBOX */
	THREAD_INBOX,
	THREAD_SENT,
	THREAD_DRAFTS,
	THREAD_PLACES /* how many there are */
};

struct thread_place {
	struct str folder; /* empty: there is none, or it is one above */
	bool learned;      /* uids were requested */
	bool gone;         /* the store has no such folder */
	struct uids uids;
};

/* The folders of one call. */
struct thread_places {
	struct thread_place v[THREAD_PLACES];
};

/* thread_place.c */
int thread_place_list(struct mailbox *m, struct thread_place *out);
int thread_place_find(struct mailbox *m, struct thread_places *out,
    struct err *e);
/* The folder for sent mail, empty if unknown.  Asks the store. */
int thread_place_sent(struct mailbox *m, struct str *out, struct err *e);

/* Does a visible message match? */
struct thread_want {
	bool (*is)(void *ctx, const struct row *row, const struct mail *mail);
	void *ctx; /* if `is` is NULL: every message */
};

/*
 * thread_rows.c. Adds the visible messages of a folder that match, newest
 * first.  A missing folder counts as empty, except the list's.
 */
int thread_rows(struct mailbox *m, struct thread_places *p,
    enum thread_place_kind kind, const struct query *q,
    const struct thread_want *want, struct mailbox_thread_messages *out,
    struct err *e);
/* Adds the visible ones of these refs, which descend; the place was learned. */
int thread_rows_refs(struct mailbox *m, struct thread_places *p,
    enum thread_place_kind kind, const struct refs *refs,
    struct mailbox_thread_messages *out, struct err *e);
/* Messages by uid in that place, all of them. */
int thread_rows_learn(struct mailbox *m, struct thread_place *place,
    struct err *e);

/*
 * thread_whole.c. Without CAP_THREADS: adds, from all places, the visible
 * messages that may be in a thread with one of these ids and were not found
 * yet.
 */
int thread_whole(struct mailbox *m, struct thread_places *p,
    const struct strs *ids, struct mailbox_thread_messages *out, struct err *e);
/* Adds messages of the list's folder and of INBOX that name no id at all. */
int thread_whole_nameless(struct mailbox *m, struct thread_places *p,
    struct mailbox_thread_messages *out, struct err *e);

/*
 * With CAP_THREADS: adds the messages of one of the store's own threads, from
 * any folder.
 */
int thread_rows_own(struct mailbox *m, struct thread_places *p,
    const struct query *q, struct mailbox_thread_messages *out, struct err *e);

/* thread_copies.c: keeps one of several copies of a message. */
void thread_copies_drop(struct arena *a, struct mailbox_thread_messages *l);

/*
 * thread_make.c. Makes threads with source/thread.h from messages only.  A page
 * of the threads that have a seed, from the cursor on; true: there are more.
 * If the first message has no Message-ID, the id is its key, "~...".
 */
struct thread_cursor;
bool thread_make_page(struct arena *a, struct mailbox_thread_messages *l,
    const struct thread_cursor *from, size_t limit,
    struct mailbox_threads *out);
/* The thread that contains that id; false: none. */
bool thread_make_one(struct arena *a, struct mailbox_thread_messages *l,
    struct str id, struct mailbox_thread *out);
/* All messages as one thread, as the store says. */
void thread_make_given(struct arena *a, struct mailbox_thread_messages *l,
    const struct mailbox_thread_name *name, struct mailbox_thread *out);
/* Does the message have that id, or refer to it? */
bool thread_make_names(const struct mail *mail, struct str id);

/*
 * thread_ours.c. Did the account itself write it: is it in a folder where only
 * the account writes, to a recipient whose mail is visible or who may be
 * written to?  The whitelist in applies to others.  The subject rule still
 * applies.
 */
bool thread_ours(const struct mailbox *m, struct arena *a,
    const struct mail *mail);

/* Where a page of threads begins. */
struct thread_cursor {
	bool set;         /* false: at the newest */
	int64_t since_s;  /* the first page's, because "14d" moves with time */
	int64_t last_s;   /* strictly after this thread: its last message, */
	struct str id;    /* and its id */
	struct str token; /* the store's token for continuing, or empty */
};

/* thread_cursor.c. ERR_USAGE: it was made for another call. */
int thread_cursor_read(struct mailbox *m, const struct mailbox_threads_query *q,
    struct thread_cursor *out, struct err *e);
/* Newest first, then by id, for qsort(). */
int thread_cursor_order(int64_t x_s, struct str x, int64_t y_s, struct str y);
/* Does such a thread come after it in the listing? */
bool thread_cursor_is_behind(const struct thread_cursor *c, int64_t last_s,
    struct str id);
/* Sets out->next: after the last thread of `out`, if it has one. */
int thread_cursor_next(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from, struct str token,
    struct mailbox_threads *out, struct err *e);
/* The source of a page of a store's own threads. */
struct thread_own_query {
	struct query list; /* the list's messages */
	const struct thread_want *want;
	const struct thread_cursor *from;
	size_t limit;
	bool outline; /* nothing is hidden, and the folder is the list's */
};

/* mailbox_threads_own.c.  One page of the store's own threads. */
int mailbox_threads_own(struct mailbox *m,
    const struct mailbox_threads_query *q, const struct thread_own_query *own,
    struct mailbox_threads *out, struct err *e);
/* Their SHA-256.  ERR_NOT_FOUND. */
int mailbox_thread_digest(struct mailbox *m,
    const struct mailbox_thread_message *msg, struct str *out, struct err *e);
/* Adds a copy of the thread's only message. */
void mailbox_thread_copy(struct arena *a, struct mailbox_thread *t,
    const struct mailbox_thread_message *msg);

/* thread_search.c: a listing of search results. */
/* The part of the search that the store does. */
void thread_search_ask(const struct mailbox *m,
    const struct mailbox_threads_query *q, struct query *bq);
/* The part that no store can do: does the message match? */
bool thread_search_fits(const struct mailbox_threads_query *q,
    const struct mail *mail);
/*
 * If emcli searches bodies itself, keeps the messages that contain the text;
 * all of them may be seen, and no other is opened.
 */
int thread_search_text(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_thread_messages *found, struct err *e);
/* With CAP_THREADS: a page of the threads found, each complete. */
int thread_search_own(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from,
    const struct mailbox_thread_messages *found, struct mailbox_threads *out,
    struct err *e);

/* How to read a thread. */
enum thread_how {
	THREAD_OUTLINE = 1 << 0, /* outlines are sufficient */
	THREAD_KEY = 1 << 1,     /* the name is a row's, not a caller's */
};

/* mailbox_thread.c */
int mailbox_thread_read(struct mailbox *m,
    const struct mailbox_thread_name *name, unsigned how,
    struct mailbox_thread *out, struct err *e);

/* The one answer for missing and hidden threads. */
int thread_rows_absent(struct err *e);

#endif
