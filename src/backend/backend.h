#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

/*
 * The one contract over every kind of mail store.
 *
 * To add one: 1. write backend/<name>/ with a `const struct backend`; 2. name
 * it in backend/table.c; 3. run tests/conform against it.
 *
 * For every method: returns 0, or -1 with *e filled in; results live in the
 * arena handed in; ends by acct->deadline_ms; never logs, never prompts, never
 * asks policy, never changes the store's mail but where it says so.  A method
 * is NULL exactly when its cap bit is off (backend_check()).  What cannot be
 * done says ERR_UNSUPPORTED: a faked operation loses data silently.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

enum backend_cap {
	CAP_READ = 1 << 0,    /* folders, find, headers, body */
	CAP_UIDS = 1 << 1,    /* ref.uid is the store's own (IMAP); else ref.id
			       * names a message and `scan` lists them */
	CAP_SUBMIT = 1 << 2,  /* submit */
	CAP_APPEND = 1 << 3,  /* append */
	CAP_THREADS = 1 << 4, /* rows tell the store's own thread, and find
			       * looks for it: query.thread */
	CAP_DRAFT = 1 << 5,   /* drafts, draft */
	CAP_SEARCH = 1 << 6,  /* the server looks for query.text: no body comes
			       * here for it; as with CAP_UIDS */
	CAP_LISTING = 1 << 7, /* listing; without CAP_UIDS */
	CAP_MARK = 1 << 8,    /* mark; rows tell flags, and find looks for
			       * them: those of `flags` below */
	CAP_MOVE = 1 << 9,    /* move */
	CAP_VOUCH = 1 << 10,  /* rows tell whether the store itself knows who
			       * sent the message */
};

/* What a store with CAP_MARK keeps of a message beside its bytes. */
enum backend_flag {
	FLAG_READ = 1 << 0,     /* \Seen, RFC 9051 section 2.3.2; $seen */
	FLAG_ANSWERED = 1 << 1, /* \Answered; $answered */
	FLAG_ARCHIVED = 1 << 2, /* put away, where that is no folder alone */
};

/* What `mark` is to change: enum backend_flag, or-ed; none is in both. */
struct flag_change {
	unsigned set, clear;
};

/* Whether a login says who we are (ID, RFC 2971). */
enum backend_id {
	BACKEND_ID_AUTO, /* when the server offers it */
	BACKEND_ID_ON,   /* always; nothing else is sent before its answer */
	BACKEND_ID_OFF,
};

/* Everything a backend may know of an account.  Borrowed for the call. */
struct backend_account {
	struct str name;
	struct str from; /* the account's own addr-spec */
	struct str username;
	const struct secret *secret; /* password or access token */
	bool oauth;                  /* the secret is an access token */
	/*
	 * Where a token comes from when `secret` is NULL: sets it, or with
	 * `again` puts another in its place, once (-1 without an error when
	 * that is spent).  NULL: nowhere.  For backend_token() alone.
	 */
	int (*token)(void *ctx, bool again, struct err *e);
	void *token_ctx;
	struct str imap_host, smtp_host;
	uint16_t imap_port, smtp_port;
	bool imap_starttls, smtp_starttls; /* else implicit TLS */
	struct str ca_file, tls_pin;
	enum backend_id id;
	bool no_sasl_ir; /* no login carries its first answer along */
	bool trace;      /* rows hold the Received fields too */
	struct str path; /* maildir: the root folder; mbox: file, folder */
	struct str url;  /* of the service: jmap, ponymail; gmail's, or none */
	struct str list; /* the mailing list it is a source of, or empty */
	struct str drafts_folder; /* where drafts go; empty: by its role */
	/*
	 * A folder for what can be made again from the mail: indexes.  Made by
	 * whoever first needs it, 0700.  Empty: nothing is kept.
	 */
	struct str cache_dir;
	/* Told how far long work has come, of how much; NULL: nobody looks. */
	void (*progress)(uint64_t done, uint64_t all);
	int64_t deadline_ms; /* on clock_mono_ms(), for the whole call */
};

