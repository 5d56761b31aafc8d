/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PROMPT_TEXT_H
#define RUNTIME_PROMPT_TEXT_H

/* The text that is typed for a request. */
#include "runtime/home.h"
#include "runtime/prompt.h"

/* What goes into it. */
struct prompt_text {
	const struct home_host *host;
	bool installed; /* the skills are in the home */
	const struct binding *mailbox;
	struct str operation, request_id;
	struct str args;             /* as the caller gave them */
	const struct json *resolved; /* more of them, or NULL */
};

/* A new id: "mailreq-20260408T101112Z-0a1b2c3d4e". */
struct str prompt_text_id(struct arena *a);
/* The line that ends the text, and is nowhere else. */
struct str prompt_text_last(struct arena *a, struct str request_id);
/*
 * The whole text, in lines.  ERR_USAGE, reason "control_characters": an
 * argument has some; ERR_LIMIT.
 */
int prompt_text_make(const struct prompt_text *t, struct arena *a,
    struct str *out, struct err *e);

/*
 * The text that says there is unread mail, in lines: nothing of a message is in
 * it.  The skill's round is told where it is not installed.
 */
struct str prompt_text_wake(const struct home_host *host, bool installed,
    struct str base_url, struct arena *a);

#endif
