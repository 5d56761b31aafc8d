/*
 * A model's arguments to texts by name.  What is a date or a uid is for the
 * operation's table to say; a name it does not have is refused, never ignored.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "base/near.h"
#include "door/skills/internal.h"

enum {
	SHOWN = 40
};

/* Does the door itself say it? */
static bool
is_ours(const struct arg_spec *s)
{
	return s->type == ARG_ACCOUNT || str_eq(str_of(s->name), S("lease"));
}

static int
read_one(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	struct str text;
	int64_t n;

	if (json_parse_str(v, &text))
		return args_add(args, a, arg, str_dup(a, text), e);
	if (json_parse_int(v, &n))
		return args_add(args, a, arg, str_fmt(a, "%" PRId64, n), e);
	return err_set(e, ERR_USAGE, "%s is of the wrong type", arg->shown);
}

static int
read_value(const struct json_value *v, struct arg *arg, struct args *args,
    struct arena *a, struct err *e)
{
	size_t n = json_parse_count(v);
	bool on;

	/* Models say null for what they leave out. */
	if (json_parse_is_null(v))
		return 0;
	if (arg->spec->type == ARG_FLAG) {
		if (!json_parse_bool(v, &on))
			return err_set(e, ERR_USAGE, "%s is true or false",
			    arg->shown);
		return on ? args_add(args, a, arg, S(""), e) : 0;
	}
	if (!json_parse_is_array(v))
		return read_one(v, arg, args, a, e);
	if (!(arg->spec->flags & ARG_MANY) || n > LIMIT_UIDS)
		return err_set(e, ERR_USAGE, "%s has too many values",
		    arg->shown);
	for (size_t i = 0; i < n; i++)
		if (read_one(json_parse_item(v, i), arg, args, a, e) < 0)
			return -1;
	return 0;
}

static int
unknown(const struct args *args, struct str name, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct strs known = { 0 };
	struct str best;

	for (size_t i = 0; i < args->n; i++)
		if (!is_ours(args->v[i].spec))
			str_push(a, &known, str_of(args->v[i].spec->name));
	name = str_first(name, SHOWN);
	best = near_pick(name, &known);
	if (best.n == 0)
		return err_set(e, ERR_USAGE, "unknown argument \"%.*s\"",
		    STR_ARG(name));
	return err_set(e, ERR_USAGE,
	    "unknown argument \"%.*s\": did you mean %.*s?", STR_ARG(name),
	    STR_ARG(best));
}

/* The account, by the mailbox named or because there is one. */
static int
read_mailbox(struct skills_call *c, const struct json_value *given,
    struct args *out, struct str *say, struct err *e)
{
	const struct boxes_row *box;
	struct str value = { 0 };

	(void)json_parse_str(json_parse_member(given, "mailbox"), &value);
	box = selector_find(&c->boxes, c->arena, value, say);
	if (box == NULL && say->n > 0)
		return err_set(e, ERR_USAGE, "%.*s", STR_ARG(*say));
	for (size_t i = 0; box != NULL && i < out->n; i++)
		if (out->v[i].spec->type == ARG_ACCOUNT)
			return args_add(out, c->arena, &out->v[i], box->name,
			    e);
	return 0;
}

static struct arg *
find(const struct args *args, struct str name)
{
	for (size_t i = 0; i < args->n; i++)
		if (!is_ours(args->v[i].spec) &&
		    str_eq(str_of(args->v[i].spec->name), name))
			return &args->v[i];
	return NULL;
}

static int
read_object(struct skills_call *c, const struct op *op,
    const struct json_value *given, struct args *out, struct str *say,
    struct err *e)
{
	bool chooses = (op->needs & NEED_ACCOUNT) != 0;
	const struct json_value *v;
	struct str name = { 0 };

	if (chooses && read_mailbox(c, given, out, say, e) < 0)
		return -1;
	while ((v = json_parse_next(given, &name)) != NULL) {
		struct arg *arg = find(out, name);

		if (chooses && c->boxes.shown.labels.n > 0 &&
		    str_eq(name, S("mailbox")))
			continue;
		if (arg == NULL)
			return unknown(out, name, e);
		if (read_value(v, arg, out, c->arena, e) < 0)
			return -1;
	}
	return 0;
}

int
arguments_read(struct skills_call *c, const struct op *op,
    const struct turn_call *call, struct args *out, struct str *say,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *given = NULL;

	args_init(out, op->args, c->arena);
	/* No arguments at all are written in both ways. */
	if (str_trim(call->args).n > 0) {
		if (json_parse_open(call->args, LIMIT_ARGV, &d, e) < 0)
			return -1;
		given = json_parse_root(d);
	}
	if (given != NULL && !json_parse_is_object(given))
		return err_set(e, ERR_USAGE, "the arguments are no object");
	return read_object(c, op, given, out, say, e);
}
