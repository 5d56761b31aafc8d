/*
 * A call's arguments: a JSON object to texts by name.  What they mean is for
 * the operation's table to judge, as on the command line.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "base/near.h"
#include "door/mcp/internal.h"
#include "door/out.h"

static bool
is_number(const struct arg_spec *s)
{
	return s->type == ARG_COUNT || s->type == ARG_UID ||
	    s->type == ARG_UIDS;
}

/* A number where a number is wanted; a string of digits will do. */
static int
read_one(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	struct str text;
	int64_t n;

	if (json_parse_str(v, &text))
		return args_add(args, a, arg, str_dup(a, text), e);
	if (is_number(arg->spec) && json_parse_int(v, &n))
		return args_add(args, a, arg, str_fmt(a, "%" PRId64, n), e);
	return err_set(e, ERR_USAGE, "%s is a %s", arg->shown,
	    is_number(arg->spec) ? "number" : "string");
}

static int
read_flag(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	bool on;

	if (!json_parse_bool(v, &on))
		return err_set(e, ERR_USAGE, "%s is true or false", arg->shown);
	return on ? args_add(args, a, arg, S("true"), e) : 0;
}

static int
read_many(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	size_t n = json_parse_count(v);

	if (n > LIMIT_UIDS)
		return err_set(e, ERR_USAGE, "%s has too many values",
		    arg->shown);
	for (size_t i = 0; i < n; i++)
		if (read_one(json_parse_item(v, i), arg, args, a, e) < 0)
			return -1;
	return 0;
}

/* Never ignored: what was misspelt may have been what keeps a call small. */
static int
unknown(const struct args *args, struct str name, struct arena *a,
    struct err *e)
{
	struct strs known = { 0 };
	struct str best;

	for (size_t i = 0; i < args->n; i++)
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

/* Tables' names are MCP's; "reply-to" is the command line's. */
static struct arg *
find(const struct args *args, struct str name)
{
	for (size_t i = 0; i < args->n; i++)
		if (str_eq(str_of(args->v[i].spec->name), name))
			return &args->v[i];
	return NULL;
}

int
mcp_arguments_read(const struct json_value *given, struct arena *a,
    struct args *args, struct err *e)
{
	const struct json_value *v;
	struct str name = { 0 };

	while ((v = json_parse_next(given, &name)) != NULL) {
		struct arg *arg = find(args, name);
		int r;

		if (arg == NULL)
			return unknown(args, name, a, e);
		/* Models say null for what they leave out. */
		if (json_parse_is_null(v))
			continue;
		if (arg->spec->type == ARG_FLAG)
			r = read_flag(v, arg, args, a, e);
		else if ((arg->spec->flags & ARG_MANY) &&
		    json_parse_is_array(v))
			r = read_many(v, arg, args, a, e);
		else
			r = read_one(v, arg, args, a, e);
		if (r < 0)
			return -1;
	}
	return 0;
}
