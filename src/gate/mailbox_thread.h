#ifndef GATE_MAILBOX_THREAD_H
#define GATE_MAILBOX_THREAD_H

/*
 * Threads as one agent may see them.  Each message passes policy before it is
 * put into one: what is hidden is in no thread, no count and no date, connects
 * nothing, and a thread of hidden messages alone answers as one that never was.
 *
 * Where the store has threads of its own (CAP_THREADS) they are taken; else
 * source/thread.h makes them of what is in the list's folder, INBOX, the
 * folder for what is sent and the one for drafts.
 */
#include "gate/mailbox.h"
#include "source/matrix.h"

/* "kind:id"; ids of two kinds are never compared. */
struct mailbox_thread_name {
	const char *kind; /* static */
	struct str id;
};

struct mailbox_thread_message {
	struct mail mail;
	struct ref ref;
	struct str folder; /* empty: the store's threads are in every one */
	bool uids;         /* mail.uid is one to `get` it by, in that folder */
	bool draft;        /* not sent yet */
	bool sent;         /* it is in the folder for what is sent */
	int64_t at_s;      /* what `since` is compared with; see `dated` */
	bool dated;
	struct str sha256;   /* of its bytes, where it has no Message-ID */
	struct str key;      /* until these are read, what is in its place */
	unsigned place;      /* enum thread_place_kind */
	bool seed;           /* it is what was asked for, not only its kin */
	struct str thread;   /* CAP_THREADS: the store's own */
	struct str draft_id; /* as struct row has it */
	bool outline;        /* no more is known than its ids and its date */
};

struct thread_ids;
struct mailbox_thread_messages {
	struct mailbox_thread_message *v;
	size_t n, room;
	size_t kept; /* bytes they take */
	bool over;   /* a limit was reached: there are more */
	bool whole;  /* of a folder more than the newest page, also where a
		      * store has threads of its own: LIMIT_THREAD_FOUND */
	bool lean;   /* no more is kept of them than threads are made of */
	struct thread_ids *names; /* each id that they refer to, once */
};

struct mailbox_thread {
	struct mailbox_thread_name name;
	struct str subject;               /* of the first message */
	struct str root_message_id;       /* empty: the root has none */
	struct mailbox_thread_message *v; /* oldest first */
	size_t n;
	int64_t first_s, last_s; /* by Date; both 0: no message has one */
	bool date_unknown;       /* a message has none */
	struct strs missing;     /* referred to, and not there to be seen */
	bool over;               /* a limit was reached: there is more */
};

/* One page of them. */
struct mailbox_threads {
	struct mailbox_thread *v;
	size_t n;
	bool over;
	struct str next; /* the next page's cursor; empty: no more */
};

struct mailbox_threads_query {
	struct str list;  /* an addr-spec, or empty */
	struct str since; /* as it was written: a cursor is bound to it */
	int64_t since_s;  /* what that is now; a later page keeps the first's */
	size_t limit;     /* 1 to LIMIT_PAGE */
	struct str cursor; /* empty: the first page */
	/*
	 * Only threads with a message that answers all of these; an empty
	 * string or 0 asks nothing, as in struct query.  Without `search` none
	 * of them is asked, and with it `since` may be empty.
	 */
	bool search;
	struct str from, not_from, to, subject, text;
	int64_t before_s;
};

/*
 * mailbox_threads.c.  Threads of the list's folder with messages that are
 * strictly newer, newest first, by their last message and then by their ids.
 * Each is the whole thread, as mailbox_thread() makes it; without CAP_THREADS
 * its messages are there for dates, ids and subject alone.  A cursor of another
 * account, list or since is ERR_USAGE.
 */
int mailbox_threads(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_threads *out, struct err *e);
/*
 * One of them, whole, drafts and what was sent with it.  ERR_NOT_FOUND for the
 * hidden and the missing alike.
 */
int mailbox_thread(struct mailbox *m, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e);
/*
 * The same, for whoever shows so many of its messages: of a thread longer than
 * LIMIT_PAGE, where the store reads them singly and nothing is hidden, the
 * others are outlines.  mailbox_thread_part.c
 */
int mailbox_thread_part(struct mailbox *m,
    const struct mailbox_thread_name *name, size_t from, size_t n,
    struct mailbox_thread *out, struct err *e);
/* The bytes of one of its messages, judged once more.  ERR_NOT_FOUND. */
int mailbox_thread_body(struct mailbox *m,
    const struct mailbox_thread_message *msg, struct str *raw, struct err *e);
/* Did this account send it?  By where it lies, or by who wrote it. */
bool mailbox_thread_is_sent(const struct mailbox *m,
    const struct mailbox_thread_message *msg);
/* Does its From say so?  Anybody can write that. */
bool mailbox_thread_is_ours(const struct mailbox *m,
    const struct mailbox_thread_message *msg);
/* The first message that is no draft, or NULL. */
const struct mailbox_thread_message *mailbox_thread_first(
    const struct mailbox_thread *t);
/*
 * Is it known where what is sent lies?  ERR_UNSUPPORTED: that nothing is found
 * there means nothing.
 */
int mailbox_thread_sent_known(struct mailbox *m, struct err *e);
/* The list that the account is a source of, or empty. */
struct str mailbox_thread_list(const struct mailbox *m);
/*
 * Drafts of a thread, by the folder for drafts and by the thread, newest
 * first.  mailbox_thread_drafts.c
 */
int mailbox_thread_drafts_of(struct mailbox *m, const struct mailbox_thread *t,
    struct mailbox_thread_messages *out, struct err *e);
/* Messages in the folder for drafts, newest first. */
int mailbox_thread_drafts(struct mailbox *m,
    struct mailbox_thread_messages *out, struct err *e);
/* How a draft is named, here and in what `create_draft` answers. */
struct str mailbox_thread_drafts_id(struct arena *a,
    const struct mailbox_thread_message *msg);

/* Where a person can see a thread. */
struct mailbox_thread_address {
	struct str url;
	const char *kind; /* "archive", "webmail", "computed", "imap" */
};

/*
 * mailbox_thread_url.c.  ERR_UNSUPPORTED where it cannot be told; `fetch`: a
 * message may be read for it.
 */
int mailbox_thread_url(struct mailbox *m, const struct mailbox_thread *t,
    bool fetch, struct mailbox_thread_address *to, struct err *e);

/*
 * thread_name.c.  "gmail-thread-id:19dc8d4675dfc1f1", "<x@y.example>", or an id
 * as this kind of source has them.  ERR_USAGE.
 */
int thread_name_read(struct mailbox *m, struct str text,
    struct mailbox_thread_name *out, struct err *e);
/* "rfc5322-message-id", the kind of this mailbox's source. */
const char *thread_name_kind(const struct mailbox *m);
/*
 * The kind of source an id as callers write it can only be read by, "" when any
 * can: for choosing one.
 */
const char *thread_name_bound(struct str text);

#endif
