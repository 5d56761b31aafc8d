/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

/*
 * The one contract for every kind of mail store.
 *
 * To add one: 1.  write backend/<name>/ with a `const struct backend`; 2.  name
 * it in backend/table.c; 3.  run tests/conform against it.
 *
 * For every method: returns 0, or -1 with *e filled in; results live in the
 * arena that is passed in; ends by acct->deadline_ms; never logs, prompts or
 * asks policy, and changes the store's mail only where documented.  A method is
 * NULL exactly when its cap bit is off (backend_check()).  What it cannot do is
 * ERR_UNSUPPORTED: emulation loses data silently.
 */
#include "backend/mail.h"
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

enum backend_cap {
	CAP_READ = 1 << 0,     /* folders, find, headers, body */
	CAP_UIDS = 1 << 1,     /* ref.uid is the store's own (IMAP); otherwise
				  ref.id names a message and `scan` lists them */
	CAP_SUBMIT = 1 << 2,   /* submit */
	CAP_APPEND = 1 << 3,   /* append */
	CAP_THREADS = 1 << 4,  /* rows have the store's own thread, and find
				  accepts query.thread */
	CAP_DRAFT = 1 << 5,    /* drafts, draft */
	CAP_SEARCH = 1 << 6,   /* the server searches for query.text, so no body
				  is fetched for it; as with CAP_UIDS */
	CAP_LISTING = 1 << 7,  /* listing; without CAP_UIDS */
	CAP_MARK = 1 << 8,     /* mark; rows tell flags, and find looks for
				* them: those of `flags` below */
	CAP_MOVE = 1 << 9,     /* move */
	CAP_VOUCH = 1 << 10,   /* rows tell whether the store itself knows who
				* sent the message */
	CAP_CHANGES = 1 << 11, /* changes; without CAP_UIDS */
	CAP_WATCH = 1 << 12,   /* watch */
	CAP_LABEL = 1 << 13,   /* mark changes labels, and rows tell them */
	CAP_PLACES = 1 << 14,  /* move_back: a message may be in several
				* folders, and rows tell them; needs CAP_MOVE,
				* without CAP_UIDS */
};

/* Whether a login sends the client's name (ID, RFC 2971). */
enum backend_id {
	BACKEND_ID_AUTO, /* if the server offers it */
	BACKEND_ID_ON,   /* always; nothing else is sent before its answer */
	BACKEND_ID_OFF,
};

/*
 * Everything that a backend may know about an account.  Borrowed for the call.
 */
struct backend_account {
	struct str name;
	struct str from; /* the account's own addr-spec */
	struct str username;
	const struct secret *secret; /* password or access token */
	bool oauth;                  /* the secret is an access token */
	/* Gets a token if `secret` is NULL: sets it, or with `again` replaces
	 * it, once (-1 without an error after that).  NULL: there is no source.
	 * Only backend_token() calls it. */
	int (*token)(void *ctx, bool again, struct err *e);
	void *token_ctx;
	struct str imap_host, smtp_host;
	uint16_t imap_port, smtp_port;
	bool imap_starttls, smtp_starttls; /* false: implicit TLS */
	struct str ca_file, tls_pin;
	enum backend_id id;
	bool no_sasl_ir; /* logins send no initial response */
	bool trace;      /* rows include the Received fields */
	struct str path; /* maildir, agentbox: the root; mbox: file, folder */
	struct str url;  /* of the service: jmap, ponymail; gmail's, or none */
	struct str list; /* the mailing list it is a source for, or empty */
	struct str drafts_folder; /* for drafts; empty: found by its role */
	/* A folder for data that can be rebuilt from the mail: indexes.
	 * Whoever first needs it creates it, 0700.  Empty: nothing is stored.
	 */
	struct str cache_dir;
	/* HMAC-SHA-256 under a key of this store's, which no backend sees, of
	 * what is about a message from this account; NULL: there is none. */
	int (*mac)(void *ctx, struct str bytes, unsigned char out[32],
	    struct err *e);
	/* Is it that?  1, 0, -1.  NULL: compare.  agentbox/root.h */
	int (*fits)(void *ctx, struct str bytes, const unsigned char mac[32],
	    struct err *e);
	void *mac_ctx;
	/* Gets the progress of long work: how much of how much; or NULL. */
	void (*progress)(uint64_t done, uint64_t all);
	int64_t deadline_ms; /* on clock_mono_ms(), for the whole call */
	const struct backend_wire *wire; /* wired/wired.h; for others NULL */
};

