/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_MAIL_TEXT_H
#define OP_MAIL_TEXT_H

/*
 * What a message of an agent's own mailbox says beside its envelope: the body
 * as it was written, who the parties are, and its files.
 */
#include "mime/message.h"

struct mail_text_file {
	struct str id, type;
	struct str kind;
	struct str locator, sha256, label; /* or empty */
	int64_t size;                      /* bytes; -1: not known */
	const struct mime_part *part;
};

struct mail_text {
	struct mime_message msg;
	struct str body;
	struct mail_text_file *file;
	size_t files;
};

void mail_text_read(struct arena *a, struct str raw, struct mail_text *out);
/* Whose address it is, as the message says; or empty. */
struct str mail_text_principal(const struct mail_text *t, struct str addr);
/* At most 240 characters, each white space a blank. */
struct str mail_text_preview(struct arena *a, struct str body);

#endif
