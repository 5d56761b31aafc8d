/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two keys and the two slots for the wrapped DEK.  An admin command never
 * uses the agent's slot; an agent's command uses EMCLI_KEY, and, only if that
 * is not set, EMCLI_ADMIN_KEY with the admin's slot.
 */
#include "store/key.h"
#include "base/base64.h"
#include "store/internal.h"
#include "store/seal.h"
#include "store/setting_kept.h"
#include "store/slot.h"

#define NEED_ADMIN "this command requires EMCLI_ADMIN_KEY (admin privilege)"
#define KEY_TEXT 44 /* base64_size(SEAL_KEY) */
#define WRAPPED (SEAL_NONCE + SEAL_KEY + SEAL_TAG)

static const char env_admin[] = "EMCLI_ADMIN_KEY";
static const char env_agent[] = "EMCLI_KEY";
static const char slot_admin[] = "dek_wrap_admin";
static const char slot_agent[] = "dek_wrap_agent";

static int
store_key_decode(struct str text, void *ctx)
{
	struct secret **out = ctx;
	unsigned char raw[3 * KEY_TEXT / 4 + 3];
	ptrdiff_t n = -1;

	if (text.n == KEY_TEXT)
		n = base64_decode(raw, text);
	if (n == SEAL_KEY)
		*out = secret_new(raw, SEAL_KEY);
	secret_wipe(raw, sizeof(raw));
	return n == SEAL_KEY ? 0 : -1;
}

static int
store_key_missing(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "EMCLI_KEY is not set");
	return err_hint(e,
	    "give the key in EMCLI_KEY, the name of a file that contains it in "
	    "EMCLI_KEY_FILE, or a program that prints it in "
	    "EMCLI_KEY_COMMAND");
}

static int
store_key_malformed(const struct key *k, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "%s is not a base64-encoded 32-byte key",
	    k->env);
	return err_hint(e,
	    "emcli key generate prints a key: check that this one is complete "
	    "and has nothing around it");
}

int
store_key_admin(const struct store_keys *k, struct key *out, struct err *e)
{
	*out = (struct key){ env_admin, slot_admin, NULL };
	if (secret_later_get(k->admin, e) < 0)
		return -1;
	if (k->admin == NULL ||
	    secret_lend(k->admin, store_key_decode, &out->key) < 0) {
		(void)err_set(e, ERR_CONFIG, NEED_ADMIN);
		return k->admin == NULL
		    ? -1
		    : err_hint(e,
			  "EMCLI_ADMIN_KEY is set, but is not a key: emcli key "
			  "generate prints one");
	}
	return 0;
}

int
store_key_agent(const struct store_keys *k, struct key *out, struct err *e)
{
	*out = (struct key){ env_agent, slot_agent, NULL };
	if (k->agent == NULL)
		return store_key_missing(e);
	if (secret_later_get(k->agent, e) < 0)
		return -1;
	if (secret_lend(k->agent, store_key_decode, &out->key) < 0)
		return store_key_malformed(out, e);
	return 0;
}

int
store_key_pick(enum store_role role, const struct store_keys *k,
    struct key *out, struct err *e)
{
	if (role == STORE_ADMIN)
		return store_key_admin(k, out, e);
	if (k->agent != NULL || k->admin == NULL)
		return store_key_agent(k, out, e);
	if (secret_later_get(k->admin, e) < 0)
		return -1;
	if (store_key_admin(k, out, e) < 0)
		return store_key_malformed(out, e);
	return 0;
}

void
store_key_done(struct key *k)
{
	secret_close(&k->key);
}

int
store_key_refuse(const struct key *k, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "%s does not open this store", k->env);
	return err_hint(e,
	    "it belongs to another store or was rotated: find the key that "
	    "belongs to EMCLI_DB");
}

/*
 * The context that the wrapped DEK is bound to: its slot.  The admin's also
 * records that the store has signatures.  Without the admin key nobody can
 * revert that, and without its DEK a store is unusable.
 */
