/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_TURN_H
#define SKILL_TURN_H

/*
 * What a transcript says about its turn: where the user last spoke, which loads
 * of a skill were answered since, and which calls still wait.  Pure: no I/O, no
 * clock, the same answer for the same text.
 *
 * A turn is everything after a person's last message.  It decides what is shown
 * but not what may run; the grant in the gate decides that.  In doubt, a skill
 * is not active.
 */
#include "skill/span.h"

enum turn_format {
	TURN_OPENAI,    /* Chat Completions */
	TURN_RESPONSES, /* OpenAI Responses */
	TURN_ANTHROPIC, /* Messages */
	TURN_FORMATS
};

/* By name: "openai", "responses", "anthropic"; false if there is none. */
bool turn_format_find(struct str name, enum turn_format *out);

/*
 * Messages with the user's role that no person wrote.  A message whose every
 * text begins with one of the prefixes, or that has one of the names, begins no
 * turn.
 */
struct turn_opts {
	struct strs prefixes, names;
	struct str id; /* the harness's own name of the turn; empty: none */
};

/* How the turn was determined, or why not. */
enum turn_why {
	TURN_NO_USER, /* "no_user": no person spoke */
	TURN_DELTA,   /* "delta": the rest, with the user's message, is at the
			 provider */
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

/* A load that the transcript claims; only its mark proves it. */
struct turn_load {
	struct str skill, call, mark;
	size_t at;
};

struct turn {
	enum turn_why why;
	size_t boundary; /* the item's index; TURN_FOUND */
	/*
	 * The input for a turn token: equal bytes for requests of the same
	 * turn.  Empty if the turn is unknown.
	 */
	struct str input;
	struct turn_load *load; /* in order; a later unload removes them */
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
 * Reads a model request that span_check() accepted.  The result borrows from
 * it.  ERR_USAGE if it has no messages, or none in that format.
 */
int turn_read(struct arena *a, struct str request, enum turn_format format,
    const struct turn_opts *o, struct turn *out, struct err *e);

#endif