/* A connection; a backend embeds it as its first member. */
struct backend;
struct conn {
	const struct backend *be;
	const struct backend_account *acct;
};

/* Roles of folders, RFC 6154, RFC 8457. */
enum folder_role {
	FOLDER_PLAIN,
	FOLDER_INBOX,
	FOLDER_ALL,
	FOLDER_ARCHIVE,
	FOLDER_DRAFTS,
	FOLDER_FLAGGED,
	FOLDER_IMPORTANT,
	FOLDER_JUNK,
	FOLDER_SENT,
	FOLDER_TRASH,
};

struct folder {
	struct str name; /* UTF-8, with the server's own delimiter in it */
	char delimiter;  /* 0 when there is none */
	bool selectable;
	enum folder_role role;
};

struct folders {
	struct folder *v;
	size_t n;
};

/*
 * One message: known by uid with CAP_UIDS, by id without.  A backend without
 * CAP_UIDS hands a ref back in its row as it was asked, uid and all.
 */
struct ref {
	uint32_t uid;
	struct str id;
};

struct refs {
	struct ref *v;
	size_t n;
};

/* How a folder stands, learned on the way by every read. */
struct folder_state {
	/*
	 * RFC 9051 2.3.1.1; 0 without CAP_UIDS and only there: a store with
	 * CAP_UIDS whose folder has none (missing, 0, over 32 bits, not a
	 * number) answers ERR_UNSUPPORTED, so that no state is ever kept by
	 * uids that mean nothing.
	 */
	uint32_t uidvalidity;
	uint32_t uidnext; /* the next message's uid; 0 when not told */
	uint32_t exists;
	/*
	 * CAP_LISTING: a digest of what `scan` gives, which two different ones
	 * do not share; empty: not told.
	 */
	struct str listing;
};

/* What to find; an empty string or 0 asks nothing.  All must hold. */
struct query {
	struct str folder;
	uint32_t uid_min; /* with CAP_UIDS: this or above; 0 or 1: any */
	uint32_t uid_max; /* this or below; 0: any */
	const struct refs
	    *among;         /* without CAP_UIDS: look at these, in order */
	struct str from;    /* substring of the From field, without case */
	struct str to;      /* substring of the To or Cc field, without case */
	struct str subject; /* substring of the Subject, without case */
	struct str text;    /* substring of header or body */
	/* The Message-ID, angle brackets and all.  A store may find ones that
	 * only hold it. */
	struct str message_id;
	int64_t since_s;  /* Date's day is this or later; 0: any */
	int64_t before_s; /* Date's day is earlier; 0: any */
	/*
	 * A hint: only messages whose From field holds one of these, as it is
	 * written but for case, are of any use.  A store that can ask so
	 * cheaply may leave others out; the gate looks at each row itself.
	 */
	struct strs senders;
	/*
	 * What is found may be hidden from whoever asks: as many round trips
	 * are made when nothing is found as when something is.  For stores on
	 * a network; what that takes is asked for and dropped.
	 */
	bool even;
	/* Received later than this; a store may give a day more.  0: any. */
	int64_t received_s;
	/*
	 * With CAP_THREADS: of this thread of the store's own.  The folder may
	 * be empty then, and is every one; the rows come oldest first.
	 */
	struct str thread;
	/*
	 * With CAP_THREADS: only what find would have behind this message, that
	 * came at behind_s, be it still there or not.  Empty: from the newest.
	 */
	struct str behind;
	int64_t behind_s;
	/* With CAP_THREADS, a hint: these are asked for next, one by one. */
	struct strs threads;
	/*
	 * With CAP_THREADS, a hint: nobody judges the rows, and of a thread's
	 * all but the first need say no more than Message-ID, In-Reply-To and
	 * Date; elsewhere no row need.  For a store that reads messages singly.
	 */
	bool outline;
	/* A hint: only mail of this mailing list, an addr-spec, is of use. */
	struct str list;
	/* With CAP_MARK: those that have all of these flags, and those that
	 * have none of these: enum backend_flag, or-ed. */
	unsigned with, without;
};