/* A connection; a backend embeds it as its first member. */
struct backend;
struct conn {
	const struct backend *be;
	const struct backend_account *acct;
};

/* Receives a message and the ids it names, which are valid for the call. */
struct link_sink {
	int (*add)(void *ctx, const struct ref *ref, const struct strs *ids,
	    struct err *e);
	void *ctx;
};

/* A draft that was just put into a store. */
struct drafted {
	struct str id;  /* the store's own id, for people and lists of drafts */
	struct ref ref; /* as for `headers`; zero if unknown */
	struct str thread; /* CAP_THREADS: the thread it is in now */
};

/* A recipient of a submission, and the result. */
struct recipient {
	struct str addr;   /* as address_wire() made it */
	int code;          /* SMTP reply code, 0 if never asked; 250 accepted */
	struct str status; /* "accepted", or the server's words, cleaned */
};

struct submission {
	struct str from;
	struct recipient *to; /* filled in by submit */
	size_t n;
	struct str message; /* CRLF; exactly what is sent */
	bool smtputf8;      /* an address needs RFC 6531 */
	/* Called when everything is ready and nothing has been sent: below 0
	 * prevents sending.  NULL: no check. */
	int (*look)(const void *ctx, struct err *e);
	const void *ctx;
};

/*
 * Of a move in a store with CAP_UIDS that copies first.  Either `copied` is
 * set, or all but that.
 */
struct copying {
	/* Called when the store has said where every copy is, and no original
	 * has been touched: their refs, in the order asked, and the
	 * UIDVALIDITY of the target.  Below 0: no original is removed, and the
	 * move ends with that error. */
	int (*copied)(void *ctx, const struct refs *copies,
	    uint32_t uidvalidity, struct err *e);
	void *ctx;
	/* What an earlier call was told so: nothing is copied any more, and
	 * those originals are removed that are still there. */
	const struct refs *copies;
	uint32_t uidvalidity;      /* of the target, as it was told */
	uint32_t from_uidvalidity; /* of the folder, then */
	/* None is removed any more: what that call may have done to the
	 * originals, so that they would be removed, is taken back. */
	bool gives_up;
};

/* submit.c: every backend's submit calls this right before the point of no
 * return. */
int backend_submit_look(const struct submission *s, struct err *e);

/* One line of doctor. */
struct probe {
	struct str what; /* "imap.login" */
	bool ok;
	bool note;       /* it works, but something is worth knowing */
	struct str say;  /* one sentence; no secret, no path */
	struct str next; /* what the operator can do about it, or empty */
	/* For the operator only: may name paths and repeat a server's words; no
	 * secret. */
	struct str detail;
	int64_t ms;
};

struct probes {
	struct probe *v;
	size_t n;
	/* Called with each line as it is added, or NULL. */
	void (*tell)(const struct probe *line, void *ctx);
	void *ctx;
};

/* The parts of an account that name its files in cache_dir: accounts with the
 * same parts share them. */
enum backend_keep {
	KEEP_NAME =
	    1 << 0, /* the account's own: no other account may see them */
	KEEP_USERNAME = 1 << 1,
	KEEP_FROM = 1 << 2,
	KEEP_URL = 1 << 3,
	KEEP_PATH = 1 << 4,
};

struct backend_watch;
struct backend {
	const char *name; /* as in --backend imap */
	unsigned caps;    /* enum backend_cap, or-ed */
	unsigned flags;   /* enum backend_flag, or-ed: those of CAP_MARK */
	unsigned keeps;   /* enum backend_keep, or-ed; 0: it has no files */
	/* May delay the connection until the first request. */
	int (*open)(const struct backend_account *acct, struct arena *a,
	    struct conn **out, struct err *e);
	void (*close)(struct conn *c); /* NULL-safe; does not wait */
	void (*again)(struct conn *c, bool prove); /* or NULL: internal.h */

