/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli store copy: the whole database into a new one of either kind.  The row
 * of the call is written when the moment is fixed that is copied: the copy has
 * what was there before the call.
 */
#include "base/clean.h"
#include "base/utf8.h"
#include "desk/desk.h"
#include "desk/store_table.h"
#include "store/transfer.h"

static const struct arg_spec args[] = {
	{ "to", ARG_PATH, ARG_REQUIRED,
	    .help = "a new file, or a URI as EMCLI_DB may have" },
	{ 0 },
};

static const struct field result[] = {
	{ "place", FIELD_TEXT, .help = "where the copy is" },
	{ "rows", FIELD_INT, .help = "of all tables" },
	{ "tables", FIELD_OBJECTS, .help = "all of them",
	    .sub = store_table_fields },
	{ "signatures", FIELD_INT, .help = "of the audit log" },
	{ "heads", FIELD_OBJECTS,
	    .help = "the newest link of each chain of the audit log, the same "
		    "at both ends",
	    .sub = store_table_heads },
	{ 0 },
};

enum {
	TARGET_MOST = 2000
};

/* The call's row, by a handle of its own: the other reads that moment. */
struct noted {
	struct call *c;
	struct store *s;
	int64_t audit;
};

static int
store_copy_note(void *ctx, struct err *e)
{
	struct noted *n = ctx;
	struct arena *a = n->c->arena;
	/* Where it goes is no secret: what has a password was refused. */
	const struct str to = args_text(n->c->args, "to");
	const struct store_audit row = { .principal = S("operator"),
		.action = S("store.copy"),
		.target = clean_text(a, utf8_first(to, TARGET_MOST), NULL) };

	if (store_audit_asked(n->s, &row, &n->audit, e) < 0)
		return -1;
	return store_audit_judged(n->s, n->audit, true, S(""), e);
}

static void
store_copy_put(struct json *out, const struct store_transferred *v)
{
	json_put_str(out, "place", v->place);
	json_put_int(out, "signatures", v->chain.signatures);
	store_table_put(out, &v->is);
}

static void
store_copy_say(struct call *c, const struct store_transferred *v)
{
	gate_tell(c, "the database is copied to %.*s", STR_ARG(v->place));
	gate_tell(c, "%lld rows in %zu tables", (long long)v->is.rows, v->is.n);
	gate_tell(c, "the audit log verifies at both ends: %lld rows",
	    (long long)v->chain.rows);
	store_table_tell(c, &v->is);
	gate_tell(c,
	    "It opens with the same keys. Use one of the two from now on: "
	    "both would send what waits");
}

static int
store_copy_run(struct call *c, struct json *out, struct err *e)
{
	const struct env *env = operate_env(c);
	const struct store_keys keys = { env->admin_key, env->agent_key };
	CLEANUP(store_close) struct store *from = NULL;
	CLEANUP(store_close) struct store *log = NULL;
	struct noted n = { .c = c };
	struct store_transfer x = {
		.to = str_c(c->arena, args_text(c->args, "to")),
		.keys = &keys,
		.begun = store_copy_note,
		.ctx = &n,
		.progress = operate_door(c)->progress,
	};
	struct store_transferred done;
	struct str what = S("");
	int r;

	if (store_enter(env->db, STORE_ADMIN, &keys, &from, e) < 0)
		return -1;
	operate_opened(c, from);
	if (store_open(env->db, STORE_ADMIN, &keys, &log, e) < 0)
		return -1;
	n.s = log;
	x.from = from;
	r = store_transfer(&x, c->arena, &done, e);
	if (r == 0)
		what = str_fmt(c->arena, "%.*s%.*s", STR_ARG(done.place),
		    STR_ARG(store_table_links(c->arena, &done.is)));
	if (n.audit > 0)
		operate_recorded(log, n.audit, what, e);
	if (e->kind != ERR_NONE)
		return -1;
	store_copy_put(out, &done);
	store_copy_say(c, &done);
	return 0;
}

const struct op desk_store_copy = {
	.name = "store copy",
	.summary = "Copy the database into a new one, in a file or in "
		   "PostgreSQL",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.args = args,
	.result = result,
	.run = store_copy_run,
};
