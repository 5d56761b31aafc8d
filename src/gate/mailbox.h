/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_MAILBOX_H
#define GATE_MAILBOX_H

/*
 * Mail as one agent may see it.  Every message passes the inbound policy before
 * an operation learns that it exists; a hidden message answers exactly like one
 * that does not exist.  A page is short only if no more messages remain, so
 * hidden mail cannot be counted.
 */
#include "backend/backend.h"
#include "base/err.h"
#include "mime/message.h"
#include "policy/policy.h"

struct gate_binding;
struct mailbox;

/* One visible message. */
struct mail {
	uint32_t uid;
	struct mime_envelope env;
	uint64_t size;
	bool has_attachments;
	bool ambiguous, forgeable; /* struct row */
	enum sender_auth auth;
	/* "authserv", "dkim", "mailbox", or NULL: not checked */
	const char *auth_by;
	int64_t received_s; /* 0: not known */
	unsigned flags;     /* enum backend_flag, where the store has them */
	struct strs labels; /* with CAP_LABEL */
	/* Where the store has no uids but ids of its own; or empty. */
	struct str id, thread;
	struct str folder;  /* of one that was picked */
	struct strs places; /* with CAP_PLACES */
	bool ours;          /* this account has sent it, and it was asked for */
};

/* The result for the seen-set after the server renumbered the folder. */
struct mailbox_rematch {
	bool any;
	size_t found; /* acked, visible, and recognized */
	size_t lost;  /* acked, not recognized */
};

struct mails {
	struct mail *v;
	size_t n;
	uint32_t next_before;    /* `before` for the next page; 0: no more */
	uint32_t uidvalidity;    /* of the folder; 0: not asked */
	size_t kept;             /* their bytes */
	int64_t claimed_until_s; /* with claim_s: unix seconds, or later */
	struct mailbox_rematch rematch;
};

/* The criteria of list and search; zero members match everything. */
struct mailbox_query {
	struct str folder;
	bool only_new;          /* above the floor and not acked */
	uint32_t before, since; /* uids: below, above (RFC 9051 UID) */
	struct str from, to, subject, text;
	struct str message_id;     /* exactly this one, with angle brackets */
	int64_t since_s, before_s; /* days, from the Date field */
	size_t limit;              /* 1 to LIMIT_PAGE */
	/*
	 * With only_new: claims the returned messages for so many seconds (1 to
	 * LIMIT_CLAIM_S), and leaves out those that others claimed; 0: neither.
	 */
	uint32_t claim_s;
	/* Flags it has, and flags it has not: enum backend_flag, or-ed. */
	unsigned with, without;
	bool has_attachments; /* only those that have some */
	int64_t received_s;   /* received then or later; 0: any */
	struct str list;      /* part of the List-Id, ignoring case */
	bool ids_only;        /* no word of them is shown: it taints nobody */
	/* It is no first contact, and no folder is compared with what is known
	 * of it. */
	bool aside;
	struct query_nexts next; /* a hint, as in struct query */
};

/*
 * The newest visible matches, newest first.  Changes no state, except the floor
 * at first contact and claims with claim_s.
 */
int mailbox_find(struct mailbox *m, const struct mailbox_query *q,
    struct mails *out, struct err *e);
/*
 * One message's header.  ERR_NOT_FOUND for hidden and missing messages alike.
 */
int mailbox_head(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct err *e);
/* The same with its raw bytes, at most LIMIT_MESSAGE. */
int mailbox_get(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct str *raw, struct err *e);
/* All or nothing: one hidden or missing uid fails the whole with
 * ERR_NOT_FOUND. */
int mailbox_ack(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct err *e);

/*
 * Messages of a folder by uid, each judged: all of them, or ERR_NOT_FOUND as
 * with mailbox_ack().
 */
struct mailbox_set {
	struct str folder; /* empty: each message names its own */
	uint32_t uidvalidity;
	struct refs refs;
	struct mails mails; /* in the same order */
};
int mailbox_choose(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct mailbox_set *out, struct err *e);
/* Before their words are shown: the agent has read them. */
int mailbox_choose_shown(struct mailbox *m, const struct mails *some,
    struct err *e);

/*
 * Messages by the ids of a store that has its own (CAP_THREADS, CAP_MARK);
 * ERR_UNSUPPORTED elsewhere.
 */
struct mailbox_pick {
	struct str folder;    /* empty: wherever they are */
	const struct str *id; /* none twice */
	size_t n;             /* 1 to LIMIT_PAGE */
};

/* mailbox_pick.c.  All of them in their order, or ERR_NOT_FOUND. */
int mailbox_pick(struct mailbox *m, const struct mailbox_pick *p,
    struct mails *out, struct err *e);
