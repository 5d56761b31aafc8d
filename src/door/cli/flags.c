/*
 * A command line of an operation, with flags of the door's own after the
 * operation's arguments: they are read with them, and are none of them.
 */
#include "door/argv.h"
#include "door/cli/internal.h"

int
flags_parse(struct flags *f, int argc, char **argv, struct arena *a,
    struct err *e)
{
	struct arg_spec *table;
	struct args all;
	size_t n = 0;
	int r;

	while (f->op->args[n].name != NULL)
		n++;
	table = arena_array(a, n + f->n + 1, sizeof(*table));
	for (size_t i = 0; i < n; i++)
		table[i] = f->op->args[i];
	for (size_t i = 0; i < f->n; i++)
		table[n + i] = *f->flag[i];
	r = argv_parse(table, argc, argv, a, &all, &f->help, e);
	for (size_t i = 0; i < f->n; i++)
		f->given[i] = all.v[n + i].text.n > 0;
	args_init(&f->args, f->op->args, a);
	for (size_t i = 0; i < n; i++) {
		f->args.v[i].shown = all.v[i].shown;
		f->args.v[i].text = all.v[i].text;
		f->args.v[i].file = all.v[i].file;
	}
	return r;
}
