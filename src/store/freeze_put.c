/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Freezing without a key: the only write that needs none.  The handle for it
 * has no data key, and is closed again here.
 */
#include "store/audit.h"
#include "store/freeze.h"
#include "store/freeze_row.h"
#include "store/internal.h"
#include "store/opening.h"

/* With the operator's key the operator freezes; 0: another caller. */
static bool
store_freeze_put_open_as_operator(const char *path, const struct store_keys *k,
    struct store **out)
{
	struct err unused = { 0 };

	return k->admin != NULL &&
	    store_enter(path, STORE_ADMIN, k, out, &unused) == 0;
}

/* As it is; ERR_CONFIG if it is no store of this emcli's or an older one's. */
static int
store_freeze_put_open_without_key(const char *path, struct store **out,
    struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	int r = store_look_open(path, &s, e);

	if (r < 0)
		return -1;
	if (r == 0) {
		(void)err_set(e, ERR_CONFIG,
		    "there is no database to freeze: check EMCLI_DB");
		return err_because(e, "%s", path);
	}
	if (migrate_fits(s, e) < 0)
		return -1;
	*out = s;
	s = NULL;
	return 0;
}

/* The row and its audit row: all or nothing. */
static int
put_recorded(struct store *s, bool keyed, const struct store_freeze *f,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(tx_done) struct tx t = { 0 };
	const struct store_audit row = {
		.principal = keyed ? S("operator") : S("unknown"),
		.account = f->account,
		.action = S("freeze"),
		.target = f->agent.n > 0
		    ? str_fmt(a, "agent=%.*s", STR_ARG(f->agent))
		    : S("all agents"),
	};
	int64_t id;

	if (store_durable(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_audit_asked(s, &row, &id, e) < 0 ||
	    store_audit_judged(s, id, true, S(""), e) < 0 ||
	    freeze_add(s, f, !keyed, e) < 0 ||
	    store_audit_done(s, id, S(""), S("ok"), f->why, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

/*
 * A stop in an emergency waits for no copy of the store and needs no room for
 * one, so a store of an older emcli is migrated only if it is too old to have
 * the rows.  Nobody without a key has it migrated otherwise.
 */
static int
put_without_key(const char *path, const struct store_freeze *f, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;

	if (store_freeze_put_open_without_key(path, &s, e) < 0)
		return -1;
	if (put_recorded(s, false, f, e) == 0)
		return 0;
	if (e->kind != ERR_DB)
		return -1;
	*e = (struct err){ 0 };
	if (migrate_run(s, migrations_all, e) < 0)
		return -1;
	return put_recorded(s, false, f, e);
}

int
store_freeze_put(const char *path, const struct store_keys *k,
    const struct store_freeze *f, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;

	return store_freeze_put_open_as_operator(path, k, &s)
	    ? put_recorded(s, true, f, e)
	    : put_without_key(path, f, e);
}
