/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_USAGE_H
#define DOOR_USAGE_H

/* The usage of a command, made from its tables. */
#include "base/buf.h"
#include "gate/gate.h"

struct usage {
	struct str name; /* as it is typed */
	const char *summary;
	const struct arg_spec *args;
	const struct op *op; /* or NULL: not an operation, and without --json */
	const struct field *result; /* without an op: of its JSON, or NULL */
};

/* An operation of the agents', or of the operator's. */
struct usage usage_op(struct arena *a, const struct op *op);
/* All of it: the call, the summary, the options, the reply. */
void usage_put(struct buf *b, const struct usage *u);
/* "--limit N", "[--new]": one argument in the usage line. */
struct str usage_arg(struct arena *a, const struct arg_spec *s);
/* "N", "NAME", "RO|RW": the placeholder for the value; empty for a flag. */
struct str usage_value(struct arena *a, const struct arg_spec *s);
/*
 * "1 to 500, default 50": the limits, which the help text omits; may be empty.
 */
struct str usage_bounds(struct arena *a, const struct arg_spec *s);
/* "array of numbers": the type of a member of a reply. */
const char *usage_type(enum field_type t);

#endif