/* A message's header, as much of it as judging and listing need. */
struct row {
	struct ref ref;
	/*
	 * Raw RFC 5322 header, at least each From, Sender, To, Cc, Reply-To,
	 * Subject, Date, Message-ID, In-Reply-To, References, Content-Type,
	 * Authentication-Results, Auto-Submitted, Precedence, Return-Path,
	 * List-Id, List-Post and List-Unsubscribe field, and with `trace` each
	 * Received field, every one of them, in the message's order: by it
	 * Authentication-Results are believed or not.
	 */
	struct str head;
	uint64_t size;      /* of the whole message, bytes */
	int64_t received_s; /* INTERNALDATE, unix seconds; 0 not known */
	bool has_attachments;
	bool ambiguous; /* where it begins or ends can be told in two ways */
	bool forgeable; /* it may be part of what a sender wrote: its fields
			 * are nobody else's */
	bool draft;     /* not sent yet: \Draft, $draft, flag D; see `drafts` */
	struct str thread; /* CAP_THREADS: the store's own id of its thread */
	unsigned flags;    /* CAP_MARK: enum backend_flag, or-ed */
	struct str folder; /* where it is, when it was asked for in no folder */
	bool vouched;      /* CAP_VOUCH: it was sent by who From says, and no
			    * sender could have made this up */
	bool outline;      /* query.outline: `head` says no more than that */
	/* A draft's own, of what is found in the folder for drafts; empty: it
	 * is the message's. */
	struct str draft_id;
};

struct rows {
	struct row *v;
	size_t n;
};

/* Told of a message and of the ids it names, which are good for the call. */
struct link_sink {
	int (*add)(void *ctx, const struct ref *ref, const struct strs *ids,
	    struct err *e);
	void *ctx;
};

/* A draft that was just put into a store. */
struct drafted {
	struct str id;     /* the store's own, for people and for draft lists */
	struct ref ref;    /* as `headers` takes it; zero when not told */
	struct str thread; /* CAP_THREADS: the thread it is in now */
};

/* Someone a message is submitted to, and what became of it. */
struct recipient {
	struct str addr; /* as address_wire() made it */
	int code;        /* SMTP reply code, 0 when never asked; 250 accepted */
	struct str status; /* "accepted", or the server's words, cleaned */
};

struct submission {
	struct str from;
	struct recipient *to; /* filled in by submit */
	size_t n;
	struct str message; /* CRLF; exactly what leaves */
	bool smtputf8;      /* an address needs RFC 6531 */
	/* Asked when all is ready and nothing has left: below 0 nothing does.
	 * NULL: nobody asks. */
	int (*look)(const void *ctx, struct err *e);
	const void *ctx;
};

/* submit.c: for every backend's submit, right before what cannot be undone. */
int backend_submit_look(const struct submission *s, struct err *e);

/* One line of doctor. */
struct probe {
	struct str what; /* "imap.login" */
	bool ok;
	bool note;       /* it works, and something is worth knowing */
	struct str say;  /* one sentence; no secret, no path */
	struct str next; /* what the operator can do about it, or empty */
	/* For the operator alone: may name paths and repeat a server's words;
	 * no secret. */
	struct str detail;
	int64_t ms;
};

struct probes {
	struct probe *v;
	size_t n;
	/* Told of each line as it is added; NULL: nobody is waiting. */
	void (*tell)(const struct probe *line, void *ctx);
	void *ctx;
};

/*
 * What an account's files in cache_dir are named by: accounts of which all that
 * is the same share them.
 */
enum backend_keep {
	KEEP_NAME = 1 << 0, /* the account's own: nobody else may see them */
	KEEP_USERNAME = 1 << 1,
	KEEP_FROM = 1 << 2,
	KEEP_URL = 1 << 3,
	KEEP_PATH = 1 << 4,
};

