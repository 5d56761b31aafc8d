/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli audit export: a line of JSON for each row, link and signature, with
 * exactly the values that are hashed.  A log may be long: lines are written as
 * they are read.
 */
#include <errno.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "desk/audit_time.h"
#include "desk/desk.h"
#include "store/audit.h"

enum {
	LINES_MAX = 64 << 10 /* bytes gathered before they are written */
};

static const struct arg_spec args[] = {
	{ "since", ARG_TEXT,
	    .help = "rows since this day (UTC) or time; 1h, 2d or 3w: since "
		    "that long ago" },
	{ "before", ARG_TEXT,
	    .help =
		"rows before this day (UTC) or time, or before that long ago" },
	{ 0 },
};

struct lines {
	const struct call *call;
	struct arena *a;
	struct buf b;
	bool enough; /* the reader is gone: `| head` */
};

static int
audit_export_flush(struct lines *l, struct err *e)
{
	if (operate_door(l->call)->write(buf_view(&l->b), false) < 0) {
		l->enough = errno == EPIPE;
		(void)err_set(e, ERR_CONFIG, "standard output");
		return err_errno(e, "write");
	}
	arena_close(&l->a);
	return 0;
}

/* Text that is not UTF-8 is not from emcli, or is from an old version. */
static void
audit_export_put_cell(struct json *j, const struct store_cell *v)
{
	if (v->null)
		json_put_null(j, v->name);
	else if (v->number)
		json_put_int(j, v->name, v->n);
	else if (utf8_valid(v->text))
		json_put_str(j, v->name, v->text);
	else {
		json_open_object(j, v->name);
		json_put_base64(j, "base64", v->text);
		json_close_object(j);
	}
}

static int
audit_export_put(void *ctx, const char *kind, const struct store_cell *v,
    size_t n, struct err *e)
{
	struct lines *l = ctx;
	struct json *j;

	if (l->a == NULL) {
		l->a = arena_open(LIMIT_ARENA);
		buf_init(&l->b, l->a, LIMIT_MESSAGE);
	}
	j = json_new(l->a);
	json_open_object(j, NULL);
	json_open_object(j, kind);
	for (size_t i = 0; i < n; i++)
		audit_export_put_cell(j, &v[i]);
	json_close_object(j);
	json_close_object(j);
	buf_str(&l->b, json_text(j, l->a));
	buf_char(&l->b, '\n');
	if (l->b.over)
		return err_set(e, ERR_LIMIT, "a row is too long");
	return l->b.n < LINES_MAX ? 0 : audit_export_flush(l, e);
}

static int
audit_export_run(struct call *c, struct json *out, struct err *e)
{
	struct lines l = { .call = c };
	struct store_export x = { .put = audit_export_put, .ctx = &l };
	int r;

	(void)out;
	if (audit_time(c, "since", false, &x.since, e) < 0 ||
	    audit_time(c, "before", false, &x.before, e) < 0)
		return -1;
	r = store_chain_export(operate_store(c), &x, e);
	if (r == 0 && l.a != NULL)
		r = audit_export_flush(&l, e);
	arena_close(&l.a);
	if (l.enough)
		*e = (struct err){ 0 };
	return l.enough ? 0 : r;
}

const struct op desk_audit_export = {
	.name = "audit export",
	.shows = "emcli audit list",
	.summary = "Print the audit log so that others can verify it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.run = audit_export_run,
};
