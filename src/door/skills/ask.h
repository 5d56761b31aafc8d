/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SKILLS_ASK_H
#define DOOR_SKILLS_ASK_H

/*
 * emcli ask: a loop around any endpoint with Chat Completions.  It has no
 * rules: the tools of a step come from `skills filter`, `skills run` makes its
 * calls, and both pass the gate.  ask.c is the loop, ask_model.c the endpoint,
 * ask_stream.c its answers, ask_talk.c the conversation, ask_show.c the output
 * for the person.
 */
#include <signal.h>

#include "base/env.h"
#include "base/limits.h"
#include "door/skills/internal.h"

struct http;

/* -- ask.c ---------------------------------------------------------------- */

extern const struct arg_spec ask_args[];
int ask_run(struct skills_call *c, const struct env *env, struct err *e);

/* -- ask_stream.c --------------------------------------------------------- */

struct ask_call {
	bool has_index;
	int64_t index; /* the endpoint's, distinguishes pieces */
	struct buf id, name, args;
};

/* One answer of the model. */
struct ask_answer {
	struct arena *a;
	struct buf text;
	struct ask_call call[LIMIT_ASK_CALLS];
	size_t calls;
	struct str finish; /* "stop", "tool_calls", "length" ...; or empty */
	bool counted;      /* the endpoint reported: */
	int64_t tokens_in, tokens_out;
};

/*
 * Server-sent events (WHATWG HTML, 9.2), each with a piece of the answer, up to
 * [DONE]; or one JSON object, from endpoints that do not stream.
 */
struct ask_stream {
	struct ask_answer *out;
	struct buf line, data;
	bool begun, whole, done;
	/* Gets the text as it arrives; below 0 with *e set ends the request. */
	int (*show)(struct str text, void *ctx, struct err *e);
	void *ctx;
};

void ask_stream_init(struct ask_stream *s, struct ask_answer *out,
    struct arena *a);
/* Adds bytes.  ERR_NETWORK if they are malformed, ERR_LIMIT. */
int ask_stream_take(struct ask_stream *s, struct str part, struct err *e);
/* At the end: ERR_NETWORK if something is missing. */
int ask_stream_end(struct ask_stream *s, struct err *e);

/* -- ask_model.c ---------------------------------------------------------- */

struct ask_model {
	struct http *http;
	struct str url, name;
	struct secret *key; /* NULL: none needed */
	int64_t timeout_ms;
	const char *max_tokens; /* the endpoint's name for it */
	const volatile sig_atomic_t *stop;
};

/* The operator's model with that name, or the default: gate/model.h. */
int ask_model_open(struct ask_model *m, const struct args *args, struct gate *g,
    struct arena *a, struct err *e);
void ask_model_close(struct ask_model *m);
/*
 * Requests the next answer.  Retries a busy endpoint, but never one that has
 * begun to answer.
 */
int ask_model_next(struct ask_model *m, struct str request,
    struct ask_stream *s, struct arena *a, struct err *e);

/* -- ask_talk.c ----------------------------------------------------------- */

struct ask_talk {
	struct arena *a;
	struct str told;     /* the system prompt */
	struct strs message; /* the other messages; each a JSON object */
	size_t bytes;
	int fd; /* the transcript, or -1 */
};

/*
 * A file of messages, one per line, in that folder: continues an existing one,
 * otherwise creates it, 0600, not over a file nor through a link.  Without a
 * folder the conversation is not kept.  ERR_CONFIG.
 */
int ask_talk_open(struct ask_talk *t, struct str folder, struct str file,
    struct arena *a, struct err *e);
void ask_talk_close(struct ask_talk *t);
/* Call it once, first. */
int ask_talk_system(struct ask_talk *t, struct str text, struct err *e);
int ask_talk_user(struct ask_talk *t, struct str text, struct err *e);
/* The model's answer, in the form that is returned to it. */
int ask_talk_answer(struct ask_talk *t, const struct ask_answer *v,
    struct err *e);
int ask_talk_result(struct ask_talk *t, const struct answer *v, struct err *e);
/* The complete model request without tools; max_tokens 0: no limit. */
struct str ask_talk_request(const struct ask_talk *t, const struct ask_model *m,
    uint32_t max_tokens, struct arena *a);

/* -- ask_show.c ----------------------------------------------------------- */

struct ask_sum {
	uint32_t steps, calls;
	bool counted; /* by every answer */
	int64_t tokens_in, tokens_out;
};

void ask_show_call(const struct turn_call *call);
void ask_show_reply(const struct turn_call *call, const struct reply *r);
void ask_show_sum(const struct ask_sum *s);
/* Does the person at the terminal agree?  ERR_POLICY: no. */
int ask_show_consent(const struct gate_act *act, struct err *e);
/* The same, with agreement to every send. */
int ask_show_consent_change(const struct gate_act *act, struct err *e);

#endif
