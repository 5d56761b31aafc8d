/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli source import: sets the accounts' parts from an adopter's declaration.
 */
#include "desk/source_import.h"

#include <fcntl.h>

#include "base/buf.h"
#include "base/path.h"
#include "desk/desk.h"
#include "desk/picture.h"
#include "desk/source_known.h"
#include "source/roster.h"
#include "store/source.h"

static const struct arg_spec args[] = {
	{ "file", ARG_PATH, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "project.md with the table \"Mail sources\"; an account "
		    "that is not in it is no longer a source" },
	{ "check", ARG_FLAG,
	    .help = "report what is wrong with the file, and change nothing" },
	{ 0 },
};

static const struct field remarks[] = {
	{ "line", FIELD_INT, .help = "of the file; 0: the file as a whole" },
	{ "weight", FIELD_TEXT, .help = "warning or note" },
	{ "text", FIELD_TEXT, .help = "what is doubtful" },
	{ 0 },
};

static const struct field changes[] = {
	{ "account", FIELD_TEXT, .help = "the account" },
	{ "setting", FIELD_TEXT, .help = "the setting" },
	{ "was", FIELD_TEXT, .help = "what it was, or empty" },
	{ "is", FIELD_TEXT, .help = "what it is now, or empty" },
	{ 0 },
};

static const struct field result[] = {
	{ "sources", FIELD_OBJECTS, .optional = true,
	    .help = "the accounts, in their order; not with --check",
	    .sub = source_known_fields },
	{ "declared", FIELD_INT, .help = "how many sources the file has" },
	{ "remarks", FIELD_OBJECTS, .help = "what to look at in the file",
	    .sub = remarks },
	{ "changes", FIELD_OBJECTS, .help = "settings that were changed",
	    .sub = changes },
	{ 0 },
};

struct import {
	struct call *c;
	struct str path;
	struct str text;
	struct declare d;
	struct role_source *all;
	size_t *to;
	struct source_import_changes changes;
};

static int
source_import_read_file(struct call *c, struct str path, struct str *out,
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

/* Errors and warnings, one per line, in the format of compilers. */
static void
source_import_note(const struct import *im)
{
	for (size_t i = 0; i < im->d.remarks; i++) {
		const struct declare_remark *r = &im->d.remark[i];
		const char *weight = declare_weight_name(r->weight);

		if (r->line > 0)
			operate_note(im->c, "%.*s:%u: %s: %.*s",
			    STR_ARG(im->path), r->line, weight,
			    STR_ARG(r->say));
		else
			operate_note(im->c, "%.*s: %s: %.*s", STR_ARG(im->path),
			    weight, STR_ARG(r->say));
	}
}

static struct strs
source_import_words_of(struct arena *a, unsigned prefers)
{
	struct strs out = { 0 };

	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (prefers & 1U << op)
			str_push(a, &out, str_of(role_op_name(op)));
	return out;
}

/* The declared accounts in their order, then the others. */
static void
source_import_arrange(struct arena *a, const struct declare *d,
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
		x->ops = source_import_words_of(a, r->prefers);
		v[at++] = *x;
	}
	for (size_t i = 0; i < n; i++)
		if (str_eq(old[i].role, S("none")))
			v[at++] = old[i];
}

/* Compares it with the existing accounts, and reports what is wrong. */
static int
source_import_judge(struct import *im, size_t *n, struct err *e)
{
	struct arena *a = im->c->arena;
	struct declare *d = &im->d;

	if (roster_load(operate_store(im->c), a, &im->all, n, e) < 0)
		return -1;
	declare_read(a, im->text, d);
	declare_bind(a, d, im->all, *n, &im->to);
	if (source_import_settings_judge(im->c, d, im->all, im->to, e) < 0)
		return -1;
	source_import_note(im);
	if (d->errors > 0)
		return err_set(e, ERR_USAGE,
		    "the declaration has %zu error%s: nothing was changed",
		    d->errors, d->errors == 1 ? "" : "s");
	return 0;
}

/* v and what was judged have the same order: both were read under a lock. */
static int
source_import_change(struct store_source *v, size_t n, void *ctx, struct err *e)
{
	struct import *im = ctx;
	size_t same;

	if (source_import_judge(im, &same, e) < 0)
		return -1;
	if (same != n)
		err_bug("source import: accounts came or went");
	source_import_arrange(im->c->arena, &im->d, im->to, v, n);
	return 0;
}

static void
source_import_put(struct json *j, const struct import *im)
{
	json_put_int(j, "declared", (int64_t)im->d.n);
	json_open_array(j, "remarks");
	for (size_t i = 0; i < im->d.remarks; i++) {
		const struct declare_remark *r = &im->d.remark[i];

		json_open_object(j, NULL);
		json_put_int(j, "line", r->line);
		json_put_text(j, "weight", declare_weight_name(r->weight));
		json_put_str(j, "text", r->say);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_array(j, "changes");
	for (size_t i = 0; i < im->changes.n; i++) {
		const struct source_import_change *x = &im->changes.v[i];

		json_open_object(j, NULL);
		json_put_str(j, "account", x->account);
		json_put_text(j, "setting", x->setting.name);
		json_put_str(j, "was", x->setting.was);
		json_put_str(j, "is", x->setting.is);
		json_close_object(j);
	}
	json_close_array(j);
}

static struct str
source_import_shown(struct arena *a, struct str value)
{
	return value.n > 0 ? picture_text(a, value, false) : S("nothing");
}

/* The changes of each account below its name; the same for the audit log. */
static void
source_import_say(const struct import *im)
{
	struct arena *a = im->c->arena;
	struct str account = S(""), line, rest;
	struct buf b;

	buf_init(&b, a, 1UL << 20);
	for (size_t i = 0; i < im->changes.n; i++) {
		const struct source_import_change *x = &im->changes.v[i];

		if (!str_eq(account, x->account))
			buf_fmt(&b, "%.*s:\n", STR_ARG(x->account));
		account = x->account;
		buf_fmt(&b, "%s: %.*s -> %.*s\n", x->setting.name,
		    STR_ARG(source_import_shown(a, x->setting.was)),
		    STR_ARG(source_import_shown(a, x->setting.is)));
	}
	im->c->note =
	    str_fmt(a, "%zu sources\n%.*s", im->d.n, STR_ARG(buf_view(&b)));
	for (rest = buf_view(&b); rest.n > 0;) {
		(void)str_cut(rest, '\n', &line, &rest);
		gate_say_above(im->c, line);
	}
}

static int
source_import_run(struct call *c, struct json *out, struct err *e)
{
	struct import im = { .c = c, .path = args_text(c->args, "file") };
	struct store_source_change ch = { source_import_change, &im };
	size_t n;

	if (source_import_read_file(c, im.path, &im.text, e) < 0)
		return -1;
	if (args_has(c->args, "check")) {
		if (source_import_judge(&im, &n, e) < 0)
			return -1;
		source_import_put(out, &im);
		gate_tell(c, "%zu source%s declared well; nothing changed",
		    im.d.n, im.d.n == 1 ? "" : "s");
		return 0;
	}
	if (store_source_set(operate_store(c), c->arena, &ch, e) < 0 ||
	    source_import_settings_keep(c, &im.d, im.all, im.to, &im.changes,
		e) < 0)
		return -1;
	source_import_put(out, &im);
	source_import_say(&im);
	return source_known_put(c, out, e);
}

const struct op desk_source_import = {
	.name = "source import",
	.shows = "emcli source list",
	.summary = "Take the sources from a project's declaration",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.columns = SOURCE_KNOWN_COLUMNS,
	.run = source_import_run,
};
