/* SPDX-License-Identifier: Apache-2.0 */
/* Changing keys: who may, what opens afterwards, and all or nothing. */
#include "store/key.h"
#include "fixture.h"
#include "store/issuer.h"

static struct store_keys
with(const struct secret *admin, const struct secret *agent)
{
	return (struct store_keys){ admin, agent };
}

static bool
opens(struct fx *x, enum store_role role, struct store_keys k)
{
	struct store *s = NULL;
	struct err e = { 0 };
	bool good = store_open(x->path, role, &k, &s, &e) == 0;

	store_close(&s);
	return good;
}

static void
password_is(struct fx *x, struct store *s, int64_t id, const char *text)
{
	CLEANUP(secret_close) struct secret *out = NULL;

	assert_ok(x, store_account_secret(s, id, STORE_PASSWORD, &out, &x->e));
	assert_secret(out, text);
}

static int64_t
sealed_account(struct fx *x, const char *name, const char *password)
{
	int64_t id = fx_account(x, name);
	CLEANUP(secret_close) struct secret *p = fx_secret(password);

	for (int i = STORE_PASSWORD; i <= STORE_OAUTH_REFRESH_TOKEN; i++)
		assert_ok(x,
		    store_account_seal(x->s, id, (enum store_sealed)i, p,
			&x->e));
	return id;
}

static void
rotates_agent(void **state)
{
	struct fx *x = *state;
	int64_t id = sealed_account(x, "work", "pw");
	struct store *s = NULL;
	struct store_keys k = with(NULL, x->other);

	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, x->other, NULL,
		&x->e));
	assert_int_equal(store_key_scrub(x->s), fx_is_file());
	assert_false(opens(x, STORE_AGENT, with(NULL, x->agent)));
	assert_true(opens(x, STORE_ADMIN, with(x->admin, NULL)));
	assert_ok(x, store_open(x->path, STORE_AGENT, &k, &s, &x->e));
	password_is(x, s, id, "pw");
	assert_ok(x, store_key_check(s, STORE_SLOT_AGENT, &k, &x->e));
	k = with(x->other, x->agent);
	assert_err(x, store_key_check(s, STORE_SLOT_AGENT, &k, &x->e),
	    ERR_CONFIG);
	assert_err(x, store_key_check(s, STORE_SLOT_ADMIN, &k, &x->e),
	    ERR_CONFIG);
	store_close(&s);
}

static void
rotates_admin(void **state)
{
	struct fx *x = *state;
	int64_t id = sealed_account(x, "work", "pw");
	struct store *s = NULL;
	struct store_keys k = with(x->other, NULL);

	assert_ok(x,
	    store_key_rotate(x->s, STORE_SLOT_ADMIN, &x->keys, x->other, NULL,
		&x->e));
	assert_false(opens(x, STORE_ADMIN, with(x->admin, NULL)));
	assert_true(opens(x, STORE_AGENT, with(NULL, x->agent)));
	assert_ok(x, store_open(x->path, STORE_ADMIN, &k, &s, &x->e));
	password_is(x, s, id, "pw");
	store_close(&s);
	/* Again with the earlier handle: its key is no longer the store's. */
	assert_err(x,
	    store_key_rotate(x->s, STORE_SLOT_ADMIN, &x->keys, x->agent, NULL,
		&x->e),
	    ERR_CONFIG);
}

static void
refuses(void **state)
{
	struct fx *x = *state;
	struct store *agent = fx_open(x, STORE_AGENT);
	struct secret *bad = fx_secret("QUFB");

	assert_err(x,
	    store_key_rotate(agent, STORE_SLOT_AGENT, &x->keys, x->other, NULL,
		&x->e),
	    ERR_CONFIG);
	store_close(&agent);
	assert_err(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, bad, NULL,
		&x->e),
	    ERR_CONFIG);
	secret_close(&bad);
	/* One key for both, or neither is changed. */
	for (int slot = STORE_SLOT_ADMIN; slot <= STORE_SLOT_AGENT; slot++) {
		assert_err(x,
		    store_key_rotate(x->s, (enum store_slot)slot, &x->keys,
			x->admin, NULL, &x->e),
		    ERR_USAGE);
		assert_err(x,
		    store_key_rotate(x->s, (enum store_slot)slot, &x->keys,
			x->agent, NULL, &x->e),
		    ERR_USAGE);
	}
	fx_sql(x, "DELETE FROM settings WHERE key = 'dek_wrap_agent'");
	assert_err(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, x->other, NULL,
		&x->e),
	    ERR_CONFIG);
	assert_true(opens(x, STORE_ADMIN, x->keys));
}

static int
give_up(void *ctx, struct err *e)
{
	*(int *)ctx += 1;
	return err_set(e, ERR_INTERNAL, "no paper");
}

static void
given_up(void **state)
{
	struct fx *x = *state;
	int called = 0;
	struct store_key_last last = { give_up, &called };

	assert_err(x,
	    store_key_rotate(x->s, STORE_SLOT_AGENT, &x->keys, x->other, &last,
		&x->e),
	    ERR_INTERNAL);
	assert_int_equal(called, 1);
	assert_true(opens(x, STORE_AGENT, with(NULL, x->agent)));
	assert_false(opens(x, STORE_AGENT, with(NULL, x->other)));
}

