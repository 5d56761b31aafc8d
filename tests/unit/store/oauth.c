/* SPDX-License-Identifier: Apache-2.0 */
/* Consents, rotated refresh tokens, and one refresh at a time. */
#include "fixture.h"

#include <sys/wait.h>

#include "base/clock.h"
#include "store/key.h"
#include "store/oauth.h"

static int
say_auth(struct store_account *acct, void *ctx, struct err *e)
{
	(void)e;
	acct->auth_type = str_of(ctx);
	return 0;
}

static void
change_auth(struct fx *x, char *auth)
{
	struct store_change ch = { .change = say_auth, .ctx = auth };

	assert_ok(x, store_account_change(x->s, x->a, S("work"), &ch, &x->e));
}

static int64_t
consented(struct fx *x)
{
	int64_t id = fx_account(x, "work");
	CLEANUP(secret_close) struct secret *cid = fx_secret("client");
	CLEANUP(secret_close) struct secret *cs = fx_secret("hush");
	CLEANUP(secret_close) struct secret *rt = fx_secret("rt1");
	CLEANUP(secret_close) struct secret *pw = fx_secret("raw token");
	struct store_consent c = {
		.from = { .issuer = S("https://login.example"),
		    .token_url = S("https://login.example/t"),
		    .basic = true,
		    .scope = S("mail") },
		.client_id = cid,
		.client_secret = cs,
		.refresh = rt,
	};

	assert_ok(x, store_account_seal(x->s, id, STORE_PASSWORD, pw, &x->e));
	assert_ok(x, store_oauth_consent(x->s, id, &c, &x->e));
	return id;
}

static void
token_is(struct fx *x, struct store *s, int64_t id, enum store_sealed what,
    const char *text)
{
	CLEANUP(secret_close) struct secret *out = NULL;

	assert_ok(x, store_account_secret(s, id, what, &out, &x->e));
	assert_secret(out, text);
}

/* The result of a refresh that was in progress comes too late. */
static void
forgets(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	bool set[STORE_SEALED];
	struct store_oauth o;

	change_auth(x, "oauth2");
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt1");
	change_auth(x, "password");
	assert_err(x, store_oauth_refreshed(x->s, id, x->other, &x->e),
	    ERR_NOT_FOUND);
	assert_ok(x, store_account_sealed(x->s, id, set, &x->e));
	for (int i = STORE_OAUTH_CLIENT_ID; i < STORE_SEALED; i++)
		assert_false(set[i]);
	assert_ok(x, store_oauth_get(x->s, x->a, id, &o, &x->e));
	assert_int_equal(o.issuer.n + o.token_url.n + o.scope.n, 0);
	assert_int_equal(o.consent_s + o.refresh_s, 0);
	assert_false(o.basic);
}

static void
keeps(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	struct store_account acct;
	struct store_oauth o;

	assert_ok(x, store_oauth_get(x->s, x->a, id, &o, &x->e));
	assert_str(o.issuer, "https://login.example");
	assert_str(o.token_url, "https://login.example/t");
	assert_str(o.scope, "mail");
	assert_int_equal(o.provider.n, 0);
	assert_true(o.basic && o.has_client_id && o.has_client_secret);
	assert_true(o.has_refresh && o.consent_s > 1700000000);
	token_is(x, x->s, id, STORE_OAUTH_CLIENT_ID, "client");
	token_is(x, x->s, id, STORE_OAUTH_CLIENT_SECRET, "hush");
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt1");
	/* The access token that was passed in is replaced. */
	assert_ok(x, store_account_get(x->s, x->a, S("work"), &acct, &x->e));
	assert_false(acct.has_password);
}

static void
replaces(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	CLEANUP(secret_close) struct secret *cid = fx_secret("other");
	CLEANUP(secret_close) struct secret *rt = fx_secret("rt9");
	struct store_consent c = { .from = { .provider = S("google") },
		.client_id = cid,
		.refresh = rt };
	struct store_oauth o;

	assert_ok(x, store_oauth_consent(x->s, id, &c, &x->e));
	assert_ok(x, store_oauth_get(x->s, x->a, id, &o, &x->e));
	assert_str(o.provider, "google");
	assert_int_equal(o.issuer.n + o.token_url.n + o.scope.n, 0);
	/* A public client must not continue to send another's secret. */
	assert_false(o.has_client_secret || o.basic);
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt9");
}

static void
rotates(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	CLEANUP(secret_close) struct secret *rt = fx_secret("rt2");
	struct store *agent = fx_open(x, STORE_AGENT);

	fx_sql(x, "UPDATE accounts SET oauth_refresh_s = 1");
	assert_ok(x, store_oauth_refreshed(agent, id, NULL, &x->e));
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt1");
	assert_ok(x, store_oauth_refreshed(agent, id, rt, &x->e));
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt2");
	assert_true(
	    fx_number(x, "SELECT oauth_refresh_s FROM accounts") > 1700000000);
	assert_err(x, store_oauth_refreshed(agent, 999, rt, &x->e),
	    ERR_NOT_FOUND);
	store_close(&agent);
}