static struct str
store_key_place(const struct key *k, bool older, struct arena *a)
{
	return str_fmt(a, "settings/%s%s", k->slot,
	    k->slot == slot_admin && !older ? " signed" : "");
}

int
store_key_unwrap(struct store *s, const struct key *k, struct secret **dek,
    struct err *e)
{
	bool older;

	return store_key_unwrap_older(s, k, dek, &older, e);
}

int
store_key_unwrap_older(struct store *s, const struct key *k,
    struct secret **dek, bool *older, struct err *e)
{
	struct err unused = { 0 };
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	char raw[3 * WRAPPED + 3];
	struct str text;
	ptrdiff_t n;
	int r;

	r = store_setting_get(s, a, str_of(k->slot), &text, e);
	if (r <= 0)
		return r;
	if (text.n != base64_size(WRAPPED))
		return store_key_refuse(k, e);
	n = base64_decode(raw, text);
	*older = false;
	if (n == WRAPPED &&
	    seal_open(k->key, store_key_place(k, false, a),
		(struct str){ raw, WRAPPED }, dek, &unused) == 0)
		return 1;
	*older = true;
	if (n != WRAPPED || k->slot != slot_admin ||
	    seal_open(k->key, store_key_place(k, true, a),
		(struct str){ raw, WRAPPED }, dek, e) < 0)
		return store_key_refuse(k, e);
	return 1;
}

static int
store_key_put(struct store *s, const char *sql, const struct key *k,
    const struct secret *dek, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str sealed, text;
	char *p;

	if (seal_make(k->key, store_key_place(k, s->older && !s->taken, a), dek,
		a, &sealed, e) < 0)
		return -1;
	p = arena_alloc(a, base64_size(sealed.n) + 1);
	text = (struct str){ p, base64_encode(p, sealed.p, sealed.n) };

	return stmt_do(s, e, sql, V(str_of(k->slot)), V(text));
}

int
store_key_wrap(struct store *s, const struct key *k, const struct secret *dek,
    struct err *e)
{
	return store_key_put(s,
	    "INSERT INTO settings (key, value) VALUES (?1, ?2)", k, dek, e);
}

int
store_key_renew(struct store *s, const struct key *k, const struct secret *dek,
    struct err *e)
{
	return store_key_put(s, "UPDATE settings SET value = ?2 WHERE key = ?1",
	    k, dek, e);
}

int
store_key_slot(enum store_slot which, const struct store_keys *k,
    struct key *out, struct err *e)
{
	return which == STORE_SLOT_ADMIN ? store_key_admin(k, out, e)
					 : store_key_agent(k, out, e);
}

int
store_key_check(struct store *s, enum store_slot which,
    const struct store_keys *k, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };
	CLEANUP(secret_close) struct secret *dek = NULL;
	int r;

	if (store_key_slot(which, k, &key, e) < 0)
		return -1;
	r = store_key_unwrap(s, &key, &dek, e);
	return r == 0 ? store_key_refuse(&key, e) : r < 0 ? -1 : 0;
}

int
store_key_count(struct store *s, int64_t *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text;
	uint64_t n = 0;
	int r = store_setting_get(s, a, S("dek_count"), &text, e);

	if (r < 0)
		return -1;
	if (r == 1 && !str_to_u64(text, INT64_MAX, &n))
		return err_set(e, ERR_DB, "the database is damaged");
	*out = (int64_t)n;
	return 0;
}

int
store_key_current(struct store *s, struct err *e)
{
	int64_t now = 0;

	/* As it is now, not as the call found it. */
	setting_kept_drop(s);
	if (store_key_count(s, &now, e) < 0)
		return -1;
	if (now == s->dek_count)
		return 0;
	return err_set(e, ERR_DB,
	    "the operator has just changed the store's data key: try again");
}

int
store_key_need_admin(const struct store *s, struct err *e)
{
	if (s->role == STORE_ADMIN)
		return 0;
	return err_set(e, ERR_CONFIG, NEED_ADMIN);
}
