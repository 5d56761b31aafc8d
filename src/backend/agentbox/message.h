#ifndef BACKEND_AGENTBOX_MESSAGE_H
#define BACKEND_AGENTBOX_MESSAGE_H

/*
 * One message as its file tells it: Markdown with a YAML head.  A file is
 * never changed once it is delivered.
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
	bool managed;  /* a copy in the root; else a path of the sender's */
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

#endif
