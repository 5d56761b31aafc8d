#ifndef DOOR_SKILLS_INTERNAL_H
#define DOOR_SKILLS_INTERNAL_H

/* What the door's files share. */
#include "base/buf.h"
#include "base/json.h"
#include "door/selector.h"
#include "door/skills/skills.h"
#include "gate/turn.h"
#include "op/op.h"

/* What both commands take. */
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

/* A loop of our own looks at the calls; one that has no other tools. */
struct skills_watch {
	void *ctx;
	void (*begin)(void *ctx, const struct turn_call *call);
	/* -1 with *e, and it is not made. */
	int (*allow)(void *ctx, struct err *e);
	void (*end)(void *ctx, const struct turn_call *call,
	    const struct reply *r);
};

/* One request on its way through. */
struct skills_call {
	struct arena *arena;
	const struct args *args;
	struct gate *gate;
	enum turn_format format;
	bool nova;          /* nova.h */
	struct str text;    /* the request as it came */
	struct str request; /* the same without space around it */
	struct str theirs;  /* its "tools", an array, or empty */
	struct gate_turn turn;
	struct selector boxes;
	const struct skills_watch *watch; /* or NULL */
	/* gate_caller.consent */
	int (*consent)(const struct op *op, const struct args *args,
	    struct err *e);
	struct buf out;
};

/* -- skills.c ------------------------------------------------------------- */

/* Looks at the request `text`: its own tools, and the turn it is in. */
int skills_look(struct skills_call *c, const struct turn_opts *o,
    struct str conversation, struct err *e);
/* The mailboxes, as the options say. */
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

/* Ours, in the order they are shown; with `all` the hidden ones too. */
int tools_make(struct skills_call *c, bool all, struct tools *out,
    struct err *e);
/* The tool as the format has it, under that name. */
struct str tools_text(struct skills_call *c, const struct op *op,
    struct str name);
/* The name of a tool of the request, as its format has it; or "". */
struct str tools_name(struct skills_call *c, struct str tool);

/* -- known.c -------------------------------------------------------------- */

/* The operation a tool of the request stands for, when it is ours; or NULL. */
const struct op *known_op(struct skills_call *c, struct str tool);
/* Do both say the same, as far as it is ours to say? */
bool known_same(struct skills_call *c, struct str tool, struct str other);

/* -- splice.c ------------------------------------------------------------- */

/* One change of a text: n bytes from `at` on give way to `with`. */
struct splice {
	size_t at, n;
	struct str with;
};

/* Each element of an array gives way to its text in `with`, an empty one to
 * nothing; `items`, which may be empty, come behind the last. */
struct splice splice_list(struct str text, struct str array,
    const struct str *with, struct str items, struct arena *a);
/* A new last member of the object at the top: `member` is "key":value. */
struct splice splice_member(struct str text, struct str member,
    struct arena *a);
/* Applies them, which are in no order and do not overlap. */
void splice_apply(struct buf *b, struct str text, struct splice *v, size_t n);

/* -- arguments.c ---------------------------------------------------------- */

/*
 * A model's arguments to texts by name; `mailbox` names the account.  ERR_USAGE
 * with what to mend, in full in *say.
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
/* A reply as the text of a result; mail in it is fenced.  op NULL: it was none
 * of ours. */
int answer_text(struct skills_call *c, const struct op *op,
    const struct reply *r, struct str *text, struct err *e);

/* -- filter_tools.c, filter_choice.c --------------------------------------- */

/* A request's tool: its text, its name there, and what it stands for when it is
 * ours. */
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
 * Puts those of this turn into the request, each under the name it then has:
 * false when they are there already, and nothing else of ours is.
 */
bool filter_tools_put(struct skills_call *c, const struct filter_tools *there,
    struct tools *ours, struct splice *out);
/* Says which are allowed, where it is ours to say; `choose`: where none is said
 * so far. */
bool filter_choice_put(struct skills_call *c, const struct filter_tools *there,
    const struct tools *ours, bool choose, struct splice *out);

/* -- filter.c, run.c ------------------------------------------------------ */

extern const struct arg_spec filter_args[], run_args[];
int filter_run(struct skills_call *c, struct err *e);
/* The same, with --choice allowed or without. */
int filter_request(struct skills_call *c, bool choose, struct err *e);
int run_run(struct skills_call *c, struct err *e);
/* Makes the calls that wait: the answers, in the calls' order. */
int run_calls(struct skills_call *c, struct answer **out, size_t *n,
    struct err *e);

#endif
