/* SPDX-License-Identifier: Apache-2.0 */
/* Changing an account: one lock, all or nothing, with the password. */
#include "fixture.h"

struct wish {
	const char *name, *host;
	bool forget, refuse;
	int seen;
};

static int
apply(struct store_account *acct, void *ctx, struct err *e)
{
	struct wish *w = ctx;

	w->seen++;
	if (w->name != NULL)
		acct->name = str_of(w->name);
	if (w->host != NULL)
		acct->imap_host = str_of(w->host);
	return w->refuse ? err_set(e, ERR_USAGE, "no") : 0;
}

static int
change(struct fx *x, const char *name, struct wish *w,
    const struct secret *password)
{
	struct store_change ch = { apply, w, password, &w->forget };

	return store_account_change(x->s, x->a, str_of(name), &ch, &x->e);
}

static struct store_account
get(struct fx *x, const char *name)
{
	struct store_account got;

	assert_ok(x, store_account_get(x->s, x->a, str_of(name), &got, &x->e));
	return got;
}

static void
one_thing(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct wish w = { .host = "h.example" };

	(void)fx_account(x, "b");
	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, x->other, &x->e));
	assert_ok(x, change(x, "a", &w, NULL));
	assert_int_equal(w.seen, 1);
	assert_str(get(x, "a").imap_host, "h.example");
	assert_int_equal(get(x, "a").mode, MODE_RW);
	assert_true(get(x, "a").has_password);
	assert_str(get(x, "b").imap_host, "");
}

/* The id stays, and so does everything sealed to it. */
static void
renamed(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct wish w = { .name = "c" };
	struct secret *pw = fx_secret("new"), *out = NULL;

	assert_ok(x, change(x, "a", &w, pw));
	assert_int_equal(get(x, "c").id, id);
	assert_ok(x,
	    store_account_secret(x->s, id, STORE_PASSWORD, &out, &x->e));
	assert_secret(out, "new");
	secret_close(&out);
	secret_close(&pw);
}

static void
refused(void **state)
{
	struct fx *x = *state;
	struct wish bad[] = {
		{ .name = "b" },
		{ .name = "b b" },
		{ .host = "h", .refuse = true },
	};

	(void)fx_account(x, "a");
	(void)fx_account(x, "b");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_err(x, change(x, "a", &bad[i], x->other), ERR_USAGE);
		assert_str(get(x, "a").imap_host, "");
		assert_false(get(x, "a").has_password);
	}
	assert_err(x, change(x, "none", &bad[0], NULL), ERR_NOT_FOUND);
	assert_int_equal(bad[0].seen, 1);
}

static void
forgotten(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct wish w = { .forget = true };

	assert_ok(x,
	    store_account_seal(x->s, id, STORE_PASSWORD, x->other, &x->e));
	assert_ok(x, change(x, "a", &w, NULL));
	assert_false(get(x, "a").has_password);
	/* A new one replaces it. */
	assert_ok(x, change(x, "a", &w, x->other));
	assert_true(get(x, "a").has_password);
}

static void
not_agents(void **state)
{
	struct fx *x = *state;
	struct wish w = { 0 };

	(void)fx_account(x, "a");
	store_close(&x->s);
	x->s = fx_open(x, STORE_AGENT);
	assert_err(x, change(x, "a", &w, NULL), ERR_CONFIG);
	assert_int_equal(w.seen, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("one thing changes and the rest stays", one_thing),
		TEST("a name may change, with a new password", renamed),
		TEST("what is refused changes nothing", refused),
		TEST("a password may be forgotten", forgotten),
		TEST("an agent changes nothing", not_agents),
	};

	return cmocka_run_group_tests_name("store/account_change", tests, NULL,
	    NULL);
}
