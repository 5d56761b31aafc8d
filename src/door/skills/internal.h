/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SKILLS_INTERNAL_H
#define DOOR_SKILLS_INTERNAL_H

/* Shared by the door's files. */
#include "base/buf.h"
#include "base/json.h"
#include "door/selector.h"
#include "door/skills/skills.h"
#include "gate/turn.h"
#include "op/op.h"

/* The options of both commands. */
#define SKILLS_ARGS                                                            \
	{ "format", ARG_CHOICE, ARG_REQUIRED,                                  \
		"format of the request: Chat Completions, Responses or "       \
		"Messages",                                                    \
		.choices = "openai|responses|anthropic", .def = NULL },        \
	    { "profile", ARG_CHOICE, 0,                                        \
		    "names, arguments and results of the tools: emcli's own, " \
		    "or those of the platform Nova",                           \
		    .choices = "emcli|nova", .def = "emcli" },                 \
	    { "conversation", ARG_TEXT, 0,                                     \
		    "a name for the conversation that loaded skills belong "   \
		    "to; needed if the harness cuts results out of the "       \
		    "transcript",                                              \
		    .def = NULL },                                             \
	    { "turn", ARG_TEXT, 0,                                             \
		    "a name for the user's turn, if the request does not "     \
		    "show where it begins; needs --conversation",              \
		    .def = NULL },                                             \
	    { "synthetic_prefix", ARG_TEXT, ARG_MANY,                          \
		    "user messages with this prefix were written by the "      \
		    "harness and do not begin a turn",                         \
		    .def = NULL },                                             \
	    { "synthetic_name", ARG_TEXT, ARG_MANY,                            \
		    "the same for user messages with this name",               \
		    .def = NULL },                                             \
	    SELECTOR_ARGS

/* Observes the calls, for `ask`, which has no other tools. */
struct skills_watch {
	void *ctx;
	void (*begin)(void *ctx, const struct turn_call *call);
	/* -1 with *e: the call is not made. */
	int (*allow)(void *ctx, struct err *e);
	void (*end)(void *ctx, const struct turn_call *call,
	    const struct reply *r);
};

/* One request being processed. */
struct skills_call {
	struct arena *arena;
	const struct args *args;
	struct gate *gate;
	enum turn_format format;
	bool nova;          /* nova.h */
	struct str text;    /* the request as received */
	struct str request; /* the same, trimmed */
	struct str theirs;  /* its "tools", an array, or empty */
	struct gate_turn turn;
	struct selector boxes;
	const struct skills_watch *watch; /* or NULL */
	/* gate_caller.consent */
	int (*consent)(const struct gate_act *act, struct err *e);
	struct buf out;
};

/* -- skills.c ------------------------------------------------------------- */

/* Examines the request `text`: its own tools, and its turn. */
int skills_look(struct skills_call *c, const struct turn_opts *o,
    struct str conversation, struct err *e);
/* The mailboxes, by the options. */
int skills_boxes(struct skills_call *c, struct err *e);

/* -- tools.c -------------------------------------------------------------- */

/* An operation as a tool of that format, and its name. */
struct tool {
	const struct op *op;
	struct str name, text;
	bool visible; /* in this turn */
};

struct tools {
	struct tool *v;
	size_t n;
};

/* Our tools, in display order; with `all` also the hidden ones. */
int tools_make(struct skills_call *c, bool all, struct tools *out,
    struct err *e);
/* The tool in that format, under that name. */
struct str tools_text(struct skills_call *c, const struct op *op,
    struct str name);
/* The name of a tool of the request, as its format has it; or "". */
struct str tools_name(struct skills_call *c, struct str tool);

/* -- known.c -------------------------------------------------------------- */

/* The operation of one of the request's tools, if it is ours; or NULL. */
const struct op *known_op(struct skills_call *c, struct str tool);
/* Are both the same, in the parts that emcli defines? */
bool known_same(struct skills_call *c, struct str tool, struct str other);

/* -- splice.c ------------------------------------------------------------- */

/* One edit of a text: replaces n bytes from `at` by `with`. */
struct splice {
	size_t at, n;
	struct str with;
};

/*
 * Replaces each element of an array by its text in `with`, or removes it if
 * that is empty; appends `items`, which may be empty.
 */
struct splice splice_list(struct str text, struct str array,
    const struct str *with, struct str items, struct arena *a);
/* Adds a last member to the top-level object: `member` is "key":value. */
struct splice splice_member(struct str text, struct str member,
    struct arena *a);
/* Applies the edits, which may be in any order but do not overlap. */
void splice_apply(struct buf *b, struct str text, struct splice *v, size_t n);

/* -- arguments.c ---------------------------------------------------------- */

/*
 * A model's arguments to texts by name; `mailbox` names the account.  ERR_USAGE
 * with what to correct, in full in *say.
 */
int arguments_read(struct skills_call *c, const struct op *op,
    const struct turn_call *call, struct args *out, struct str *say,
    struct err *e);

/* -- answer.c ------------------------------------------------------------- */

struct answer {
	const struct turn_call *call;
	struct str text;
	bool failed;
};

/* The messages to add to the request, as an array. */
void answer_put(struct json *j, enum turn_format f, const struct answer *v,
    size_t n);
/* One of them, in a format where each is a message. */
void answer_put_one(struct json *j, enum turn_format f, const struct answer *v);
/*
 * A reply as the text of a result; mail in it is fenced.  op NULL: the call was
 * for none of our tools.
 */
int answer_text(struct skills_call *c, const struct op *op,
    const struct reply *r, struct str *text, struct err *e);

/* -- filter_tools.c, filter_choice.c --------------------------------------- */

/*
 * A tool of the request: its text, its name there, and its operation if it is
 * ours.
 */
struct filter_tool {
	struct str text, name;
	const struct op *op;
};

struct filter_tools {
	struct filter_tool *v;
	size_t n;
};

void filter_tools_read(struct skills_call *c, struct filter_tools *out);
/*
 * Puts this turn's tools into the request, each under its name: false if they
 * are already there, and no other of ours is.
 */
bool filter_tools_put(struct skills_call *c, const struct filter_tools *there,
    struct tools *ours, struct splice *out);
/*
 * Sets which tools are allowed, if emcli may: `choose` allows it where the
 * request does not set any.
 */
bool filter_choice_put(struct skills_call *c, const struct filter_tools *there,
    const struct tools *ours, bool choose, struct splice *out);

/* -- filter.c, run.c ------------------------------------------------------ */

extern const struct arg_spec filter_args[], run_args[];
int filter_run(struct skills_call *c, struct err *e);
/* The same, with or without --choice allowed. */
int filter_request(struct skills_call *c, bool choose, struct err *e);
int run_run(struct skills_call *c, struct err *e);
/* Makes the waiting calls: the answers, in the calls' order. */
int run_calls(struct skills_call *c, struct answer **out, size_t *n,
    struct err *e);

#endif
