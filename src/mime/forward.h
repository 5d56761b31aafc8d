/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_FORWARD_H
#define MIME_FORWARD_H

/* A message that is passed on within the text of another: format=flowed. */
#include "mime/message.h"

struct compose_file;

struct forward {
	const struct mime_envelope *env; /* of the message */
	struct str text;                 /* of it, UTF-8, LF */
	bool cut;                        /* there is more of it */
};

/*
 * Its From, Date, Subject, To and Cc, and its text, between two lines that say
 * where it begins and ends.
 */
struct str forward_block(struct arena *a, const struct forward *f);
/*
 * The parts of a message that its reading lists as attachments, each with its
 * very bytes.
 */
struct compose_file *forward_files(struct arena *a,
    const struct mime_reading *r);
/*
 * "From: ...", "Date: ..." and "Subject: ..." of a message, decoded and not
 * cleaned: they tell a person which one it is.
 */
struct strs forward_which(struct arena *a, struct str raw);
/* The whole message as one file. */
struct compose_file *forward_whole(struct arena *a, struct str raw);

#endif