static void
is_the_operators(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	CLEANUP(secret_close) struct secret *rt = fx_secret("rt2");
	struct store_consent c = { .client_id = rt, .refresh = rt };
	struct store *agent = fx_open(x, STORE_AGENT);

	assert_err(x, store_oauth_consent(agent, id, &c, &x->e), ERR_CONFIG);
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt1");
	store_close(&agent);
	assert_err(x, store_oauth_consent(x->s, 999, &c, &x->e), ERR_NOT_FOUND);
}

static void
locks(void **state)
{
	struct fx *x = *state;
	struct store *other = fx_open(x, STORE_AGENT);
	struct store_lock *one = NULL, *two = NULL;
	int64_t now = clock_mono_ms();

	assert_ok(x, store_lock_take(x->s, 1, now + 1000, &one, &x->e));
	assert_err(x, store_lock_take(other, 1, now + 100, &two, &x->e),
	    ERR_DB);
	assert_null(two);
	/* Other accounts need not wait. */
	assert_ok(x, store_lock_take(other, 2, now + 1000, &two, &x->e));
	store_lock_close(&two);
	assert_err(x,
	    store_lock_take(other, STORE_LOCK_ALL, now + 100, &two, &x->e),
	    ERR_DB);
	store_lock_close(&one);
	assert_ok(x, store_lock_take(other, 1, now + 1000, &two, &x->e));
	store_lock_close(&two);
	store_close(&other);
}

static void
lock_dies_with_its_process(void **state)
{
	struct fx *x = *state;
	struct store_lock *l = NULL;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct store *s = NULL;

		/* Secrets are not inherited: this opens its own. */
		x->admin = fx_secret(ADMIN_KEY);
		x->keys.admin = x->admin;
		if (store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e) < 0 ||
		    store_lock_take(s, 1, clock_mono_ms() + 1000, &l, &x->e) <
			0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_ok(x,
	    store_lock_take(x->s, 1, clock_mono_ms() + 100, &l, &x->e));
	store_lock_close(&l);
}

static void
rewrap_waits_for_a_refresh(void **state)
{
	struct fx *x = *state;
	int64_t id = consented(x);
	struct store *agent;
	struct store_lock *l = NULL;
	struct stat st;
	size_t n = 0;
	char path[128];

	FX_FILE();
	agent = fx_open(x, STORE_AGENT);
	assert_ok(x,
	    store_lock_take(agent, id, clock_mono_ms() + 1000, &l, &x->e));
	(void)snprintf(path, sizeof(path), "%s-lock", x->path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* The child starts the rewrap, and must still wait a moment later. */
	pid_t pid = fork();

	if (pid == 0) {
		struct store *s = NULL;
		struct store_keys k = { fx_secret(ADMIN_KEY),
			fx_secret(AGENT_KEY) };

		if (store_open(x->path, STORE_ADMIN, &k, &s, &x->e) < 0 ||
		    store_key_rewrap(s, &k, &n, &x->e) < 0)
			_exit(1);
		_exit(0);
	}
	(void)usleep(300000);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	CLEANUP(secret_close) struct secret *rt = fx_secret("rt2");
	int status = 1;

	assert_ok(x, store_oauth_refreshed(agent, id, rt, &x->e));
	store_lock_close(&l);
	store_close(&agent);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	token_is(x, x->s, id, STORE_OAUTH_REFRESH_TOKEN, "rt2");
}

/* What another provider gave is no use to the one that will be asked. */
static void
names(void **state)
{
	struct fx *x = *state;
	const struct store_oauth to = { .issuer = S("https://id.example"),
		.scope = S("a b") };
	int64_t id = consented(x);
	struct store_oauth o;

	assert_ok(x, store_oauth_name(x->s, id, &to, &x->e));
	assert_ok(x, store_oauth_get(x->s, x->a, id, &o, &x->e));
	assert_true(str_eq(o.issuer, to.issuer));
	assert_true(str_eq(o.scope, to.scope));
	assert_int_equal(o.provider.n, 0);
	assert_int_equal(o.token_url.n, 0);
	assert_int_equal(o.consent_s, 0);
	assert_false(o.has_client_id || o.has_client_secret || o.has_refresh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a consent is kept, sealed", keeps),
		TEST("another takes its place, all of it", replaces),
		TEST("who logs in by password has no consent", forgets),
		TEST("whom to ask is named before a consent", names),
		TEST("a rotated token takes the old one's place", rotates),
		TEST("an agent cannot consent", is_the_operators),
		TEST("one refresh an account at a time", locks),
		TEST("a lock dies with its process",
		    lock_dies_with_its_process),
		TEST("a rewrap waits for a refresh",
		    rewrap_waits_for_a_refresh),
	};

	return cmocka_run_group_tests_name("store/oauth", tests, NULL, NULL);
}
