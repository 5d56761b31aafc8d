/* SPDX-License-Identifier: Apache-2.0 */
/* The command line's own options, by the kind of an operation's reply. */
#include "door/looks.h"

#define LOOKS_JSON                                                             \
	{                                                                      \
		"json", ARG_FLAG, 0, "print JSON, on a terminal too",          \
		    .def = NULL                                                \
	}

#define LOOKS_COLOR                                                            \
	{                                                                      \
		"color", ARG_CHOICE, 0,                                        \
		    "colour the output for people; auto: on a terminal, "      \
		    "unless NO_COLOR is set",                                  \
		    .choices = "auto|always|never", .def = "auto"              \
	}

#define LOOKS_NO_PAGER                                                         \
	{                                                                      \
		"no_pager", ARG_FLAG, 0, "do not show long output in a pager", \
		    .def = NULL                                                \
	}

static const struct arg_spec none[] = { { 0 } };

/* An agent's operation, in an envelope. */
static const struct arg_spec plain[] = { LOOKS_JSON, { 0 } };

/* An agent's operation whose reply a person may read. */
static const struct arg_spec readable[] = {
	LOOKS_JSON,
	{ "human", ARG_FLAG,
	    .help = "print a table or a readable message instead of JSON" },
	LOOKS_COLOR,
	LOOKS_NO_PAGER,
	{ 0 },
};

/* One that tells what comes. */
static const struct arg_spec follows[] = {
	LOOKS_JSON,
	{ "follow", ARG_FLAG,
	    .help = "call again and again, each time where the call before "
		    "ended, and print a line for each" },
	{ 0 },
};

static const struct arg_spec report[] = {
	LOOKS_JSON,
	{ "text", ARG_FLAG,
	    .help =
		"print text for people, even if the output is not a terminal" },
	LOOKS_COLOR,
	{ 0 },
};

static const struct arg_spec operates[] = {
	{ "json", ARG_FLAG, .help = "print JSON instead of text" },
	LOOKS_COLOR,
	LOOKS_NO_PAGER,
	{ 0 },
};

const struct arg_spec *
looks_flags(const struct op *op)
{
	if (op->effect == EFFECT_OPERATE)
		return op->result != NULL ? operates : none;
	if (op->report)
		return report;
	if (op->follows != NULL)
		return follows;
	return op->columns != NULL || op->body != NULL ? readable : plain;
}

bool
looks_has(const struct arg_spec *flags, const char *name)
{
	for (; flags->name != NULL; flags++)
		if (str_eq(str_of(flags->name), str_of(name)))
			return true;
	return false;
}
