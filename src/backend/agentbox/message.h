/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_MESSAGE_H
#define BACKEND_AGENTBOX_MESSAGE_H

/*
 * One message as its file has it: Markdown with a YAML head.  A file is never
 * changed after delivery.
 */
#include "base/err.h"
#include "base/str.h"

struct agentbox_party {
	struct str principal, address;
	struct str display_name, manifest_hint, role; /* empty: null */
};

struct agentbox_parties {
	struct agentbox_party *v;
	size_t n;
};

struct agentbox_attachment {
	struct str id; /* "att-<12 hex>" */
	bool managed;  /* a copy in the root; else a path from the sender */
	/* Managed: below the root, as we write it; else absolute. */
	struct str path;
	struct str media_type;
	struct str sha256; /* 64 hex, or empty */
	int64_t size;      /* bytes, or -1 */
	struct str label;  /* or empty */
};

/* A member of `headers`. */
struct agentbox_header {
	struct str name, value;
};

struct agentbox_message {
	struct str id, thread, in_reply_to; /* in_reply_to may be empty */
	struct strs references;
	struct str created; /* "2026-04-08T10:11:12Z" */
	struct agentbox_party from;
	struct agentbox_parties to, cc, reply_to;
	struct str subject;
	struct agentbox_attachment *attachment;
	size_t attachments;
	struct agentbox_header *header;
	size_t headers;
	struct str body; /* as it was written, byte for byte */
};

/*
 * front.c: reads a file of that protocol, 1 or 3; the message's strings live in
 * the arena, its body in `file`.  ERR_LIMIT; ERR_CONFIG with reason "damaged"
 * if it is not a message.
 */
int agentbox_front_read(struct arena *a, struct str file, unsigned protocol,
    struct agentbox_message *out, struct err *e);
/*
 * front_write.c: the file of a message, of protocol 1.  Refuses a message that
 * could not be read again: ERR_USAGE, ERR_LIMIT.
 */
int agentbox_front_write(struct arena *a, const struct agentbox_message *m,
    struct str *out, struct err *e);
/*
 * front_mail.c: the same as RFC 5322, for mail readers: CRLF, the body in
 * base64, so that its bytes are exact, and of `headers` those that begin with
 * "x-houmao-".  files[i] is the content of attachment i; p NULL: only its name
 * is written.  files may be NULL.
 */
int agentbox_front_mail(struct arena *a, const struct agentbox_message *x,
    const struct str *files, struct str *out, struct err *e);
/* "<msg-...@houmao.localhost>", as Message-ID and References have it. */
struct str agentbox_front_mail_id(struct arena *a, struct str id);

#endif
