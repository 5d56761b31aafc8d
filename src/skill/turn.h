#ifndef SKILL_TURN_H
#define SKILL_TURN_H

/*
 * What a transcript says of the turn it is in: where the user last spoke,
 * which loads of a skill were answered since, and which calls still wait.
 * Pure: no I/O, no clock, the same answer for the same text.
 *
 * A turn is what follows the last message of a person.  It decides what is
 * shown and never what runs: that is the grant's, in the gate.  What is in
 * doubt is not active.
 */
#include "skill/span.h"

enum turn_format {
	TURN_OPENAI,    /* Chat Completions */
	TURN_RESPONSES, /* OpenAI Responses */
	TURN_ANTHROPIC, /* Messages */
	TURN_FORMATS
};

/* By name: "openai", "responses", "anthropic"; false when there is none. */
bool turn_format_find(struct str name, enum turn_format *out);

/*
 * Messages with the user's role that no person wrote.  One whose every text
 * begins with one of the prefixes, or that bears one of the names, begins no
 * turn.
 */
struct turn_opts {
	struct strs prefixes, names;
	struct str id; /* the harness's own name of the turn; empty: none */
};

/* Where the turn is known from, or why it is not. */
enum turn_why {
	TURN_NO_USER, /* "no_user": nobody spoke */
	TURN_DELTA,   /* "delta": the rest is with the provider, and the user's
		       * message with it */
	TURN_FOUND,   /* "user": a person's message */
	TURN_NAMED,   /* "named": turn_opts.id */
};

/* A tool called since the turn began. */
struct turn_call {
	struct str id, name;
	struct str args; /* the arguments as JSON; may be empty */
	size_t at;       /* in the order of the transcript */
	bool answered;   /* a result is after it */
	bool twice;      /* another unanswered one has the same id */
};

/* A load as the transcript claims it; only its mark makes it one. */
struct turn_load {
	struct str skill, call, mark;
	size_t at;
};

struct turn {
	enum turn_why why;
	size_t boundary; /* the item's index; TURN_FOUND */
	/* What a turn token is made over: bytes that are equal for requests of
	 * the same turn.  Empty when the turn is not known. */
	struct str input;
	struct turn_load *load; /* in order; a later unload takes them out */
	size_t loads;
	/* The unanswered calls of the last step, in order. */
	struct turn_call *call;
	size_t calls;
};

/* Is it that tool, under its own name or as `NAME__dup2`? */
bool turn_is_tool(struct str name, const char *tool);
/* A tool's name without "__dup" and the number after it. */
struct str turn_tool(struct str name);

/*
 * Reads a model request that span_check() took.  What comes back borrows from
 * it.  ERR_USAGE when it has no messages, or none of that format.
 */
int turn_read(struct arena *a, struct str request, enum turn_format format,
    const struct turn_opts *o, struct turn *out, struct err *e);

#endif