struct backend {
	const char *name; /* as in --backend imap */
	unsigned caps;    /* enum backend_cap, or-ed */
	unsigned flags;   /* enum backend_flag, or-ed: those of CAP_MARK */
	unsigned keeps;   /* enum backend_keep, or-ed; 0: it has no files */

	/* May put off connecting until the first question. */
	int (*open)(const struct backend_account *acct, struct arena *a,
	    struct conn **out, struct err *e);
	void (*close)(struct conn *c); /* NULL-safe; waits for nobody */

	/* CAP_READ: every folder, at most LIMIT_FOLDERS. */
	int (*folders)(struct conn *c, struct arena *a, struct folders *out,
	    struct err *e);
	/*
	 * CAP_READ: the newest `limit` (1 to LIMIT_PAGE) messages that match,
	 * newest (highest uid; first of `among`) first, with how the folder
	 * stands.  Fewer than limit only when no more match.  ERR_NOT_FOUND
	 * for a folder that is not there.
	 */
	int (*find)(struct conn *c, struct arena *a, const struct query *q,
	    size_t limit, struct folder_state *st, struct rows *out,
	    struct err *e);
	/*
	 * CAP_READ: rows for these messages, in the order asked; those that
	 * are not there are left out.  Changes no flag.  With CAP_THREADS and
	 * CAP_MARK the folder may be empty, here and in `mark` and `move`, and
	 * is every one; the rows then tell theirs.
	 */
	int (*headers)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, struct folder_state *st, struct rows *out,
	    struct err *e);
	/*
	 * CAP_READ: the whole message, raw; ERR_NOT_FOUND, or ERR_LIMIT when it
	 * has more than max bytes.  Changes no flag.  With CAP_THREADS the
	 * folder may be empty, as in a query, and is every one.
	 */
	int (*body)(struct conn *c, struct arena *a, struct str folder,
	    const struct ref *ref, size_t max, struct str *out, struct err *e);
	/*
	 * CAP_READ without CAP_THREADS: tells of the messages of the folder, in
	 * any order, with the ids of their Message-ID, References and
	 * In-Reply-To as mime_header_msgids() reads them; a message may be
	 * told of that is gone.  *over: there are more than that.
	 */
	int (*links)(struct conn *c, struct arena *a, struct str folder,
	    const struct link_sink *to, bool *over, struct err *e);
	/*
	 * CAP_READ without CAP_UIDS: every message's id in order of arrival,
	 * oldest first.  An id stays the same while the message is there, and
	 * is never given to another.  Sets st->exists.
	 */
	int (*scan)(struct conn *c, struct arena *a, struct str folder,
	    struct folder_state *st, struct strs *ids, struct err *e);
	/*
	 * CAP_LISTING: sets st->exists and st->listing when what `scan` would
	 * give is known without reading the folder; else st->listing is empty.
	 */
	int (*listing)(struct conn *c, struct arena *a, struct str folder,
	    struct folder_state *st, struct err *e);
	/*
	 * CAP_SUBMIT: hands a message over, to all recipients or to none: one
	 * refusal and nothing is sent (ERR_REJECTED, or ERR_NETWORK where it
	 * may be tried again later; s->to says which).
	 * ERR_UNKNOWN_OUTCOME when the last octet left and no answer came.
	 * Calls backend_submit_look() before the first octet of the message.
	 * Only gate/outbox.c calls this.
	 */
	int (*submit)(struct conn *c, struct arena *a, struct submission *s,
	    struct err *e);
	/*
	 * CAP_SUBMIT, or NULL: a Message-ID as this store makes them, of 128
	 * random bits, for a message of that time (unix seconds).  What is
	 * before the "@" is the id that the store gives the message.
	 */
	struct str (*message_id)(struct arena *a, const unsigned char rnd[16],
	    int64_t date_s);
	/*
	 * CAP_APPEND: puts a message into a folder, marked as read (IMAP
	 * APPEND with \\Seen, RFC 9051 section 6.3.12).  ERR_NOT_FOUND for a
	 * folder that is not there.  This, `draft`, `mark` and `move` are all
	 * that changes the store's mail; only gate/ calls them.
	 */
	int (*append)(struct conn *c, struct arena *a, struct str folder,
	    struct str message, struct err *e);
	/*
	 * CAP_DRAFT: the folder that drafts are put into, acct->drafts_folder
	 * or else the one of that role.  ERR_UNSUPPORTED, saying why, when
	 * there is none or nothing can be written to it.
	 */
	int (*drafts)(struct conn *c, struct arena *a, struct str *folder,
	    struct err *e);
	/*
	 * CAP_DRAFT: puts a message into that folder, unsent and marked as a
	 * draft and as read; with CAP_THREADS into `thread`, unless that is
	 * empty.  What it could not do (a thread refused it) *out tells.
	 */
	int (*draft)(struct conn *c, struct arena *a, struct str folder,
	    struct str message, struct str thread, struct drafted *out,
	    struct err *e);
	/*
	 * CAP_MARK: changes flags of messages, of all of them or of none.  A
	 * flag that stands as it is asked for already is no error.
	 * ERR_NOT_FOUND when one of them is not there.
	 */
	int (*mark)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, const struct flag_change *change,
	    struct err *e);
	/*
	 * CAP_MOVE: puts messages into another folder, all of them or none,
	 * and removes no other message.  *moved has their refs there, in the
	 * order asked; all zero where one was not told.  ERR_NOT_FOUND when a
	 * message or a folder is not there; a store whose folders are nothing
	 * but names may make one.
	 */
	int (*move)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, struct str to, struct refs *moved,
	    struct err *e);
	/*
	 * Always: tries the account step by step for doctor and adds a line
	 * for each; goes as far as it can; -1 only when it cannot try at all.
	 */
	int (*probe)(const struct backend_account *acct, struct arena *a,
	    struct probes *out, struct err *e);
};

