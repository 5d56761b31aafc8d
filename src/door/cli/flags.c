/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An operation's command line, with the door's own flags after the operation's
 * arguments.  They are parsed together and returned apart.
 */
#include "door/argv.h"
#include "door/cli/internal.h"
#include "door/looks.h"

static void
flags_copy(struct args *to, const struct args *all, size_t from)
{
	for (size_t i = 0; i < to->n; i++) {
		to->v[i].shown = all->v[from + i].shown;
		to->v[i].text = all->v[from + i].text;
		to->v[i].file = all->v[from + i].file;
	}
}

/*
 * An error in a line is reported in the format that the line asks for, even if
 * that option comes after the error.
 */
static void
flags_guess(struct flags *f, int argc, char **argv, struct arena *a)
{
	for (int i = 0; i < argc; i++) {
		struct str word = str_of(argv[i]);
		struct arg *arg;

		if (str_eq(word, S("--")))
			return;
		if (!str_starts(word, S("--")))
			continue;
		arg = args_find(&f->looks, str_from(word, 2));
		if (arg != NULL && arg->spec->type == ARG_FLAG &&
		    arg->text.n == 0)
			str_push(a, &arg->text, S("yes"));
	}
}

int
flags_parse(struct flags *f, int argc, char **argv, struct arena *a,
    struct err *e)
{
	struct arg_spec *table;
	struct args all;
	int r;

	args_init(&f->args, f->op->args, a);
	args_init(&f->looks, looks_flags(f->op), a);
	table = arena_array(a, f->args.n + f->looks.n + 1, sizeof(*table));
	for (size_t i = 0; i < f->args.n; i++)
		table[i] = f->args.table[i];
	for (size_t i = 0; i < f->looks.n; i++)
		table[f->args.n + i] = f->looks.table[i];
	r = argv_parse(table, argc, argv, a, &all, &f->help, e);
	flags_copy(&f->args, &all, 0);
	flags_copy(&f->looks, &all, f->args.n);
	if (r < 0) {
		flags_guess(f, argc, argv, a);
		return r;
	}
	return args_check(&f->looks, a, e);
}

bool
flags_given(const struct flags *f, const char *name)
{
	return flags_takes(f, name) && args_has(&f->looks, name);
}

bool
flags_takes(const struct flags *f, const char *name)
{
	return args_find(&f->looks, str_of(name)) != NULL;
}

struct str
flags_text(const struct flags *f, const char *name)
{
	return flags_takes(f, name) ? args_text(&f->looks, name) : S("");
}
