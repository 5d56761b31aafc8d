/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_DELIVER_H
#define BACKEND_AGENTBOX_DELIVER_H

/*
 * Delivers a message into mailboxes of a root: to all or none, and only once.
 */
#include "backend/agentbox/message.h"
#include "backend/agentbox/root.h"

/* A file to attach.  Borrowed. */
struct agentbox_file {
	struct str name;       /* the sender's name for it */
	struct str media_type; /* empty: application/octet-stream */
	struct str bytes;
};

/* The message to send.  Everything is borrowed. */
struct agentbox_send {
	/* The binding's principal, never an argument of a call. */
	struct str principal, address;
	struct str display_name, role; /* of the sender; may be empty */
	struct strs to, cc;            /* addresses of the root */
	struct strs reply_to;          /* the same; usually none */
	struct str subject;            /* UTF-8, not blank */
	struct str body;               /* UTF-8 without NUL; may be empty */
	struct str parent;             /* the id of the parent, or empty */
	const struct agentbox_header *header;
	size_t headers;
	const struct agentbox_file *file;
	size_t files;
	struct str key; /* idempotency key, or empty */
	struct str id;  /* what it is called; empty: a name of its own */
};

struct agentbox_sent {
	struct str id, thread;
	struct str created;
	size_t recipients; /* addresses, each once */
	bool again;        /* delivered before by this key; not again */
};

/*
 * Delivers to every recipient or to none.  After it returned 0 the message is
 * on disk and survives any crash.
 * ERR_USAGE, by reason: "unknown_recipient", "inactive_recipient" (the error
 * text names no address, its detail does), "sender" (not registered to that
 * principal), "subject", "body", "idempotency_conflict" (another request had
 * this key). ERR_NOT_FOUND: the parent is not in the sender's mailbox.
 * ERR_LIMIT: too many recipients or files, or too large.  ERR_DB, reason
 * "locked".
 */
int agentbox_deliver(struct agentbox_root *r, const struct agentbox_send *s,
    struct arena *a, struct agentbox_sent *out, struct err *e);

/* A message as read from disk. */
struct agentbox_loaded {
	struct agentbox_message message;
	struct str file; /* the whole file */
	/*
	 * This program delivered exactly these bytes, so the sender is
	 * authentic.  Always false without a mac.
	 */
	bool authentic;
};

/*
 * load.c: one message by its id, which must be in the index.  1, 0 if there is
 * none, -1; ERR_CONFIG with reason "damaged" if its file is missing or is not a
 * message.  The caller checks who may see it: agentbox_view_list().
 */
int agentbox_load(struct agentbox_root *r, struct str id, struct arena *a,
    struct agentbox_loaded *out, struct err *e);
/* The same when its time is known; it is not looked up in the index. */
int agentbox_load_of(struct agentbox_root *r, struct str id, struct str created,
    struct arena *a, struct agentbox_loaded *out, struct err *e);
/*
 * attach.c: the bytes of an attachment of a message.  1, 0 if they are not in
 * the root (a path of the sender's, or removed), -1.  If the content changed
 * after delivery: ERR_CONFIG, reason "damaged".
 */
int agentbox_attach_read(const struct agentbox_root *r,
    const struct agentbox_attachment *t, struct arena *a, struct str *out,
    struct err *e);

#endif