/*
 * trace.c.  The same backend, or with a trace (base/trace.h) one that tells of
 * each call in it.
 */
const struct backend *backend_trace_wrap(const struct backend *be);
/* Tells of one call: what was asked, since when, how it ended. */
void backend_trace(const struct conn *c, int64_t since_ms, int r,
    const struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The backend of that name, or NULL. */
const struct backend *backend_find(struct str name);
/* The i-th backend, or NULL past the last. */
const struct backend *backend_at(size_t i);
/*
 * What submits for an account read through `be`: itself when it can, SMTP when
 * the account has an smtp_host, else NULL.
 */
const struct backend *backend_submitter(const struct backend *be,
    const struct backend_account *acct);
/* Does the struct keep the contract on NULL slots?  For tests/conform. */
bool backend_check(const struct backend *be);
/*
 * What the names of an account's files in cache_dir begin with; empty when it
 * has none.  cache.c
 */
struct str backend_cache_prefix(struct arena *a, const struct backend *be,
    const struct backend_account *acct);
/* Takes away all that begin so; nothing about it is an error. */
void backend_cache_forget(const struct backend_account *acct,
    struct str prefix);
/*
 * Makes sure before a connection is opened that there is something to log in
 * with, if it is to be had.  token.c
 */
int backend_token(const struct backend_account *acct, struct err *e);
/* After a refusal, told by *e: is there another token?  Then *e is empty. */
bool backend_token_again(const struct backend_account *acct, struct err *e);
/* "sent", "inbox"; "" for FOLDER_PLAIN.  role.c */
const char *backend_role_name(enum folder_role role);
/* Adds a line to a doctor's report.  probe.c */
void backend_probe_add(struct arena *a, struct probes *p, const char *what,
    bool ok, int64_t since_ms, struct str say);
/* One that tells why it went wrong, and from that what to do. */
void backend_probe_fail(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct err *why);
/* One that went well, with something to know: `next` is static or NULL. */
void backend_probe_note(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, struct str say, const char *next);

#endif
