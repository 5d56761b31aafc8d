/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_NOTIFIER_H
#define RUNTIME_NOTIFIER_H

/*
 * The notifier of a session's gateway: it tells the agent in its terminal that
 * there is unread mail, once for each set of messages.  In the folder "gateway"
 * of the session are
 *
 *   notifier.json         what it is to do; by commands and requests
 *   notifier-state.json   what it has done; by its own process alone
 *   notifier-audit.jsonl  a line for each poll; the last ones are kept
 *
 * Nothing of a message is in them, not even its id: only digests.  Functions
 * that take a session take its open folder.
 */
#include "base/err.h"
#include "runtime/manifest.h"

#define NOTIFIER_SETTINGS "notifier.json"
#define NOTIFIER_STATE "notifier-state.json"
#define NOTIFIER_AUDIT "notifier-audit.jsonl"

struct notifier_settings {
	bool enabled;
	int64_t interval_s;   /* 1 to LIMIT_NOTIFIER_S */
	int64_t renotify_s;   /* again for the same messages; 0: never */
	int64_t snooze_until; /* unix seconds; 0: no snooze */
};

struct notifier_state {
	int64_t polled_s, notified_s; /* unix seconds; 0: never */
	struct str error;             /* of the last poll, or empty */
	struct strs known; /* digests of the unread messages that it told of */
};

/* What a poll ended with. */
enum notifier_outcome {
	NOTIFIER_DISABLED,   /* it is off, or has switched itself off */
	NOTIFIER_EMPTY,      /* there is no unread mail */
	NOTIFIER_DEDUP_SKIP, /* the agent knows, or is not to be told yet */
	NOTIFIER_BUSY_SKIP,  /* the agent takes no prompt now */
	NOTIFIER_ENQUEUED,   /* it was told */
	NOTIFIER_POLL_ERROR, /* mail could not be listed */
};

/* "busy_skip" */
const char *notifier_outcome(enum notifier_outcome o);

/* -- notifier.c: the files --------------------------------------------------
 */

/*
 * 1: there are none, and *out is "off".  ERR_CONFIG: they are damaged, have an
 * unknown member, or are no file.
 */
int notifier_read(int session, struct arena *a, struct notifier_settings *out,
    struct err *e);
/* Replaces them, 0600 and synced.  ERR_CONFIG; ERR_DB, reason "locked". */
int notifier_write(int session, const struct notifier_settings *v,
    struct arena *a, struct err *e);
/* Off, if they are not; the rest stays.  The same errors. */
int notifier_off(int session, struct arena *a, struct err *e);
/* 1: there is none, and *out is empty.  ERR_CONFIG, as above. */
int notifier_state_read(int session, struct arena *a,
    struct notifier_state *out, struct err *e);
int notifier_state_write(int session, const struct notifier_state *v,
    struct arena *a, struct err *e);
/* A member: RFC 3339, or null for 0. */
void notifier_put_time(struct json *j, const char *key, struct arena *a,
    int64_t at);

/* -- notifier_decide.c: pure ------------------------------------------------
 */

struct notifier_poll {
	const struct strs *unread; /* digests, newest first */
	bool more;                 /* there are older ones */
	bool busy;                 /* the agent takes no prompt */
	int64_t now_s;
};

enum notifier_outcome notifier_decide(const struct notifier_settings *s,
    const struct notifier_state *st, const struct notifier_poll *p);
/* The state after that outcome; the error is the caller's. */
void notifier_decide_settle(struct notifier_state *st,
    const struct notifier_poll *p, enum notifier_outcome o, struct arena *a);

/* -- notifier_audit.c -------------------------------------------------------
 */

struct notifier_row {
	int64_t at_s;
	bool listed;       /* unread mail was listed */
	size_t unread;     /* how many, at most LIMIT_NOTIFIER_REFS */
	struct str digest; /* SHA-256 of their sorted ids, a line each; hex */
	enum notifier_outcome outcome;
	struct str request_id; /* of what was typed, or empty */
};

/* Adds a line, and drops the oldest when there are many.  ERR_CONFIG. */
int notifier_audit(int session, const struct notifier_row *r, struct arena *a,
    struct err *e);

/* -- notifier_status.c ------------------------------------------------------
 */

struct notifier_status {
	struct notifier_settings settings;
	bool set; /* there are settings */
	bool supported;
	struct str why; /* it is not */
	struct notifier_state state;
};

/*
 * Can the session be told of mail in its mailbox?  ERR_UNSUPPORTED, reason
 * "no_prompt_surface": it has no terminal of tmux; ERR_CONFIG, reason
 * "no_mailbox" or "not_actionable": its mailbox cannot be used; ERR_DB.
 */
int notifier_status_check(int session, const struct manifest *m,
    struct arena *a, struct err *e);
/* The second half of it: the mailbox alone. */
int notifier_status_mailbox(int session, const struct manifest *m,
    struct arena *a, struct err *e);
int notifier_status(int session, const struct manifest *m, struct arena *a,
    struct notifier_status *out, struct err *e);
/* Its members, into an open object. */
void notifier_status_put(const struct notifier_status *s, struct arena *a,
    struct json *j);

/* -- notifier_cycle.c -------------------------------------------------------
 */

/* One poll.  What is set by the caller: session, path, a. */
struct notifier_cycle {
	int session;
	struct str path; /* of the session, absolute */
	struct arena *a;
	struct manifest manifest;
	struct notifier_settings settings;
	struct notifier_state state;
	struct notifier_poll poll;
	struct notifier_row row;
};

/*
 * 0: the unread mail is to be listed now; 1: it is over.  A mailbox that cannot
 * be used any more switches the notifier off.  -1: the files are damaged or
 * cannot be written.
 */
int notifier_cycle_begin(struct notifier_cycle *c, struct err *e);
/*
 * The refs of unread messages, newest first, or why there are none; wakes the
 * agent if that is due, and writes down what came of it.  0, -1.
 */
int notifier_cycle_end(struct notifier_cycle *c, const struct strs *refs,
    bool more, const struct err *why, struct err *e);

#endif