	/* CAP_READ: every folder, at most LIMIT_FOLDERS. */
	int (*folders)(struct conn *c, struct arena *a, struct folders *out,
	    struct err *e);
	/*
	 * CAP_READ: the newest `limit` (1 to LIMIT_PAGE) messages that match,
	 * newest (highest uid; first of `among`) first, and the state of the
	 * folder.  Fewer than limit only if no more match.  ERR_NOT_FOUND for a
	 * folder that does not exist.
	 */
	int (*find)(struct conn *c, struct arena *a, const struct query *q,
	    size_t limit, struct folder_state *st, struct rows *out,
	    struct err *e);
	/*
	 * CAP_READ: rows for these messages, in the given order; missing ones
	 * are left out.  Changes no flag.  With CAP_THREADS and CAP_MARK the
	 * folder may be empty, here and in `mark` and `move`, for all folders;
	 * the rows then contain theirs.
	 */
	int (*headers)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, struct folder_state *st, struct rows *out,
	    struct err *e);
	/*
	 * CAP_READ: the whole message, raw; ERR_NOT_FOUND, or ERR_LIMIT if it
	 * has more than max bytes.  Changes no flag.  With CAP_THREADS the
	 * folder may be empty, as in a query, for all folders.
	 */
	int (*body)(struct conn *c, struct arena *a, struct str folder,
	    const struct ref *ref, size_t max, struct str *out, struct err *e);
	/*
	 * CAP_READ without CAP_THREADS: reports the folder's messages, in any
	 * order, with the ids in their Message-ID, References and In-Reply-To
	 * as mime_header_msgids() reads them; a deleted message may be
	 * included.  *over: there are more.
	 */
	int (*links)(struct conn *c, struct arena *a, struct str folder,
	    const struct link_sink *to, bool *over, struct err *e);
	/*
	 * CAP_READ without CAP_UIDS: every message's id in order of arrival,
	 * oldest first.  An id does not change while the message exists, and is
	 * never given to another.  Sets st->exists.
	 */
	int (*scan)(struct conn *c, struct arena *a, struct str folder,
	    struct folder_state *st, struct strs *ids, struct err *e);
	/*
	 * CAP_LISTING: sets st->exists and st->listing if the result of `scan`
	 * is known without reading the folder; otherwise st->listing is empty.
	 */
	int (*listing)(struct conn *c, struct arena *a, struct str folder,
	    struct folder_state *st, struct err *e);
	/* CAP_CHANGES: what `scan` would tell that it did not when st->listing
	 * was `since`: ids that are there, in order of arrival, and that are
	 * gone; others may be among them.  1; 0: `scan` has to tell; or -1. */
	int (*changes)(struct conn *c, struct arena *a, struct str folder,
	    struct str since, struct folder_state *st, struct strs *came,
	    struct strs *gone, struct err *e);
	/*
	 * CAP_SUBMIT: submits a message to all recipients or to none: one
	 * refusal and nothing is sent (ERR_REJECTED, or ERR_NETWORK if it can
	 * be tried again later; s->to says which).  ERR_UNKNOWN_OUTCOME if the
	 * last octet was sent and no answer came.  Calls backend_submit_look()
	 * before the first octet of the message.  Only gate/outbox.c calls
	 * this.
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
	 * CAP_DRAFT: the folder for drafts: acct->drafts_folder, otherwise the
	 * one with that role.  ERR_UNSUPPORTED, with the reason, if there is
	 * none or it is not writable.
	 */
	int (*drafts)(struct conn *c, struct arena *a, struct str *folder,
	    struct err *e);
	/*
	 * CAP_DRAFT: puts a message into that folder, unsent and marked as a
	 * draft and as read; with CAP_THREADS into `thread`, unless that is
	 * empty.  *out says what it could not do (a thread refused it).
	 */
	int (*draft)(struct conn *c, struct arena *a, struct str folder,
	    struct str message, struct str thread, struct drafted *out,
	    struct err *e);
	/*
	 * CAP_MARK: changes flags of messages, of all of them or of none.  A
	 * flag that stands as it is asked for already is no error.
	 * ERR_NOT_FOUND when one of them is not there, or a folder with
	 * CAP_UIDS was renumbered since this connection read it.
	 * ERR_UNKNOWN_OUTCOME if some may have changed and nobody knows which:
	 * read them.
	 */
	int (*mark)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, const struct flag_change *change,
	    struct err *e);
	/*
	 * CAP_MOVE: puts messages into another folder, all of them or none,
	 * and removes no other message.  *moved has their refs there, in the
	 * order asked; all zero where one was not told.  ERR_NOT_FOUND when a
	 * message or a folder is not there; a store whose folders are nothing
	 * but names may make one, and any the one for archived mail, "archive".
	 * ERR_UNKNOWN_OUTCOME if some may be elsewhere, or in both folders: the
	 * connection ended, or the store stopped halfway.
	 *
	 * by: NULL, or for a store that copies first.  With by->copies,
	 * ERR_NOT_FOUND if originals are left: a folder was renumbered, or
	 * their copies are not the same messages, with all their flags.
	 */
	int (*move)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, struct str to, const struct copying *by,
	    struct refs *moved, struct err *e);
	/*
	 * CAP_PLACES: takes back a move out of `to`.  Each message was in
	 * was->v[i] before: what the move took from those comes back, and it
	 * stays in `folder` if that is one of them.  Where that is empty, it
	 * is moved.  Ids stay; errors as in `move`.
	 */
	int (*move_back)(struct conn *c, struct arena *a, struct str folder,
	    const struct refs *refs, struct str to, const struct places *was,
	    struct err *e);
	/* CAP_WATCH: waits until a folder may have changed: watch.h. */
	int (*watch)(struct conn *c, struct arena *a,
	    const struct backend_watch *w, bool *changed, struct err *e);
	/*
	 * Always: tests the account step by step for doctor and adds a line for
	 * each step; goes as far as it can; -1 only if it cannot test at all.
	 */
	int (*probe)(const struct backend_account *acct, struct arena *a,
	    struct probes *out, struct err *e);
};

