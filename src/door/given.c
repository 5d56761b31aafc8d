/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments from JSON, for every door that gets them so. */
#include "door/given.h"

#include <inttypes.h>

#include "base/limits.h"
#include "base/near.h"
#include "door/out.h"

/* A number for a numeric argument; a string of digits will do. */
static int
given_read_one(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	bool number = args_is_number(arg->spec);
	struct str text;
	int64_t n;

	if (json_parse_str(v, &text))
		return args_add(args, a, arg, str_dup(a, text), e);
	if (number && json_parse_int(v, &n))
		return args_add(args, a, arg, str_fmt(a, "%" PRId64, n), e);
	return err_set(e, ERR_USAGE, "%s is a %s", arg->shown,
	    number ? "number" : "string");
}

static int
given_read_flag(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	bool on;

	if (!json_parse_bool(v, &on))
		return err_set(e, ERR_USAGE, "%s must be true or false",
		    arg->shown);
	return on ? args_add(args, a, arg, S("true"), e) : 0;
}

static int
given_read_many(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	size_t n = json_parse_count(v);

	if (n > LIMIT_UIDS)
		return err_set(e, ERR_USAGE, "%s has too many values",
		    arg->shown);
	for (size_t i = 0; i < n; i++)
		if (given_read_one(json_parse_item(v, i), arg, args, a, e) < 0)
			return -1;
	return 0;
}

static bool
given_is_own(const struct given_own *own, const struct arg_spec *s)
{
	return own->is != NULL && own->is(s);
}

static int
given_unknown(const struct args *args, const struct given_own *own,
    struct str name, struct arena *a, struct err *e)
{
	struct strs known = { 0 };
	struct str best;

	if (own->member != NULL)
		str_push(a, &known, str_of(own->member));
	for (size_t i = 0; i < args->n; i++)
		if (!given_is_own(own, args->v[i].spec))
			str_push(a, &known, str_of(args->v[i].spec->name));
	best = near_pick(name, &known);
	name = out_quote(a, name);
	if (best.n == 0)
		return err_set(e, ERR_USAGE, "unknown argument %.*s",
		    STR_ARG(name));
	return err_set(e, ERR_USAGE,
	    "unknown argument %.*s: did you mean %.*s?", STR_ARG(name),
	    STR_ARG(best));
}

/* The tables' spelling; "reply-to" is the command line's. */
static struct arg *
given_find(const struct args *args, const struct given_own *own,
    struct str name)
{
	for (size_t i = 0; i < args->n; i++)
		if (!given_is_own(own, args->v[i].spec) &&
		    str_eq(str_of(args->v[i].spec->name), name))
			return &args->v[i];
	return NULL;
}

int
given_read(const struct json_value *given, const struct given_own *own,
    struct arena *a, struct args *args, struct err *e)
{
	const struct json_value *v;
	struct str name = { 0 };

	while ((v = json_parse_next(given, &name)) != NULL) {
		struct arg *arg;
		int r;

		if (own->member != NULL && str_eq(name, str_of(own->member)))
			continue;
		arg = given_find(args, own, name);
		if (arg == NULL)
			return given_unknown(args, own, name, a, e);
		/* Models write null for omitted arguments. */
		if (json_parse_is_null(v))
			continue;
		if (arg->spec->type == ARG_FLAG)
			r = given_read_flag(v, arg, args, a, e);
		else if ((arg->spec->flags & ARG_MANY) &&
		    json_parse_is_array(v))
			r = given_read_many(v, arg, args, a, e);
		else
			r = given_read_one(v, arg, args, a, e);
		if (r < 0)
			return -1;
	}
	return 0;
}
