/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a new DEK.  Needs both keys: the DEK is wrapped under each, which is
 * impossible without the key.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "store/account_row.h"
#include "store/internal.h"
#include "store/issuer_row.h"
#include "store/key.h"
#include "store/notice_row.h"
#include "store/oauth.h"
#include "store/seal.h"
#include "store/slot.h"

struct pair {
	struct key admin, agent;
	bool agents; /* there is a slot for agents */
};

static void
pair_done(struct pair *p)
{
	store_key_done(&p->admin);
	store_key_done(&p->agent);
}

static int
store_key_rewrap_has_agents(struct store *s, bool *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str unused;
	int r = store_setting_get(s, a, S("dek_wrap_agent"), &unused, e);

	*out = r == 1;
	return r < 0 ? -1 : 0;
}

/* Both keys, which must open their slots; the DEK in them. */
static int
store_key_rewrap_take_keys(struct store *s, const struct store_keys *k,
    struct pair *p, struct secret **dek, struct err *e)
{
	CLEANUP(secret_close) struct secret *other = NULL;
	int r;

	if (store_key_admin(k, &p->admin, e) < 0 ||
	    store_key_rewrap_has_agents(s, &p->agents, e) < 0)
		return -1;
	r = store_key_unwrap(s, &p->admin, dek, e);
	if (r <= 0)
		return r < 0 ? -1 : store_key_refuse(&p->admin, e);
	if (!p->agents)
		return 0;
	if (k->agent == NULL)
		return err_set(e, ERR_CONFIG,
		    "both keys are needed, but EMCLI_KEY is not set");
	if (store_key_agent(k, &p->agent, e) < 0)
		return -1;
	r = store_key_unwrap(s, &p->agent, &other, e);
	if (r <= 0 || !secret_eq(*dek, other))
		return r < 0 ? -1 : store_key_refuse(&p->agent, e);
	return 0;
}

/* Before anything is locked: a program that prints a key may take a minute. */
static int
store_key_rewrap_ask(struct store *s, const struct store_keys *k, struct err *e)
{
	bool agents;

	if (store_key_need_admin(s, e) < 0 ||
	    store_key_rewrap_has_agents(s, &agents, e) < 0)
		return -1;
	return agents ? secret_later_get(k->agent, e) : 0;
}

/* From here on, the DEK of every store that was opened before is outdated. */
static int
store_key_rewrap_count_up(struct store *s, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO settings (key, value) VALUES ('dek_count', '1')"
	    " ON CONFLICT (key) DO UPDATE SET value ="
	    " CAST(CAST(settings.value AS INTEGER) + 1 AS TEXT)";

	return stmt_exec(s, sql, e);
}

static int
store_key_rewrap_wrap_both(struct store *s, const struct pair *p,
    const struct secret *dek, struct err *e)
{
	if (store_key_renew(s, &p->admin, dek, e) < 0)
		return -1;
	return p->agents ? store_key_renew(s, &p->agent, dek, e) : 0;
}

int
store_key_rewrap(struct store *s, const struct store_keys *k, size_t *n,
    struct err *e)
{
	CLEANUP(pair_done) struct pair p = { 0 };
	CLEANUP(secret_close) struct secret *old = NULL;
	CLEANUP(secret_close) struct secret *fresh = NULL;
	CLEANUP(store_lock_close) struct store_lock *lock = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	/*
	 * A process that just received a refresh token must still be able to
	 * seal it: there is no other copy.
	 */
	if (store_key_rewrap_ask(s, k, e) < 0 || seal_key(&fresh, e) < 0 ||
	    store_lock_take(s, STORE_LOCK_ALL,
		clock_mono_ms() + LIMIT_TIMEOUT_MS, &lock, e) < 0 ||
	    store_durable(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_key_rewrap_take_keys(s, k, &p, &old, e) < 0 ||
	    store_account_secret_reseal(s, old, fresh, n, e) < 0 ||
	    issuer_row_reseal(s, old, fresh, n, e) < 0 ||
	    notice_way_remark(s, old, fresh, e) < 0 ||
	    store_key_rewrap_wrap_both(s, &p, fresh, e) < 0 ||
	    store_key_rewrap_count_up(s, e) < 0 || tx_commit(&t, e) < 0)
		return -1;
	secret_close(&s->dek);
	s->dek = fresh;
	fresh = NULL;
	return store_key_count(s, &s->dek_count, e);
}