/* trace.c. The same backend, or with a trace (base/trace.h) one that records
 * each call in it. */
const struct backend *backend_trace_wrap(const struct backend *be);
/* Records one call: its request, its start, its result. */
void backend_trace(const struct conn *c, int64_t since_ms, int r,
    const struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The backend of that name, or NULL. */
const struct backend *backend_find(struct str name);
/* The i-th backend, or NULL after the last. */
const struct backend *backend_at(size_t i);
/* The backend that submits for an account read through `be`: itself if it can,
 * SMTP if the account has an smtp_host, otherwise NULL. */
const struct backend *backend_submitter(const struct backend *be,
    const struct backend_account *acct);
/* Are exactly the right slots NULL?  For tests/conform. */
bool backend_check(const struct backend *be);
/* The prefix of the names of an account's files in cache_dir; empty if it has
 * none.  cache.c */
struct str backend_cache_prefix(struct arena *a, const struct backend *be,
    const struct backend_account *acct);
/* Deletes all files with that prefix; ignores errors. */
void backend_cache_forget(const struct backend_account *acct,
    struct str prefix);
/* Before a connection is opened: gets credentials, if possible.  token.c */
int backend_token(const struct backend_account *acct, struct err *e);
/* "sent", "inbox"; "" for FOLDER_PLAIN.  role.c */
const char *backend_role_name(enum folder_role role);
/* Adds a line to a doctor's report.  probe.c */
void backend_probe_add(struct arena *a, struct probes *p, const char *what,
    bool ok, int64_t since_ms, struct str say);
/* Adds a line with the fault and what to do about it. */
void backend_probe_fail(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct err *why);

#endif
