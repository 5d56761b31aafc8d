/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks texts by name against a table.  Doors differ only in syntax: what is a
 * date, a uid or a choice is decided here, once.
 */
#include "gate/args.h"

#include "base/clock.h"
#include "base/limits.h"

const struct arg_spec args_none[] = { { 0 } };

const struct args_file *
args_file(const struct args *args, struct str path)
{
	static const struct args_file none = { .error = -1 };

	for (size_t i = 0; args->files != NULL && i < args->files->n; i++)
		if (str_eq(args->files->v[i].path, path))
			return &args->files->v[i];
	return &none;
}

bool
args_is_number(const struct arg_spec *s)
{
	return s->type == ARG_COUNT || s->type == ARG_UID ||
	    s->type == ARG_UIDS;
}

size_t
args_max(const struct arg_spec *s)
{
	return s->type == ARG_LONG_TEXT && s->max > 0 ? s->max : LIMIT_ARGV;
}

void
args_init(struct args *args, const struct arg_spec *table, struct arena *a)
{
	size_t n = 0;

	while (table[n].name != NULL)
		n++;
	*args = (struct args){
		.table = table,
		.v = arena_array(a, n, sizeof(*args->v)),
		.n = n,
	};
	for (size_t i = 0; i < n; i++) {
		args->v[i].spec = &table[i];
		args->v[i].shown = table[i].name;
	}
}

/* "reply_to" in tables, "reply-to" on a command line: the same name. */
static bool
args_same_name(const char *name, struct str s)
{
	size_t i;

	for (i = 0; i < s.n && name[i] != '\0'; i++)
		if (name[i] != s.p[i] && !(name[i] == '_' && s.p[i] == '-'))
			return false;
	return i == s.n && name[i] == '\0';
}

struct arg *
args_find(const struct args *args, struct str name)
{
	for (size_t i = 0; i < args->n; i++)
		if (args_same_name(args->v[i].spec->name, name))
			return &args->v[i];
	return NULL;
}

int
args_add(struct args *args, struct arena *a, struct arg *arg, struct str value,
    struct err *e)
{
	(void)args;
	if (arg->text.n > 0 && !(arg->spec->flags & ARG_MANY))
		return err_set(e, ERR_USAGE, "%s is given twice", arg->shown);
	if (value.n > args_max(arg->spec))
		return err_set(e, ERR_USAGE, "%s is too long", arg->shown);
	if (arg->text.n >= LIMIT_UIDS)
		return err_set(e, ERR_USAGE, "%s has too many values",
		    arg->shown);
	str_push(a, &arg->text, value);
	return 0;
}

static int
by_number(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

/* Adds the uids of one item of a set: "7" or "5:9" (RFC 9051 seq-set). */
static int
args_uid_item(struct str item, uint32_t *out, size_t *n, const char *name,
    struct err *e)
{
	struct str lo, hi;
	uint32_t from, to;

	if (!str_cut(item, ':', &lo, &hi))
		hi = lo;
	if (!str_to_u32(lo, UINT32_MAX, &from) ||
	    !str_to_u32(hi, UINT32_MAX, &to) || from == 0 || to == 0)
		return err_set(e, ERR_USAGE,
		    "%s: a uid is a number from 1 to 4294967295", name);
	if (from > to)
		return err_set(e, ERR_USAGE,
		    "%s: write a range from low to high, such as 5:9", name);
	if ((uint64_t)to - from + 1 > LIMIT_UIDS - *n)
		return err_set(e, ERR_LIMIT, "%s: at most %d uids per call",
		    name, LIMIT_UIDS);
	for (uint64_t u = from; u <= to; u++)
		out[(*n)++] = (uint32_t)u;
	return 0;
}

static int
args_read_uids(struct arg *arg, struct arena *a, struct err *e)
{
	uint32_t *uid = arena_array(a, LIMIT_UIDS, sizeof(*uid));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < arg->text.n; i++) {
		struct str rest = arg->text.v[i], item;
		bool more = true;

		while (more) {
			more = str_cut(rest, ',', &item, &rest);
			if (args_uid_item(item, uid, &n, arg->shown, e) < 0)
				return -1;
		}
	}
	qsort(uid, n, sizeof(*uid), by_number);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || uid[kept - 1] != uid[i])
			uid[kept++] = uid[i];
	if (arg->spec->type == ARG_UID && kept != 1)
		return err_set(e, ERR_USAGE, "%s takes a single uid",
		    arg->shown);
	arg->uid = uid;
	arg->uids = kept;
	return 0;
}

