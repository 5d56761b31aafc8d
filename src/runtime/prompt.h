/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PROMPT_H
#define RUNTIME_PROMPT_H

/*
 * A prompt turn: a mail operation is typed into the terminal of a session, and
 * the agent there is asked to do it.  This is the last way, for callers that
 * reach neither a gateway nor a mailbox.  Nothing that comes of it is mailbox
 * truth: text was typed, and the agent may have written a result below it.
 * Only sessions in tmux have such a terminal.
 */
#include "runtime/manifest.h"

#define SENTINEL_BEGIN "HOUMAO_MAIL_RESULT_BEGIN"
#define SENTINEL_END "HOUMAO_MAIL_RESULT_END"

enum prompt_status {
	PROMPT_SUBMITTED, /* typed; nothing is known of what came of it */
	PROMPT_REJECTED,  /* the agent says that it did not do it */
	PROMPT_BUSY,      /* nothing was typed: the agent works, or a person */
	PROMPT_INTERRUPTED, /* the program ended, or its terminal went away */
	PROMPT_TUI_ERROR,   /* the terminal could not be used */
};

struct prompt_ask {
	int folder;                /* of the session, open */
	struct str manifest_path;  /* absolute */
	const struct manifest *of; /* as it was read from there */
	struct str operation;      /* "send", "reply", "mark-read" */
	struct str args;           /* its arguments, a JSON object */
	/* How long to wait for the terminal to be ready, and then for the
	 * turn to end; milliseconds.  0: neither is waited for. */
	int timeout_ms;
};

struct prompt_outcome {
	enum prompt_status status;
	struct str request_id;   /* "mailreq-20260408T101112Z-0a1b2c3d4e" */
	struct str submitted_at; /* RFC 3339; empty: nothing was typed */
	struct str detail;       /* a sentence for a person, or empty */
	/* What the agent wrote between the sentinels, a JSON object as text;
	 * empty: nothing that is valid.  It is never truth. */
	struct str preview;
	bool turn_ended; /* the agent was seen to be ready again */
};

/*
 * Types the request, and waits for what comes of it.  All that happens to the
 * terminal is an outcome.  Errors, before anything is typed:
 * ERR_UNSUPPORTED, reason "no_prompt_surface": the session is not in tmux, or
 * its program does not run; ERR_CONFIG, reason "not_actionable": it has no
 * mailbox that can be used; ERR_REJECTED, reason "unknown_recipient": an
 * address is not registered in the mailbox root; ERR_USAGE, reason
 * "control_characters": the arguments have some; ERR_LIMIT: they are too long.
 * prompt.c
 */
int prompt_turn(const struct prompt_ask *q, struct arena *a,
    struct prompt_outcome *out, struct err *e);
/* A session that is to be told of mail. */
struct prompt_wake {
	int folder;                /* of the session, open */
	struct str manifest_path;  /* absolute */
	const struct manifest *of; /* as it was read from there */
	struct str base_url;       /* of its gateway */
};

/*
 * Types that there is mail, a fixed text, when the agent waits for a prompt, no
 * person types in its terminal and no other prompt is being typed; and waits
 * for nothing after that.  Something was typed if the outcome has a
 * submitted_at.  ERR_UNSUPPORTED, reason "no_prompt_surface".  prompt_wake.c
 */
int prompt_wake(const struct prompt_wake *w, struct arena *a,
    struct prompt_outcome *out, struct err *e);
/*
 * The members of the envelope that is not authoritative, into an open object.
 * prompt_put.c
 */
void prompt_put(const struct prompt_outcome *o, const struct prompt_ask *q,
    struct json *out);

/* -- sentinel.c: pure ------------------------------------------------------ */

/* What a result must say. */
struct sentinel_want {
	struct str request_id, operation;
	struct str transport, principal_id; /* only if it says them */
};

struct sentinel_result {
	bool ok;         /* what it says itself */
	struct str text; /* its object, with sorted members */
};

/*
 * Reads the result in the first of the surfaces that has a valid one; equal
 * surfaces are read once.  The error is that of the last: ERR_NOT_FOUND: it has
 * no sentinel; ERR_USAGE: two blocks, half a block, no JSON object, or another
 * request's; ERR_LIMIT.
 */
int sentinel_read(const struct strs *surfaces, const struct sentinel_want *w,
    struct arena *a, struct sentinel_result *out, struct err *e);

#endif
