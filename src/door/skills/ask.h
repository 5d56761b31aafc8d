#ifndef DOOR_SKILLS_ASK_H
#define DOOR_SKILLS_ASK_H

/*
 * emcli ask: a loop of our own around any endpoint that speaks Chat
 * Completions.  It holds no rule: the tools of a step are what `skills filter`
 * shows, its calls are made by what `skills run` does, and both pass the gate.
 * ask.c is the loop, ask_model.c the endpoint, ask_stream.c what it says,
 * ask_talk.c the conversation, ask_show.c what the person sees.
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
	int64_t index; /* the endpoint's, which tells pieces apart */
	struct buf id, name, args;
};

/* One answer of the model. */
struct ask_answer {
	struct arena *a;
	struct buf text;
	struct ask_call call[LIMIT_ASK_CALLS];
	size_t calls;
	struct str finish; /* "stop", "tool_calls", "length" ...; or empty */
	bool counted;      /* the endpoint told: */
	int64_t tokens_in, tokens_out;
};

/*
 * Server-sent events (WHATWG HTML, 9.2) with a piece of the answer each, up to
 * [DONE]; or one JSON object, from endpoints that do not stream.
 */
struct ask_stream {
	struct ask_answer *out;
	struct buf line, data;
	bool begun, whole, done;
	/* Gets the text as it comes; below 0 with *e set ends all. */
	int (*show)(struct str text, void *ctx, struct err *e);
	void *ctx;
};

void ask_stream_init(struct ask_stream *s, struct ask_answer *out,
    struct arena *a);
/* Bytes as they come.  ERR_NETWORK when they are no answer, ERR_LIMIT. */
int ask_stream_take(struct ask_stream *s, struct str part, struct err *e);
/* No more will come: ERR_NETWORK when something is missing. */
int ask_stream_end(struct ask_stream *s, struct err *e);

/* -- ask_model.c ---------------------------------------------------------- */

struct ask_model {
	struct http *http;
	struct str url, name;
	struct secret *key; /* NULL: it wants none */
	int64_t timeout_ms;
	const char *max_tokens; /* what the endpoint calls it */
	const volatile sig_atomic_t *stop;
};

/* The operator's of that name, or the default: gate/model.h. */
int ask_model_open(struct ask_model *m, const struct args *args, struct gate *g,
    struct arena *a, struct err *e);
void ask_model_close(struct ask_model *m);
/* Asks for the next answer.  A busy endpoint is asked again; one that has
 * begun to answer never. */
int ask_model_next(struct ask_model *m, struct str request,
    struct ask_stream *s, struct arena *a, struct err *e);

/* -- ask_talk.c ----------------------------------------------------------- */

struct ask_talk {
	struct arena *a;
	struct str told;     /* what the model is told of itself */
	struct strs message; /* what follows; each a JSON object */
	size_t bytes;
	int fd; /* the transcript, or -1 */
};

/*
 * A file of messages, one a line, in that folder: it goes on when it is there,
 * and else is made, 0600, over nothing and through no link.  No folder: the
 * conversation is not kept.  ERR_CONFIG.
 */
int ask_talk_open(struct ask_talk *t, struct str folder, struct str file,
    struct arena *a, struct err *e);
void ask_talk_close(struct ask_talk *t);
/* Once, before anything else. */
int ask_talk_system(struct ask_talk *t, struct str text, struct err *e);
int ask_talk_user(struct ask_talk *t, struct str text, struct err *e);
/* What the model said, as it is given back to it. */
int ask_talk_answer(struct ask_talk *t, const struct ask_answer *v,
    struct err *e);
int ask_talk_result(struct ask_talk *t, const struct answer *v, struct err *e);
/* The model request for all of it, without tools; max_tokens 0: no limit. */
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
/* Does the person at the terminal want it sent?  ERR_POLICY: no. */
int ask_show_consent(const struct op *op, const struct args *args,
    struct err *e);

#endif