/* Every column named enc_ has a value above, and its bytes change. */
static void
rewraps(void **state)
{
	struct fx *x = *state;
	int64_t a = sealed_account(x, "a", "pw a");
	int64_t b = sealed_account(x, "b", "pw b");
	CLEANUP(secret_close) struct secret *client = secret_new("pw c", 4);
	CLEANUP(secret_close) struct secret *got = NULL;
	struct store *s;
	size_t n = 0;

	FX_FILE();
	(void)fx_account(x, "none");
	assert_ok(x,
	    store_issuer_set(x->s,
		&(struct store_issuer){ .issuer = S("https://id.example"),
		    .resource = S("https://m.example/mcp"),
		    .client = S("c") },
		client, &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM sqlite_master m,"
			     " pragma_table_info(m.name) c"
			     " WHERE c.name LIKE 'enc\\_%' ESCAPE '\\'"),
	    STORE_OAUTH_REFRESH_TOKEN + 2);
	fx_sql(x, "CREATE TABLE old_issuer AS SELECT * FROM issuer");
	fx_sql(x, "CREATE TABLE old AS SELECT * FROM accounts");
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_int_equal(n, 2 * (STORE_OAUTH_REFRESH_TOKEN + 1) + 1);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM issuer JOIN old_issuer o"
			     " USING (id, issuer) WHERE"
			     " issuer.enc_client_secret <> "
			     "o.enc_client_secret"),
	    1);
	assert_ok(x, store_issuer_secret(x->s, &got, &x->e));
	assert_true(secret_eq(got, client));
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM accounts a JOIN old o"
			     " USING (id) WHERE a.enc_password = o.enc_password"
			     " OR a.enc_oauth_client_id = o.enc_oauth_client_id"
			     " OR a.enc_oauth_client_secret ="
			     " o.enc_oauth_client_secret OR"
			     " a.enc_oauth_refresh_token ="
			     " o.enc_oauth_refresh_token"),
	    0);
	password_is(x, x->s, a, "pw a");
	s = fx_open(x, STORE_AGENT);
	password_is(x, s, b, "pw b");
	store_close(&s);
	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	password_is(x, x->s, a, "pw a");
}

static void
rewrap_needs_both(void **state)
{
	struct fx *x = *state;
	struct store_keys no_agent = with(x->admin, NULL);
	struct store_keys wrong = with(x->admin, x->other);
	size_t n;

	(void)sealed_account(x, "a", "pw");
	assert_err(x, store_key_rewrap(x->s, &no_agent, &n, &x->e), ERR_CONFIG);
	assert_err(x, store_key_rewrap(x->s, &wrong, &n, &x->e), ERR_CONFIG);
	assert_true(opens(x, STORE_AGENT, x->keys));
	fx_sql(x, "DELETE FROM settings WHERE key = 'dek_wrap_agent'");
	assert_ok(x, store_key_rewrap(x->s, &no_agent, &n, &x->e));
	assert_true(opens(x, STORE_ADMIN, x->keys));
	assert_false(opens(x, STORE_AGENT, with(NULL, x->agent)));
}

static void
rewrap_all_or_nothing(void **state)
{
	struct fx *x = *state;
	int64_t a = sealed_account(x, "a", "pw");
	size_t n;

	(void)sealed_account(x, "b", "pw");
	fx_sql(x,
	    "UPDATE accounts SET enc_oauth_client_id = enc_password"
	    " WHERE name = 'b'");
	assert_err(x, store_key_rewrap(x->s, &x->keys, &n, &x->e), ERR_CONFIG);
	password_is(x, x->s, a, "pw");
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	password_is(x, x->s, a, "pw");
}

/* Whoever opened the store before must not seal with the old DEK. */
static void
outdated(void **state)
{
	struct fx *x = *state;
	int64_t id = sealed_account(x, "a", "pw");
	struct store *s = fx_open(x, STORE_AGENT);
	struct secret *out = NULL;
	size_t n;

	assert_ok(x, store_key_rewrap(x->s, &x->keys, &n, &x->e));
	assert_err(x,
	    store_account_seal(s, id, STORE_OAUTH_REFRESH_TOKEN, x->other,
		&x->e),
	    ERR_DB);
	assert_err(x, store_account_secret(s, id, STORE_PASSWORD, &out, &x->e),
	    ERR_DB);
	store_close(&s);
	s = fx_open(x, STORE_AGENT);
	assert_ok(x,
	    store_account_seal(s, id, STORE_OAUTH_REFRESH_TOKEN, x->other,
		&x->e));
	store_close(&s);
}

static void
own_setting(void **state)
{
	struct fx *x = *state;

	assert_err(x, store_setting_set(x->s, S("dek_count"), S("9"), &x->e),
	    ERR_USAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the agent's key is rotated, the admin's stays",
		    rotates_agent),
		TEST("the admin's key is rotated, the agent's stays",
		    rotates_admin),
		TEST("an agent, no key, a key in use, an empty slot", refuses),
		TEST("a last step that fails changes nothing", given_up),
		TEST("rewrapping seals every field anew", rewraps),
		TEST("rewrapping needs both keys", rewrap_needs_both),
		TEST("a value that does not open stops it all",
		    rewrap_all_or_nothing),
		TEST("an outdated DEK neither seals nor blames", outdated),
		TEST("the count is the store's own", own_setting),
	};

	return cmocka_run_group_tests_name("store/key", tests, NULL, NULL);
}
