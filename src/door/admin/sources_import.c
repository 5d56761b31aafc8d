/* emcli source import: an adopter's declaration becomes the accounts' parts. */
#include <fcntl.h>
#include <unistd.h>

#include "base/path.h"
#include "door/admin/sources.h"
#include "door/out.h"
#include "source/declare.h"

const struct arg_spec sources_import_args[] = {
	{ .name = "file",
	    .type = ARG_PATH,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "project.md with the table \"Mail sources\"; who is not in "
		    "it is no source afterwards" },
	{ .name = "check",
	    .type = ARG_FLAG,
	    .help = "say what is wrong with it, and change nothing" },
	{ 0 },
};

struct import {
	struct admin_call *c;
	struct str path;
	struct str text;
	struct declare d;
	struct role_source *all;
	size_t *to;
};

static int
sources_import_read_file(struct admin_call *c, struct str path, struct str *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = open(str_c(c->arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "the file cannot be opened");
		return err_errno(e, "open");
	}
	return path_read(fd, LIMIT_DECLARATION, c->arena, out, e);
}

/* Errors and warnings, a line each, where compilers put them. */
static void
sources_import_tell(struct admin_call *c, struct str path,
    const struct declare *d)
{
	struct buf b;

	buf_init(&b, c->arena, LIMIT_DECLARATION);
	for (size_t i = 0; i < d->remarks; i++) {
		const struct declare_remark *r = &d->remark[i];

		buf_fmt(&b, "%.*s:", STR_ARG(out_line(c->arena, path)));
		if (r->line > 0)
			buf_fmt(&b, "%u:", r->line);
		buf_fmt(&b, " %s: %.*s\n", declare_weight_name(r->weight),
		    STR_ARG(out_line(c->arena, r->say)));
	}
	(void)out_write(STDERR_FILENO, buf_view(&b));
}

static struct strs
sources_import_words_of(struct arena *a, unsigned prefers)
{
	struct strs out = { 0 };

	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (prefers & 1U << op)
			str_push(a, &out, str_of(role_op_name(op)));
	return out;
}

/* The accounts that are declared, in that order, then the others. */
static void
sources_import_arrange(struct arena *a, const struct declare *d,
    const size_t *to, struct store_source *v, size_t n)
{
	struct store_source *old = arena_array(a, n, sizeof(*old));
	size_t at = 0;

	memcpy(old, v, n * sizeof(*old));
	for (size_t i = 0; i < n; i++)
		old[i].role = S("none");
	for (size_t i = 0; i < d->n; i++) {
		const struct declare_row *r = &d->v[i];
		struct store_source *x = &old[to[i]];

		x->role = str_of(role_name(r->role));
		x->mandatory = r->mandatory;
		x->ops = sources_import_words_of(a, r->prefers);
		v[at++] = *x;
	}
	for (size_t i = 0; i < n; i++)
		if (str_eq(old[i].role, S("none")))
			v[at++] = old[i];
}

/* Reads it against the accounts there are, and says what is wrong. */
static int
sources_import_judge(struct import *im, size_t *n, struct err *e)
{
	struct arena *a = im->c->arena;
	struct declare *d = &im->d;

	if (roster_load(im->c->store, a, &im->all, n, e) < 0)
		return -1;
	declare_read(a, im->text, d);
	declare_bind(a, d, im->all, *n, &im->to);
	if (sources_settings_judge(im->c, d, im->all, im->to, e) < 0)
		return -1;
	sources_import_tell(im->c, im->path, d);
	if (d->errors > 0)
		return err_set(e, ERR_USAGE,
		    "the declaration has %zu error%s: nothing was changed",
		    d->errors, d->errors == 1 ? "" : "s");
	return 0;
}

/* v and what was judged are in the same order: they were read under a lock. */
static int
sources_import_change(struct store_source *v, size_t n, void *ctx,
    struct err *e)
{
	struct import *im = ctx;
	size_t same;

	if (sources_import_judge(im, &same, e) < 0)
		return -1;
	if (same != n)
		err_bug("source import: accounts came or went");
	sources_import_arrange(im->c->arena, &im->d, im->to, v, n);
	return 0;
}

int
sources_import(struct admin_call *c, struct err *e)
{
	struct import im = { .c = c, .path = args_text(c->args, "file") };
	struct store_source_change ch = { sources_import_change, &im };
	struct buf told;
	size_t n;

	if (sources_import_read_file(c, im.path, &im.text, e) < 0)
		return -1;
	if (args_has(c->args, "check")) {
		if (sources_import_judge(&im, &n, e) < 0)
			return -1;
		buf_fmt(c->out, "%zu source%s declared well; nothing changed\n",
		    im.d.n, im.d.n == 1 ? "" : "s");
		return 0;
	}
	buf_init(&told, c->arena, 1 << 20);
	if (store_source_set(c->store, c->arena, &ch, e) < 0 ||
	    sources_settings_keep(c, &im.d, im.all, im.to, &told, e) < 0)
		return -1;
	buf_str(c->out, buf_view(&told));
	c->done = str_fmt(c->arena, "%zu sources\n%.*s", im.d.n,
	    STR_ARG(buf_view(&told)));
	return sources_table(c, e);
}
