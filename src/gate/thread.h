#ifndef GATE_THREAD_H
#define GATE_THREAD_H

/* What the files that read threads share; the room's own. */
#include "gate/internal.h"
#include "gate/mailbox_thread.h"

/* Where a thread's messages may lie. */
enum thread_place_kind {
	THREAD_LIST, /* the list's folder, or INBOX */
	THREAD_INBOX,
	THREAD_SENT,
	THREAD_DRAFTS,
	THREAD_PLACES /* how many there are */
};

struct thread_place {
	struct str folder; /* empty: there is none, or it is one above */
	bool learned;      /* uids were asked for */
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
/* The folder for what is sent: empty when it is not known.  Asks the store. */
int thread_place_sent(struct mailbox *m, struct str *out, struct err *e);

/* Is it one of those looked for, now that it may be seen? */
struct thread_want {
	bool (*is)(void *ctx, const struct row *row, const struct mail *mail);
	void *ctx; /* with `is` NULL: every one */
};

/*
 * thread_rows.c.  Adds the visible messages of a folder that match, newest
 * first.  A folder that is not there has none, but for the list's.
 */
int thread_rows(struct mailbox *m, struct thread_places *p,
    enum thread_place_kind kind, const struct query *q,
    const struct thread_want *want, struct mailbox_thread_messages *out,
    struct err *e);
/* Those of them, which descend, that may be seen; the place was learned. */
int thread_rows_refs(struct mailbox *m, struct thread_places *p,
    enum thread_place_kind kind, const struct refs *refs,
    struct mailbox_thread_messages *out, struct err *e);
/* Messages by uid in that place, all of them. */
int thread_rows_learn(struct mailbox *m, struct thread_place *place,
    struct err *e);

/*
 * thread_whole.c.  Without CAP_THREADS: adds, of all places, the visible
 * messages that may be of one thread with one of these ids, and were not found
 * yet.
 */
int thread_whole(struct mailbox *m, struct thread_places *p,
    const struct strs *ids, struct mailbox_thread_messages *out, struct err *e);
/* Adds those of the list's folder and of INBOX that name no id at all. */
int thread_whole_nameless(struct mailbox *m, struct thread_places *p,
    struct mailbox_thread_messages *out, struct err *e);

/* With CAP_THREADS: of one of the store's own threads, in whatever folder. */
int thread_rows_own(struct mailbox *m, struct thread_places *p,
    const struct query *q, struct mailbox_thread_messages *out, struct err *e);

/* thread_copies.c: of one message in several folders leaves one. */
void thread_copies_drop(struct arena *a, struct mailbox_thread_messages *l);

/*
 * thread_make.c.  What source/thread.h makes of messages; of them alone.  A
 * page of the threads that have a seed, by the cursor; true: there are more.
 * Where the first message has no Message-ID, the id is its key, "~...".
 */
struct thread_cursor;
bool thread_make_page(struct arena *a, struct mailbox_thread_messages *l,
    const struct thread_cursor *from, size_t limit,
    struct mailbox_threads *out);
/* The one in which that id is; false: in none. */
bool thread_make_one(struct arena *a, struct mailbox_thread_messages *l,
    struct str id, struct mailbox_thread *out);
/* All of them as one, by the store's own word. */
void thread_make_given(struct arena *a, struct mailbox_thread_messages *l,
    const struct mailbox_thread_name *name, struct mailbox_thread *out);
/* Has the message that id, or is it one it refers to? */
bool thread_make_names(const struct mail *mail, struct str id);

/*
 * thread_ours.c.  What the account itself wrote, in a folder where only it
 * writes, to somebody whose mail may be seen, or who may be written to: the
 * whitelist in is for others.  The subject rule is not waived.
 */
bool thread_ours(const struct mailbox *m, struct arena *a,
    const struct mail *mail);

/* Where a page of threads begins. */
struct thread_cursor {
	bool set;         /* false: at the newest */
	int64_t since_s;  /* the first page's: "14d" is another moment now */
	int64_t last_s;   /* strictly behind this thread: its last message, */
	struct str id;    /* and its id */
	struct str token; /* what the store gave to go on with, or empty */
};

/* thread_cursor.c.  ERR_USAGE: it was not made for such a call. */
int thread_cursor_read(struct mailbox *m, const struct mailbox_threads_query *q,
    struct thread_cursor *out, struct err *e);
/* Newest first, then by id, for qsort(). */
int thread_cursor_order(int64_t x_s, struct str x, int64_t y_s, struct str y);
/* Does such a thread come after it in the listing? */
bool thread_cursor_is_behind(const struct thread_cursor *c, int64_t last_s,
    struct str id);
/* Sets out->next: behind the last thread of `out`, if it has one. */
int thread_cursor_next(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from, struct str token,
    struct mailbox_threads *out, struct err *e);
/* What a page of a store's own threads is made of. */
struct thread_own_query {
	struct query list; /* the list's messages */
	const struct thread_want *want;
	const struct thread_cursor *from;
	size_t limit;
	bool outline; /* nothing is hidden, and the folder is the list */
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

/* thread_search.c: a listing of what was searched for. */
/* What the store is asked of it. */
void thread_search_ask(const struct mailbox *m,
    const struct mailbox_threads_query *q, struct query *bq);
/* Of what no store can be asked: does the message answer it? */
bool thread_search_fits(const struct mailbox_threads_query *q,
    const struct mail *mail);
/*
 * Where bodies are looked through here, leaves those that hold the text: they
 * may all be seen, and no other is opened.
 */
int thread_search_text(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_thread_messages *found, struct err *e);
/* With CAP_THREADS: a page of the threads that were found, each whole. */
int thread_search_own(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from,
    const struct mailbox_thread_messages *found, struct mailbox_threads *out,
    struct err *e);

/* How a thread is read. */
enum thread_how {
	THREAD_OUTLINE = 1 << 0, /* outlines are good enough */
	THREAD_KEY = 1 << 1,     /* the name is a row's, and no caller's */
};

/* mailbox_thread.c */
int mailbox_thread_read(struct mailbox *m,
    const struct mailbox_thread_name *name, unsigned how,
    struct mailbox_thread *out, struct err *e);

/* The one answer for threads that are absent and that are hidden. */
int thread_rows_absent(struct err *e);

#endif
