/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_MAILBOX_THREAD_H
#define GATE_MAILBOX_THREAD_H

/*
 * Threads as one agent may see them.  Each message passes policy before it is
 * put into a thread: a hidden message is in no thread, count or date and
 * connects nothing, and a thread of hidden messages only answers like one that
 * does not exist.
 *
 * If the store has threads of its own (CAP_THREADS), these are used; otherwise
 * source/thread.h makes them from the list's folder, INBOX, the folder for sent
 * mail and the one for drafts.
 */
#include "gate/mailbox.h"
#include "source/matrix.h"

/* "kind:id"; ids of different kinds are never compared. */
struct mailbox_thread_name {
	const char *kind; /* static */
	struct str id;
};

struct mailbox_thread_message {
	struct mail mail;
	struct ref ref;
	struct str folder; /* empty: in any folder of the store's threads */
	bool uids;         /* `get` finds it by mail.uid, in that folder */
	bool draft;        /* not sent yet */
	bool sent;         /* it is in the folder for sent mail */
	int64_t at_s;      /* compared with `since`; see `dated` */
	bool dated;
	struct str sha256; /* of its bytes, if it has no Message-ID */
	struct str key;    /* its placeholder until the bytes are read */
	unsigned place;    /* enum thread_place_kind */
	bool seed;         /* a result of the search, not only related to one */
	struct str thread; /* CAP_THREADS: the store's own */
	struct str draft_id; /* as in struct row */
	bool outline;        /* only its ids and date are known */
};

struct thread_ids;
struct mailbox_thread_messages {
	struct mailbox_thread_message *v;
	size_t n;
	size_t kept; /* bytes that they take */
	bool over;   /* a limit was reached: there are more */
	bool whole;  /* searches more of a folder than the newest page, also if
			the store has threads of its own: LIMIT_THREAD_FOUND */
	bool lean;   /* keeps only what threads are made from */
	struct thread_ids *names; /* each id that they refer to, once */
};

struct mailbox_thread {
	struct mailbox_thread_name name;
	struct str subject;               /* of the first message */
	struct str root_message_id;       /* empty: the root has none */
	struct mailbox_thread_message *v; /* oldest first */
	size_t n;
	int64_t first_s, last_s; /* by Date; both 0: no message has one */
	bool date_unknown;       /* a message has no date */
	struct strs missing;     /* referred to, but not visible */
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
	struct str list;   /* an addr-spec, or empty */
	struct str since;  /* as given: a cursor is bound to it */
	int64_t since_s;   /* its time; later pages keep the first page's */
	size_t limit;      /* 1 to LIMIT_PAGE */
	struct str cursor; /* empty: the first page */
	/*
	 * Only threads with a message that matches all of these; an empty
	 * string or 0 matches everything, as in struct query.  Without `search`
	 * none of them applies, and with it `since` may be empty.
	 */
	bool search;
	struct str from, not_from, to, subject, text;
	int64_t before_s;
};

/*
 * mailbox_threads.c. Threads of the list's folder with messages strictly after
 * `since`, newest first, by their last message and then by their ids.  Each is
 * the whole thread, as from mailbox_thread(); without CAP_THREADS its messages
 * have only dates, ids and subject.  A cursor of another account, list or since
 * is ERR_USAGE.
 */
int mailbox_threads(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_threads *out, struct err *e);
/*
 * One of them, complete with drafts and sent mail.  ERR_NOT_FOUND for hidden
 * and missing threads alike.
 */
int mailbox_thread(struct mailbox *m, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e);
/*
 * The same, for a caller that shows that many of its messages: if the thread is
 * longer than LIMIT_PAGE, the store reads messages one by one and nothing is
 * hidden, the others are outlines.  mailbox_thread_part.c
 */
int mailbox_thread_part(struct mailbox *m,
    const struct mailbox_thread_name *name, size_t from, size_t n,
    struct mailbox_thread *out, struct err *e);
/* The bytes of one of its messages, judged again.  ERR_NOT_FOUND. */
int mailbox_thread_body(struct mailbox *m,
    const struct mailbox_thread_message *msg, struct str *raw, struct err *e);
/* Did this account send it?  Decided by its folder, or by its sender. */
bool mailbox_thread_is_sent(const struct mailbox *m,
    const struct mailbox_thread_message *msg);
/* Does its From say so?  Anybody can write that. */
bool mailbox_thread_is_ours(const struct mailbox *m,
    const struct mailbox_thread_message *msg);
/* The first message that is not a draft, or NULL. */
const struct mailbox_thread_message *mailbox_thread_first(
    const struct mailbox_thread *t);
/*
 * Is the folder for sent mail known?  ERR_UNSUPPORTED: finding nothing there
 * would mean nothing.
 */
int mailbox_thread_sent_known(struct mailbox *m, struct err *e);
/* The list that the account is a source for, or empty. */
struct str mailbox_thread_list(const struct mailbox *m);
/*
 * Drafts of a thread, from the folder for drafts and from the thread, newest
 * first.  mailbox_thread_drafts.c
 */
int mailbox_thread_drafts_of(struct mailbox *m, const struct mailbox_thread *t,
    struct mailbox_thread_messages *out, struct err *e);
/* Messages in the folder for drafts, newest first. */
int mailbox_thread_drafts(struct mailbox *m,
    struct mailbox_thread_messages *out, struct err *e);
/* The id of a draft, here and in the reply of `create_draft`. */
struct str mailbox_thread_drafts_id(struct arena *a,
    const struct mailbox_thread_message *msg);

/* Where a person can see a thread. */
struct mailbox_thread_address {
	struct str url;
	const char *kind; /* "archive", "webmail", "computed", "imap" */
};

/*
 * mailbox_thread_url.c. ERR_UNSUPPORTED if there is none; `fetch`: it may read
 * a message.
 */
int mailbox_thread_url(struct mailbox *m, const struct mailbox_thread *t,
    bool fetch, struct mailbox_thread_address *to, struct err *e);

/*
 * thread_name.c. "gmail-thread-id:19dc8d4675dfc1f1", "<x@y.example>", or an id
 * in the form of this kind of source.  ERR_USAGE.
 */
int thread_name_read(struct mailbox *m, struct str text,
    struct mailbox_thread_name *out, struct err *e);
/* "rfc5322-message-id", the kind of this mailbox's source. */
const char *thread_name_kind(const struct mailbox *m);
/*
 * The kind of source that alone can read this id, "" if any can: for choosing
 * one.
 */
const char *thread_name_bound(struct str text);

#endif