/* One that this account sent, by its Message-ID. */
int mailbox_pick_sent(struct mailbox *m, struct str message_id,
    struct mails *out, struct err *e);
/* The bytes of one that was picked, at most LIMIT_MESSAGE. */
int mailbox_pick_get(struct mailbox *m, const struct mail *head,
    struct str *raw, struct err *e);

/*
 * mailbox_organise.c.  Changes all of them or none; *out is how they are
 * afterwards.  ERR_POLICY, ERR_NOT_FOUND, ERR_UNSUPPORTED.
 */
int mailbox_organise_mark(struct mailbox *m, const struct mailbox_pick *p,
    const struct flag_change *change, struct mails *out, struct err *e);
int mailbox_organise_move(struct mailbox *m, const struct mailbox_pick *p,
    struct str to, struct mails *out, struct err *e);
/* A change, as the journal has it.  Those by uid may answer ERR_APPROVAL: then
 * the operator is asked first, and the call's detail says of what. */
struct mailbox_changed {
	uint32_t uid, new_uid; /* new_uid: of one that was moved; 0: unknown */
	bool done;
};
struct mailbox_change {
	int64_t id, created_s;
	const char *state; /* "done", "partly": store/journal.h */
	bool move;
	struct str folder, target;
	unsigned set, clear; /* enum backend_flag, or-ed */
	struct strs add, drop;
	size_t copied;                  /* not moved, and in the target too */
	size_t n, done, undone;         /* messages */
	int64_t undoes;                 /* the change that it took back; or 0 */
	struct mailbox_changed *result; /* of each; NULL in a list */
};
/* The same of messages chosen by uid; `done` may be less than n if the server
 * has not done it all. */
int mailbox_organise_mark_set(struct mailbox *m, const struct mailbox_set *set,
    const struct flag_change *change, struct mailbox_change *out,
    struct err *e);
int mailbox_organise_move_set(struct mailbox *m, const struct mailbox_set *set,
    struct str to, struct mailbox_change *out, struct err *e);
/* May and can it be done there?  change NULL: a move into `to`. */
int mailbox_organise_check(const struct mailbox *m, struct str folder,
    struct str to, const struct flag_change *change, struct err *e);
struct call;
/*
 * consent.c.  Asks the person whom the caller asks, before more than
 * LIMIT_ORGANISE_UNASKED messages are changed.  ERR_POLICY.
 */
int gate_consent_change(struct call *c, const struct mails *l, struct err *e);
/* changes.c.  This agent's own changes in the account, newest first, below the
 * id `before`, unless it is 0. */
int changes_own(struct mailbox *m, int64_t before, size_t limit,
    struct mailbox_change **out, size_t *n, struct err *e);
/* One that waits for the operator, or did. */
struct mailbox_waiting {
	int64_t id, change; /* change: what it became; 0: nothing yet */
	const char *state;
	struct str what;   /* changes_text() */
	int64_t expires_s; /* while it waits; 0 */
};
int changes_held(struct mailbox *m, size_t limit, struct mailbox_waiting **out,
    size_t *n, struct err *e);
/* changes_text.c: 'move 3 messages from "INBOX" to "Old"', */
struct str changes_text(struct arena *a, const struct mailbox_change *v);
/* and flags and labels: 'read, label "todo"'. */
struct str changes_text_marks(struct arena *a, unsigned flags,
    const struct strs *labels);
/* The words of flags: "read". */
struct strs changes_text_flags(struct arena *a, unsigned flags);
/* The flags that the store keeps: enum backend_flag, or-ed. */
unsigned mailbox_organise_flags(const struct mailbox *m);
/* Does it keep labels? */
bool mailbox_organise_labels(const struct mailbox *m);
/* Would policy let this agent change them? */
bool mailbox_organise_may(const struct mailbox *m);
/*
 * mailbox_bound.c.  Is it an agent's own mailbox, and that of this binding? The
 * files that a binding is read from are the agent's: one that names a person's
 * account would open it to operations that need no grant.
 */
bool mailbox_bound(const struct mailbox *m, const struct gate_binding *b);

/*
 * mailbox_watch.c.  Waits until something in a folder may have changed, at most
 * wait_ms.  What changed may be hidden: no agent is to be told of it before a
 * look has found something.  ERR_UNSUPPORTED: the account tells of no changes.
 */
int mailbox_watch(struct mailbox *m, struct str folder, int64_t wait_ms,
    bool *changed, struct err *e);

int mailbox_folders(struct mailbox *m, struct folders *out, struct err *e);
/* "sent", "inbox"; "" for a folder without a role. */
const char *mailbox_role(enum folder_role role);

#endif
