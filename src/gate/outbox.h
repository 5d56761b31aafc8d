/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_OUTBOX_H
#define GATE_OUTBOX_H

/*
 * The only way to send.  The recipients that were judged are the ones used; the
 * bytes are composed here and from nothing else; row and bytes are on disk
 * before the first octet is sent; at most one delivery per idempotency key.
 * The order is: gather, judge, compose, check (outbox checks may hold or
 * refuse: outbox_check.c's table), record, submit, settle, copy to Sent.
 */
#include "backend/backend.h"
#include "base/env.h"
#include "base/err.h"
#include "gate/warning.h"
#include "mime/compose.h"

struct outbox;
struct call;
struct mailbox_change;
struct store;

struct outgoing {
	const struct strs *to, *cc, *bcc; /* as the caller gave them */
	struct str subject;
	struct str body;  /* the caller's own words */
	struct str below; /* words of others below them: format=flowed */
	const struct strs *attach; /* paths below the account's attach_dir */
	/* What they are called instead; empty, or NULL: as their files. */
	const struct strs *labels;
	/* Parts of a message that is passed on, as they are. */
	const struct compose_file *part;
	size_t parts;
	bool forwards;          /* it passes on a message */
	bool exact;             /* the body's very bytes arrive */
	struct str in_reply_to; /* "<...>" or empty */
	struct strs references;
	/*
	 * From and To of the message answered, for scope "thread": canonical; n
	 * 0 if it answers none.
	 */
	struct strs thread;
	bool answers; /* it answers a message */
	/* That one, or the one that it passes on, was ... */
	bool answers_automatic; /* RFC 3834: made by a program */
	bool answers_list;      /* sent by a mailing list */
	/* From and Reply-To of the one that it passes on, canonical. */
	struct strs origin;
	bool subject_taken; /* from that one: the caller did not write it */
	struct str key;     /* idempotency key, or empty */
	bool as_is;         /* send it even if it looks unfinished */
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
	bool again;        /* an earlier call with this key is the answer */
};

/* What a check says of a message that is not sent yet. */
struct outbox_finding {
	const char *reason; /* "loop", "secret": static */
	bool refuses;       /* otherwise it holds */
	struct str say;     /* of a refusal ... */
	const char *hint;   /* ... and what to do next */
};

struct outbox_findings {
	struct outbox_finding *v;
	size_t n;
};

/* The result of a dry run. */
struct outbox_tried {
	const char *verdict;          /* "send", "hold", "refuse", "again" */
	struct outbox_findings found; /* every check, the limits last */
	struct sent sent;             /* its recipients alone */
	uint64_t bytes;
	struct str digest; /* SHA-256 of the bytes, as sha256sum(1) has it */
};

/* outbox_text.c: has the account a signature? */
bool outbox_text_signs(const struct outbox *o);
/* The text that is sent: with the signature, and with what is below. */
struct str outbox_text(const struct outbox *o, const struct outgoing *m);
/*
 * Did an earlier call with this key send it?  1: it is sent; 0: no such call,
 * or it sent nothing; -1: ERR_APPROVAL, ERR_UNKNOWN_OUTCOME ...  as before, or
 * ERR_USAGE if its request differed.  Called before anything that may have
 * changed since is read.  outbox_again.c
 */
int outbox_again(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e);
/*
 * Composes and submits to all recipients or to none.  0 only if it is sent;
 * ERR_APPROVAL if it is held.  On every error *out has what is known.
 */
int outbox_send(struct outbox *o, const struct outgoing *m, struct sent *out,
    struct err *e);
/*
 * What outbox_send() would do.  Nothing is written or sent, and no limit counts
 * it.  The errors are those of a message that cannot be composed, or may not be
 * written to its recipients.  outbox_try.c
 */
int outbox_try(struct outbox *o, const struct outgoing *m,
    struct outbox_tried *out, struct err *e);
/*
 * The state of a send of this agent; id 0: by key.  ERR_NOT_FOUND also for
 * those of others.  outbox_state.c
 */
int outbox_state(struct outbox *o, int64_t id, struct str key, struct sent *out,
    struct err *e);

/* -- the operator's half, which outbox_ask.c does in part: outbox_release.c  */

/*
 * Sends a held message, once: its digest is computed again and must be the one
 * shown, account and policy must be unchanged, and policy must still allow it.
 * ERR_POLICY, ERR_NOT_FOUND, and as outbox_send().
 */
int outbox_release(struct store *s, struct arena *a, int64_t id,
    struct str digest, struct sent *out, struct err *e);

/*
 * held_release.c.  Makes the change, once, under its agent's name; `by`, the
 * call that releases it, gets the detail of an error, notes and warnings.
 * ERR_POLICY
 * ("changed": a message is gone or hidden since, or is another; and what policy
 * says today), ERR_NOT_FOUND if it does not wait.  Then nothing was touched,
 * and it waits on.
 */
int held_release(struct call *by, struct store *s, const struct env *env,
    int64_t id, struct str digest, struct mailbox_change *out, struct err *e);

/*
 * Could the operator release that held row, by the account's policy as it is
 * now?  1, 0, -1.  outbox_release.c
 */
int outbox_release_stands(struct store *s, struct arena *a, int64_t id,
    struct err *e);

/* A held message, as the operator must see it: outbox_held.c. */
struct outbox_held_party {
	struct str address;
	const char *kind; /* "to", "cc", "bcc" */
};

struct outbox_held_file {
	struct str name, type, digest; /* SHA-256 of its bytes, hexadecimal */
	size_t bytes;
	/* Of a message: its From, Date and Subject, one a line. */
	struct strs which;
};

struct outbox_held {
	int64_t id;
	const char *state;
	struct str account, principal, reason;
	const char
	    *carries;      /* the kind of secret it seems to contain, or NULL */
	struct str digest; /* of what is shown here: the operator approves this
			      digest */
	/* Why it cannot be released as it is ("changed"), or NULL. */
	const char *why;
	struct str sender, message_id, subject;
	uint64_t bytes;
	int64_t created_s, expires_s;
	struct outbox_held_party *to;
	size_t n;
	struct str text; /* complete, with invisible characters */
	struct outbox_held_file *file;
	size_t files;
	uint32_t warned[WARNINGS];
	/* Of a change of mail, which is no message: what would be done, and the
	 * subjects of the first ten messages.  NULL: a message. */
	const struct mailbox_change *change;
	struct strs subjects;
};

/* ERR_NOT_FOUND. */
int outbox_held(struct store *s, const struct env *env, struct arena *a,
    int64_t id, struct outbox_held *out, struct err *e);
/*
 * Looks for the Message-ID in the account's Sent folder: 1 if it is there, 0 if
 * it certainly is not, -1 if that is unknown.  Only 1 proves what became of the
 * message.  outbox_look.c
 */
int outbox_look(struct store *s, struct arena *a, int64_t id, struct err *e);

/* A message as a person reads it; nothing is left out or cleaned. */
struct outbox_reading {
	struct strs head;  /* "Subject: ...", decoded */
	struct str text;   /* of the body, decoded */
	size_t unseen;     /* invisible characters in it */
	struct strs files; /* "name (type, bytes)" */
};

/* outbox_read.c */
void outbox_read(struct arena *a, struct str message,
    struct outbox_reading *out);

#endif
