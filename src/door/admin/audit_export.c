/*
 * emcli audit export: a line of JSON for each row, link and signature, with the
 * very values that are hashed.  A log may be long: lines go out as they are
 * read.
 */
#include <errno.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "store/audit.h"

enum {
	LINES_MAX = 64 << 10 /* bytes gathered before they are written */
};

const struct arg_spec audit_export_args[] = {
	{ .name = "since",
	    .type = ARG_TEXT,
	    .help = "rows asked on this day (UTC), at this time, or later; "
		    "1h, 2d or 3w: so long ago or later" },
	{ .name = "before",
	    .type = ARG_TEXT,
	    .help = "rows asked before this day (UTC) or time, or so long "
		    "ago" },
	{ 0 },
};

struct lines {
	struct arena *a;
	struct buf b;
	bool enough; /* whoever read them is gone: `| head` */
};

static int
flush(struct lines *l, struct err *e)
{
	if (out_write(STDOUT_FILENO, buf_view(&l->b)) < 0) {
		l->enough = errno == EPIPE;
		(void)err_set(e, ERR_CONFIG, "standard output");
		return err_errno(e, "write");
	}
	arena_close(&l->a);
	return 0;
}

/* What is not UTF-8 was not written by emcli, or by an old one. */
static void
put_cell(struct json *j, const struct store_cell *v)
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
put(void *ctx, const char *kind, const struct store_cell *v, size_t n,
    struct err *e)
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
		put_cell(j, &v[i]);
	json_close_object(j);
	json_close_object(j);
	out_json(&l->b, l->a, j);
	if (l->b.over)
		return err_set(e, ERR_LIMIT, "a row is too long");
	return l->b.n < LINES_MAX ? 0 : flush(l, e);
}

int
audit_export(struct admin_call *c, struct err *e)
{
	struct lines l = { 0 };
	struct store_export x = {
		.put = put,
		.ctx = &l,
	};
	int r;

	if (audit_time(c, "since", false, &x.since, e) < 0 ||
	    audit_time(c, "before", false, &x.before, e) < 0)
		return -1;
	r = store_chain_export(c->store, &x, e);
	if (r == 0 && l.a != NULL)
		r = flush(&l, e);
	arena_close(&l.a);
	if (l.enough)
		*e = (struct err){ 0 };
	return l.enough ? 0 : r;
}
