/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli store restore: the operator's part of the database as it was when a
 * copy was made.
 */
#include "store/restore.h"

#include "base/clean.h"
#include "desk/audit_edits.h"
#include "desk/desk.h"
#include "store/whole.h"

static const struct arg_spec args[] = {
	{ "file", ARG_PATH, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "a copy that store backup made" },
	{ 0 },
};

static const struct field result[] = {
	{ "sha256", FIELD_TEXT, .help = "of the copy" },
	{ "taken", FIELD_TEXT, .nullable = true,
	    .help = "when the copy's last call was recorded" },
	{ "before", FIELD_TEXT, .nullable = true,
	    .help = "the database that was there; null: there was none" },
	{ "log_stays", FIELD_BOOL,
	    .help = "does the audit log go on? false: it is the copy's" },
	{ "was_edited", FIELD_BOOL,
	    .help = "was what was there changed without emcli?" },
	{ "edits", FIELD_OBJECTS,
	    .help = "how accounts, policy and settings differ from those that "
		    "were there, at most 100",
	    .sub = audit_edits_fields },
	{ "more", FIELD_BOOL, .help = "do more differ?" },
	{ "keys", FIELD_TEXTS, .help = "keys that differ" },
	{ "freezes", FIELD_INT, .help = "put since the copy: they stay" },
	{ "unknown", FIELD_INT,
	    .help = "messages that waited then: nobody knows whether they "
		    "were sent" },
	{ "left", FIELD_INT,
	    .help = "messages of accounts that the copy does not have: they "
		    "are only in the database that was there" },
	{ 0 },
};

static int
store_restore_record(void *ctx, struct store *copy, int64_t *audit,
    struct err *e)
{
	struct call *c = ctx;

	return operate_record(copy, c->arena, "store restore", c->args, audit,
	    e);
}

static void
store_restore_opened(void *ctx, const struct store *copy)
{
	operate_opened(ctx, copy);
}

static void
store_restore_put(struct json *out, const struct store_restored *v)
{
	json_put_str(out, "sha256", v->digest);
	json_put_str_or_null(out, "taken", v->taken);
	json_put_str_or_null(out, "before", v->before);
	json_put_bool(out, "log_stays", v->log_stays);
	json_put_bool(out, "was_edited", v->was_edited || v->was_unsigned);
	audit_edits_put(out, &v->differs);
	json_put_bool(out, "more", v->differs.more);
	json_open_array(out, "keys");
	for (size_t i = 0; i < v->keys.n; i++)
		json_put_str(out, NULL, v->keys.v[i]);
	json_close_array(out);
	json_put_int(out, "freezes", v->freezes);
	json_put_int(out, "unknown", v->unknown);
	json_put_int(out, "left", v->left);
}

/* Numbers that are not 0. */
static void
store_restore_say_counts(struct call *c, const struct store_restored *v)
{
	if (v->mode != 0)
		gate_tell(c,
		    "others can read the copy (mode %04o): chmod 600 it",
		    v->mode);
	if (v->freezes > 0)
		gate_tell(c, "freezes that were put since and stay: %lld",
		    (long long)v->freezes);
	if (v->unknown > 0)
		gate_tell(c,
		    "messages that waited, and may have been sent since: "
		    "%lld, see emcli outbox list",
		    (long long)v->unknown);
	if (v->left > 0)
		gate_tell(c,
		    "left: %lld messages of accounts that the copy does not "
		    "have are only in %.*s",
		    (long long)v->left, STR_ARG(v->before));
}

static void
store_restore_say(struct call *c, const struct store_restored *v)
{
	gate_tell(c,
	    "accounts, policy, agents and settings are as in the copy%s%.*s",
	    v->taken.n > 0 ? ", whose last call is of " : "",
	    STR_ARG(v->taken));
	if (v->before.n > 0)
		gate_tell(c, "the database that was there is in %.*s",
		    STR_ARG(v->before));
	else
		gate_tell(c,
		    "what was sent since the copy is not known: a call that "
		    "is repeated may send again");
	if (v->before.n > 0 && !v->log_stays)
		gate_tell(c,
		    "the audit log is the copy's: rows since are in the "
		    "database that was there");
	if (v->was_unsigned)
		gate_tell(c,
		    "the signature of accounts and policy that were there is "
		    "missing or was changed: what differs may not be all");
	if (v->was_edited)
		gate_tell(c,
		    "accounts or policy that were there had been changed "
		    "without emcli: what differs is told from what emcli "
		    "wrote last");
	if (v->differs.n > 0)
		gate_tell(c, "What is different now:");
	audit_edits_say(c, &v->differs);
	for (size_t i = 0; i < v->keys.n; i++)
		gate_tell(c, "%.*s", STR_ARG(v->keys.v[i]));
	store_restore_say_counts(c, v);
	gate_tell(c,
	    "Every agent is stopped: repeat what is to stay forbidden, then "
	    "emcli thaw");
}

/* Foreign text may be in names of the database that was there. */
static void
store_restore_clean(struct call *c, struct store_restored *v)
{
	for (size_t i = 0; i < v->differs.n; i++) {
		struct store_edit *x = &v->differs.v[i];

		x->where = clean_text(c->arena, x->where, NULL);
		x->what = clean_text(c->arena, x->what, NULL);
	}
}

/* Only of the database that is there, and not while it is busy. */
static void
store_restore_hint(struct err *e)
{
	if (store_stmt_damaged(e))
		(void)err_hint(e,
		    "move the database aside with its -wal and -shm, and "
		    "restore again: see emcli(1), Copies of a store");
}

/* Opens the one that is there; NULL: there is none. */
static int
store_restore_enter(struct call *c, const struct store_keys *keys,
    struct store **out, struct err *e)
{
	const char *db = operate_env(c)->db;
	int there = store_whole_there(db, e);

	if (there <= 0)
		return there;
	if (store_enter(db, STORE_ADMIN, keys, out, e) == 0) {
		operate_opened(c, *out);
		return 0;
	}
	store_restore_hint(e);
	return -1;
}

static int
store_restore_run(struct call *c, struct json *out, struct err *e)
{
	const struct env *env = operate_env(c);
	const struct store_keys keys = { env->admin_key, env->agent_key };
	CLEANUP(store_close) struct store *now = NULL;
	struct store_restore r = {
		.path = env->db,
		.from = str_c(c->arena, args_text(c->args, "file")),
		.keys = &keys,
		.record = store_restore_record,
		.opened = store_restore_opened,
		.ctx = c,
		.progress = operate_door(c)->progress,
	};
	struct store_restored done;

	if (store_about_need_file(env->db, "store restore",
		"a copy becomes a store in an empty schema with EMCLI_DB=COPY "
		"emcli store copy --to URI; a dump with pg_restore",
		e) < 0 ||
	    store_restore_enter(c, &keys, &now, e) < 0)
		return -1;
	if (now != NULL &&
	    operate_record(now, c->arena, "store restore", c->args, &r.audit,
		e) < 0)
		return -1;
	if (store_restore(&r, now, c->arena, &done, e) < 0) {
		store_restore_hint(e);
		if (now != NULL)
			operate_recorded(now, r.audit, S(""), e);
		return -1;
	}
	store_restore_clean(c, &done);
	store_restore_put(out, &done);
	store_restore_say(c, &done);
	return 0;
}

const struct op desk_store_restore = {
	.name = "store restore",
	.summary = "Put a copy in the place of the database; agents are "
		   "stopped",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.args = args,
	.result = result,
	.run = store_restore_run,
};
