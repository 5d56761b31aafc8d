/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_GIVEN_H
#define DOOR_GIVEN_H

/*
 * Turns a model's arguments, a JSON object, into texts by name.  The
 * operation's table defines what is a date or a uid.  An unknown name is
 * refused, never ignored, because a misspelt argument may have limited the
 * call.
 */
#include "base/json.h"
#include "gate/args.h"

/* Arguments that a door fills in itself. */
struct given_own {
	const char *member; /* a member that is read elsewhere; or NULL */
	/* Arguments of the table that are hidden from the model; or NULL. */
	bool (*is)(const struct arg_spec *s);
};

/* given NULL: no arguments.  ERR_USAGE. */
int given_read(const struct json_value *given, const struct given_own *own,
    struct arena *a, struct args *args, struct err *e);

#endif
