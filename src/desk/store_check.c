/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli store check: is the database sound?  Its pages are read before the key
 * is tried, so that nothing is written to a damaged file.
 */
#include "store/check.h"

#include "base/clean.h"
#include "desk/desk.h"

static const struct field result[] = {
	{ "sound", FIELD_BOOL, .help = "is nothing wrong?" },
	{ "faults", FIELD_TEXTS, .help = "what is wrong, at most 100" },
	{ "version", FIELD_INT, .nullable = true, .help = "of the schema" },
	{ "rows", FIELD_INT, .nullable = true,
	    .help = "number of rows of the audit log" },
	{ "signatures", FIELD_INT, .nullable = true,
	    .help = "the newest signature's number" },
	{ "signed", FIELD_TEXT, .nullable = true, .help = "when it was made" },
	{ "rows_signed", FIELD_TEXT, .nullable = true,
	    .help = "when accounts, policy and settings were signed" },
	{ 0 },
};

/* Damaged pages: nothing else was read. */
static void
store_check_put(struct json *out, const struct store_checked *v, bool all)
{
	json_put_bool(out, "sound", v->faults.n == 0);
	json_open_array(out, "faults");
	for (size_t i = 0; i < v->faults.n; i++)
		json_put_str(out, NULL, v->faults.v[i]);
	json_close_array(out);
	if (all) {
		json_put_int(out, "version", v->version);
		json_put_int(out, "rows", v->chain.rows);
		json_put_int(out, "signatures", v->chain.signatures);
	} else {
		json_put_null(out, "version");
		json_put_null(out, "rows");
		json_put_null(out, "signatures");
	}
	json_put_str_or_null(out, "signed", v->chain.signed_ts);
	json_put_str_or_null(out, "rows_signed", v->signed_ts);
}

static void
store_check_say(struct call *c, const struct store_checked *v)
{
	for (size_t i = 0; i < v->faults.n; i++)
		gate_tell(c, "%.*s", STR_ARG(v->faults.v[i]));
	if (v->faults.n > 0)
		return;
	gate_tell(c,
	    "the database is sound: version %lld, %lld rows of the audit log",
	    (long long)v->version, (long long)v->chain.rows);
	gate_tell(c, "newest signature: %lld of %.*s",
	    (long long)v->chain.signatures, STR_ARG(v->chain.signed_ts));
}

static void
store_check_progress(const struct call *c, uint64_t done)
{
	const struct operate_door *door = operate_door(c);

	if (door->progress != NULL)
		door->progress(done, 2);
}

/* Both halves; *all: the second was reached. */
static int
store_check_both(struct call *c, struct store_checked *v, bool *all,
    struct err *e)
{
	const struct env *env = operate_env(c);
	const struct store_keys keys = { env->admin_key, env->agent_key };
	CLEANUP(store_close) struct store *s = NULL;

	store_check_progress(c, 0);
	/* A server checks its own pages. */
	*v = (struct store_checked){ .chain = { .whole = true } };
	if (store_about_is_file(env->db) &&
	    store_check_file(env->db, c->arena, v, e) < 0)
		return -1;
	*all = v->faults.n == 0;
	if (!*all)
		return 0;
	store_check_progress(c, 1);
	if (store_enter(env->db, STORE_ADMIN, &keys, &s, e) < 0)
		return -1;
	operate_opened(c, s);
	return store_check_rows(s, c->arena, v, e);
}

static int
store_check_run(struct call *c, struct json *out, struct err *e)
{
	struct store_checked v;
	bool all = false;
	int r = store_check_both(c, &v, &all, e);

	store_check_progress(c, 2);
	if (r < 0)
		return -1;
	for (size_t i = 0; i < v.faults.n; i++)
		v.faults.v[i] = clean_text(c->arena, v.faults.v[i], NULL);
	store_check_put(out, &v, all);
	store_check_say(c, &v);
	if (v.faults.n == 0)
		return 0;
	(void)err_set(e, ERR_DB, "the database has %zu fault%s", v.faults.n,
	    v.faults.n == 1 ? "" : "s");
	return err_hint(e,
	    all || v.foreign
		? "see emcli audit verify"
		: "restore a copy: see emcli(1), Copies of a store");
}

const struct op desk_store_check = {
	.name = "store check",
	.summary = "Check the database: pages, credentials, audit log, "
		   "signed rows",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.report = true,
	.args = args_none,
	.result = result,
	.run = store_check_run,
};