static int
args_read_count(struct arg *arg, struct err *e)
{
	const struct arg_spec *s = arg->spec;

	if (!str_to_u32(arg->text.v[0], s->max, &arg->count) ||
	    arg->count < s->min)
		return err_set(e, ERR_USAGE, "%s is a number from %u to %u",
		    arg->shown, s->min, s->max);
	return 0;
}

static int
args_check_choice(const struct arg *arg, struct err *e)
{
	const char *choices = arg->spec->choices;
	struct str rest = str_of(choices), one;
	bool more = true;

	while (more) {
		more = str_cut(rest, '|', &one, &rest);
		if (str_eq(one, arg->text.v[0]))
			return 0;
	}
	return err_set(e, ERR_USAGE, "%s is one of %s", arg->shown, choices);
}

/*
 * No value may contain a NUL: code below could not distinguish it from an end.
 */
static int
args_check_text(const struct arg *arg, struct err *e)
{
	bool empty_ok = arg->spec->type == ARG_TEXT ||
	    arg->spec->type == ARG_LONG_TEXT || arg->spec->flags & ARG_EMPTY;

	for (size_t i = 0; i < arg->text.n; i++) {
		if (str_has_char(arg->text.v[i], '\0'))
			return err_set(e, ERR_USAGE, "%s contains a NUL byte",
			    arg->shown);
		if (arg->text.v[i].n == 0 && !empty_ok)
			return err_set(e, ERR_USAGE, "%s is empty", arg->shown);
	}
	if (arg->spec->type == ARG_FOLDER &&
	    arg->text.v[0].n > LIMIT_FOLDER_NAME)
		return err_set(e, ERR_USAGE, "%s is too long", arg->shown);
	return 0;
}

/*
 * RFC 9051 section 5.1: INBOX is INBOX in any case.  Whatever is kept of a
 * folder has its name for a key.
 */
static void
args_spell_folder(struct arg *arg)
{
	if (!(arg->spec->flags & ARG_BOX) &&
	    str_eq_case(arg->text.v[0], S("INBOX")))
		arg->text.v[0] = S("INBOX");
}

static int
args_check_one(struct arg *arg, struct arena *a, struct err *e)
{
	const struct arg_spec *s = arg->spec;

	if (s->type == ARG_FLAG)
		return 0;
	if (args_check_text(arg, e) < 0)
		return -1;
	if (s->type == ARG_UID || s->type == ARG_UIDS)
		return args_read_uids(arg, a, e);
	if (s->type == ARG_COUNT)
		return args_read_count(arg, e);
	if (s->type == ARG_CHOICE)
		return args_check_choice(arg, e);
	if (s->type == ARG_FOLDER)
		args_spell_folder(arg);
	if (s->type == ARG_DATE && !clock_parse(arg->text.v[0], &arg->date_s))
		return err_set(e, ERR_USAGE,
		    "%s takes a date, such as 2026-06-21 or "
		    "2026-06-21T10:00:00Z",
		    arg->shown);
	return 0;
}

int
args_check(struct args *args, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < args->n; i++) {
		struct arg *arg = &args->v[i];

		if (arg->text.n > 0) {
			if (args_check_one(arg, a, e) < 0)
				return -1;
		} else if (args_is_required(arg->spec) ||
		    ((arg->spec->flags & ARG_REQUIRED) &&
			!args_given(args, arg->spec->unless))) {
			return err_set(e, ERR_USAGE, "%s is missing",
			    arg->shown);
		}
	}
	return 0;
}

static const struct arg *
args_row(const struct args *args, const char *name)
{
	const struct arg *arg = args_find(args, str_of(name));

	if (arg == NULL)
		err_bug("no argument %s in the table", name);
	return arg;
}

bool
args_has(const struct args *args, const char *name)
{
	return args_row(args, name)->text.n > 0;
}

bool
args_given(const struct args *args, const char *name)
{
	const struct arg *arg = args_find(args, str_of(name));

	return arg != NULL && arg->text.n > 0;
}

struct str
args_text(const struct args *args, const char *name)
{
	const struct arg *arg = args_row(args, name);

	return arg->text.n > 0 ? arg->text.v[0] : str_of(arg->spec->def);
}

const struct strs *
args_list(const struct args *args, const char *name)
{
	return &args_row(args, name)->text;
}

uint32_t
args_count(const struct args *args, const char *name, uint32_t def)
{
	const struct arg *arg = args_row(args, name);

	return arg->text.n > 0 ? arg->count : def;
}

uint32_t
args_uid(const struct args *args, const char *name)
{
	const struct arg *arg = args_row(args, name);

	return arg->uids > 0 ? arg->uid[0] : 0;
}

int64_t
args_date(const struct args *args, const char *name)
{
	return args_row(args, name)->date_s;
}
