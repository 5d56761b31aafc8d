#ifndef DOOR_GIVEN_H
#define DOOR_GIVEN_H

/*
 * A model's arguments, a JSON object, to texts by name.  What is a date or a
 * uid is for the operation's table to say; a name it does not have is refused,
 * never ignored: what was misspelt may have been what keeps a call small.
 */
#include "base/json.h"
#include "gate/args.h"

/* What a door fills in itself. */
struct given_own {
	const char *member; /* of the object, read elsewhere; or NULL */
	/* Arguments of the table that a model has no name for; or NULL. */
	bool (*is)(const struct arg_spec *s);
};

/* given NULL: no arguments.  ERR_USAGE. */
int given_read(const struct json_value *given, const struct given_own *own,
    struct arena *a, struct args *args, struct err *e);

#endif
