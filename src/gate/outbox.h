#ifndef GATE_OUTBOX_H
#define GATE_OUTBOX_H

/*
 * The only way anything leaves.  The recipients that were judged are the ones
 * that are used; the bytes are composed here and from nothing else; row and
 * bytes are on disk before the first octet goes out; at most one delivery for
 * each idempotency key.  The order is: gather, judge, compose, check (outbox
 * checks may hold or refuse: outbox_check.c's table), write down, submit,
 * settle, copy to Sent.
 */
#include "backend/backend.h"
#include "base/env.h"
#include "base/err.h"
#include "gate/warning.h"

struct outbox;
struct store;

struct outgoing {
	const struct strs *to, *cc, *bcc; /* as the caller gave them */
	struct str subject;
	struct str body;
	const struct strs *attach; /* paths below the account's attach_dir */
	/* What they are called instead; empty, or NULL: as their files. */
	const struct strs *labels;
	bool exact;             /* the body's very bytes arrive */
	struct str in_reply_to; /* "<...>" or empty */
	struct strs references;
	/* Whom the message answered was from and to, for scope "thread":
	 * canonical; n 0 when it answers none. */
	struct strs thread;
	bool answers;           /* it answers a message, which was ... */
	bool answers_automatic; /* RFC 3834: made by a program */
	bool answers_list;      /* sent by a mailing list */
	struct str key;         /* idempotency key, or empty */
	bool as_is;             /* it is meant so, however it looks */
};

struct sent {
	int64_t id;         /* the outbox row's; 0: none was written */
	const char *state;  /* "sent", "held" ...: store/outbox.h's words */
	const char *reason; /* why it is held, or NULL */
	struct str message_id;
	const struct recipient *to;
	size_t n;
	const char *copy;  /* in Sent: "none", "saved", "failed" */
	int64_t expires_s; /* held: until when it may be released */
	bool again;        /* an earlier call with this key had done it */
};

/*
 * Has an earlier call with this key done it?  1: it is sent; 0: there is none,
 * or nothing of it left; -1: ERR_APPROVAL, ERR_UNKNOWN_OUTCOME ... as then, or
 * ERR_USAGE when it asked for something else.  Asked before anything is looked
 * at that may have changed since.  outbox_again.c
 */
int outbox_again(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e);
/*
 * Composes and submits to all recipients or to none.  0 only when it is sent;
 * ERR_APPROVAL when it is held.  On every error *out says what is known.
 */
int outbox_send(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e);
/* How a send of this agent stands; id 0: by key.  ERR_NOT_FOUND for those of
 * others too.  outbox_state.c */
int outbox_state(struct outbox *o, int64_t id, struct str key, struct sent *out,
    struct err *e);

/* -- the operator's half, which outbox_ask.c does in part: outbox_release.c  */

/*
 * Sends what is held, once: its digest is computed again and must be the one
 * shown, account and policy must be as they were, and policy must still allow
 * it.  ERR_POLICY, ERR_NOT_FOUND, and as outbox_send().
 */
int outbox_release(struct store *s, struct arena *a, int64_t id,
    struct str digest, struct sent *out, struct err *e);

/* What is held, as the operator has to see it: outbox_held.c. */
struct outbox_held_party {
	struct str address;
	const char *kind; /* "to", "cc", "bcc" */
};

struct outbox_held_file {
	struct str name, type, digest; /* SHA-256 of its bytes, hexadecimal */
	size_t bytes;
};

struct outbox_held {
	int64_t id;
	const char *state;
	struct str account, principal, reason;
	const char *carries; /* the kind of secret it seems to carry, or NULL */
	struct str digest;   /* of what is shown here: what is approved */
	/* Why it will not be released as it is ("changed"), or NULL. */
	const char *why;
	struct str sender, message_id, subject;
	uint64_t bytes;
	int64_t created_s, expires_s;
	struct outbox_held_party *to;
	size_t n;
	struct str text; /* all of it, with what nobody sees */
	struct outbox_held_file *file;
	size_t files;
	uint32_t warned[WARNINGS];
};

/* ERR_NOT_FOUND. */
int outbox_held(struct store *s, const struct env *env, struct arena *a,
    int64_t id, struct outbox_held *out, struct err *e);
/*
 * Looks for the Message-ID in the account's Sent folder: 1 when it is there, 0
 * when it is surely not, -1 when that could not be learned.  Only the first
 * says what became of the message.  outbox_look.c
 */
int outbox_look(struct store *s, struct arena *a, int64_t id, struct err *e);

/* A message as a person reads it; nothing is left out or cleaned. */
struct outbox_reading {
	struct strs head;  /* "Subject: ...", decoded */
	struct str text;   /* of the body, decoded */
	size_t unseen;     /* characters in it that nobody sees */
	struct strs files; /* "name (type, bytes)" */
};

/* outbox_read.c */
void outbox_read(struct arena *a, struct str message,
    struct outbox_reading *out);

#endif
