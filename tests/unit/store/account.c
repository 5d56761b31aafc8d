/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts: every field is read back, credentials stay in their place. */
#include "fixture.h"

#include "store/account_setting.h"

static const struct store_account full = {
	.name = SI("work.mail_1-a"),
	.backend = SI("imap"),
	.mode = MODE_RW,
	.outbound = OUTBOUND_APPROVE,
	.from_addr = SI("me@b.example"),
	.username = SI("me"),
	.auth_type = SI("password"),
	.imap_host = SI("imap.b.example"),
	.smtp_host = SI("smtp.b.example"),
	.imap_port = 993,
	.smtp_port = 65535,
	.imap_security = SI("tls"),
	.smtp_security = SI("starttls"),
	.ca_file = SI("/etc/ca.pem"),
	.tls_pin = SI("pin="),
	.path = SI("/mail"),
	.attach_dir = SI("/out"),
	.organise = ORGANISE_ON,
	.in_on = true,
	.in_dmarc = true,
	.out_on = false,
	.subject_regex = SI("^x"),
	.process_backlog = true,
	.quirk_id = STORE_ID_OFF,
	.quirk_no_sasl_ir = true,
	.no_sent_copy = true,
};

static void
same(const struct store_account *x, const struct store_account *y)
{
	assert_true(str_eq(x->name, y->name));
	assert_true(str_eq(x->backend, y->backend));
	assert_int_equal(x->mode, y->mode);
	assert_int_equal(x->outbound, y->outbound);
	assert_true(str_eq(x->from_addr, y->from_addr));
	assert_true(str_eq(x->username, y->username));
	assert_true(str_eq(x->auth_type, y->auth_type));
	assert_true(str_eq(x->imap_host, y->imap_host));
	assert_true(str_eq(x->smtp_host, y->smtp_host));
	assert_int_equal(x->imap_port, y->imap_port);
	assert_int_equal(x->smtp_port, y->smtp_port);
	assert_true(str_eq(x->imap_security, y->imap_security));
	assert_true(str_eq(x->smtp_security, y->smtp_security));
	assert_true(str_eq(x->ca_file, y->ca_file));
	assert_true(str_eq(x->tls_pin, y->tls_pin));
	assert_true(str_eq(x->path, y->path));
	assert_true(str_eq(x->attach_dir, y->attach_dir));
	assert_int_equal(x->organise, y->organise);
	assert_int_equal(x->in_on, y->in_on);
	assert_int_equal(x->in_dmarc, y->in_dmarc);
	assert_int_equal(x->out_on, y->out_on);
	assert_true(str_eq(x->subject_regex, y->subject_regex));
	assert_int_equal(x->process_backlog, y->process_backlog);
	assert_int_equal(x->quirk_id, y->quirk_id);
	assert_int_equal(x->quirk_no_sasl_ir, y->quirk_no_sasl_ir);
	assert_int_equal(x->no_sent_copy, y->no_sent_copy);
}

static void
fields(void **state)
{
	struct fx *x = *state;
	struct store_account got;

	assert_ok(x, store_account_add(x->s, &full, NULL, &x->e));
	assert_ok(x, store_account_get(x->s, x->a, full.name, &got, &x->e));
	same(&full, &got);
	assert_false(got.has_password);
	assert_true(got.id > 0);
}

static void
bare(void **state)
{
	struct fx *x = *state;
	struct store_account min = { .name = S("m"), .backend = S("maildir") };
	struct store_account got;

	assert_ok(x, store_account_add(x->s, &min, NULL, &x->e));
	assert_ok(x, store_account_get(x->s, x->a, S("m"), &got, &x->e));
	same(&min, &got);
	assert_int_equal(got.mode, MODE_RO);
	assert_int_equal(got.outbound, OUTBOUND_NONE);
}

/* Words that the schema does not allow can still get into a file. */
static void
unknown_words(void **state)
{
	struct fx *x = *state;
	struct store_account got;

	FX_FILE();
	(void)fx_account(x, "work");
	fx_sql(x,
	    "PRAGMA ignore_check_constraints = 1;"
	    "UPDATE accounts SET mode = 'rw', outbound = 'all',"
	    " imap_port = 70000, smtp_port = -1, quirk_id = 'maybe',"
	    " organise = 'yes'");
	assert_ok(x, store_account_get(x->s, x->a, S("work"), &got, &x->e));
	assert_int_equal(got.mode, MODE_RO);
	assert_int_equal(got.outbound, OUTBOUND_NONE);
	assert_int_equal(got.imap_port, 0);
	assert_int_equal(got.smtp_port, 0);
	assert_int_equal(got.quirk_id, STORE_ID_AUTO);
	assert_int_equal(got.organise, ORGANISE_OFF);
}

static void
names(void **state)
{
	static char text[65];
	static const struct str bad[] = { { NULL, 0 }, SI("a b"), SI("a/b"),
		SI("\xC3\xA4"), SI("a\0b"), { text, 65 } };
	struct fx *x = *state;
	struct store_account acct = full;

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		acct.name = bad[i];
		assert_err(x, store_account_add(x->s, &acct, NULL, &x->e),
		    ERR_USAGE);
	}
	acct.name = (struct str){ text, 64 };
	assert_ok(x, store_account_add(x->s, &acct, NULL, &x->e));
}

static void
taken(void **state)
{
	struct fx *x = *state;
	struct store_account got;
	int64_t id = fx_account(x, "work");
	struct store_account acct = full;

	acct.name = S("work");
	assert_err(x, store_account_add(x->s, &acct, x->other, &x->e),
	    ERR_USAGE);
	assert_ok(x, store_account_get(x->s, x->a, S("work"), &got, &x->e));
	assert_int_equal(got.id, id);
	assert_false(got.has_password);
}

static void
list(void **state)
{
	struct fx *x = *state;
	struct store_account *v = NULL, got;
	struct strs names;
	size_t n = 9;

	assert_ok(x, store_account_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 0);
	for (char c = 'z'; c >= 'a'; c--)
		(void)fx_account(x, (char[]){ c, '\0' });
	assert_ok(x, store_account_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 26);
	assert_str(v[0].name, "a");
	assert_str(v[25].name, "z");
	assert_ok(x, store_account_names(x->s, x->a, &names, &x->e));
	assert_int_equal(names.n, 26);
	assert_str(names.v[25], "z");
	assert_ok(x, store_account_of(x->s, x->a, v[25].id, &got, &x->e));
	assert_str(got.name, "z");
}

static void
absent(void **state)
{
	struct fx *x = *state;
	struct store_account got;
	struct secret *p = NULL;

	assert_err(x, store_account_get(x->s, x->a, S("no"), &got, &x->e),
	    ERR_NOT_FOUND);
	assert_err(x, store_account_of(x->s, x->a, 7, &got, &x->e),
	    ERR_NOT_FOUND);
	assert_err(x, store_account_remove(x->s, S("no"), &x->e),
	    ERR_NOT_FOUND);
	assert_err(x, store_account_secret(x->s, 7, STORE_PASSWORD, &p, &x->e),
	    ERR_NOT_FOUND);
	assert_err(x,
	    store_account_seal(x->s, 7, STORE_PASSWORD, x->other, &x->e),
	    ERR_NOT_FOUND);
	assert_null(p);
}

static void
password(void **state)
{
	struct fx *x = *state;
	struct secret *in = fx_secret("correct horse");
	struct secret *out = NULL;
	struct store_account got;
	struct store *agent;

	FX_FILE();
	assert_ok(x, store_account_add(x->s, &full, in, &x->e));
	assert_ok(x, store_account_get(x->s, x->a, full.name, &got, &x->e));
	assert_true(got.has_password);
	/* An agent's run can use what the operator sealed. */
	agent = fx_open(x, STORE_AGENT);
	assert_ok(x,
	    store_account_secret(agent, got.id, STORE_PASSWORD, &out, &x->e));
	assert_secret(out, "correct horse");
	secret_close(&out);
	secret_close(&in);
	store_close(&agent);
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM accounts WHERE"
			     " instr(enc_password, 'correct') > 0"),
	    0);
}

static void
columns(void **state)
{
	static const char *const texts[] = { "pw", "id", "secret", "token" };
	struct fx *x = *state;
	int64_t id = fx_account(x, "work");

	for (int i = 0; i < 4; i++) {
		struct secret *in = fx_secret(texts[i]);

		assert_ok(x,
		    store_account_seal(x->s, id, (enum store_sealed)i, in,
			&x->e));
		secret_close(&in);
	}
	for (int i = 0; i < 4; i++) {
		struct secret *out = NULL;

		assert_ok(x,
		    store_account_secret(x->s, id, (enum store_sealed)i, &out,
			&x->e));
		assert_secret(out, texts[i]);
		secret_close(&out);
	}
}

static void
unsealable(struct fx *x, int64_t id, enum store_sealed what)
{
	struct secret *out = NULL;

	assert_err(x, store_account_secret(x->s, id, what, &out, &x->e),
	    ERR_CONFIG);
	assert_null(out);
}

static void
moved(void **state)
{
	struct fx *x = *state;
	int64_t a = fx_account(x, "a");
	int64_t b = fx_account(x, "b");

	assert_ok(x,
	    store_account_seal(x->s, a, STORE_PASSWORD, x->other, &x->e));
	fx_sql(x,
	    "UPDATE accounts SET enc_password ="
	    " (SELECT enc_password FROM accounts WHERE name = 'a'),"
	    " enc_oauth_client_id ="
	    " (SELECT enc_password FROM accounts WHERE name = 'a')"
	    " WHERE name = 'b'");
	unsealable(x, b, STORE_PASSWORD);
	unsealable(x, b, STORE_OAUTH_CLIENT_ID);
	fx_sql(x, "UPDATE accounts SET enc_oauth_client_id = enc_password");
	unsealable(x, a, STORE_OAUTH_CLIENT_ID);
}

static void
tampered(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	FX_FILE();
	fx_sql(x, "UPDATE accounts SET enc_password = x''");
	unsealable(x, id, STORE_PASSWORD);
	fx_sql(x, "UPDATE accounts SET enc_password = zeroblob(40)");
	unsealable(x, id, STORE_PASSWORD);
	fx_sql(x, "UPDATE accounts SET enc_password = zeroblob(400000)");
	unsealable(x, id, STORE_PASSWORD);
	fx_sql(x, "UPDATE accounts SET enc_password = 'plain text'");
	unsealable(x, id, STORE_PASSWORD);
}

static void
removed(void **state)
{
	struct fx *x = *state;
	struct str addr = S("a@b.example");
	struct strs l = { &addr, 1 };
	int64_t id = fx_account(x, "a");
	struct store_folder f = { id, S("agent"), S("INBOX"), 7 };
	struct store_uids y;
	uint32_t floor, uid = 9;
	bool reset;

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_IN, &l, &x->e));
	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &l, &x->e));
	assert_ok(x, store_seen_meet(x->s, &f, 5, &floor, &reset, &x->e));
	assert_ok(x, store_seen_ack(x->s, &f, &uid, 1, &x->e));
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &l, S(""), &y, &x->e));
	assert_ok(x, store_account_remove(x->s, S("a"), &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT (SELECT count(*) FROM whitelist_in)"
			     " + (SELECT count(*) FROM whitelist_out)"
			     " + (SELECT count(*) FROM folder_state)"
			     " + (SELECT count(*) FROM acked)"
			     " + (SELECT count(*) FROM uid_folder)"
			     " + (SELECT count(*) FROM uid_map)"),
	    0);
	/* Its number is not used again: old seals cannot be opened. */
	assert_true(fx_account(x, "a") > id);
}

/*
 * A new setting is a rule, which policy export has; or decides where
 * credentials go, which an import must not change without removing them; or is
 * named here.
 */
static void
kinds(void **state)
{
	static const struct str neither[] = { SI("from"), SI("list"),
		SI("list_folder"), SI("drafts_folder"), SI("sent_folder"),
		SI("thread_url"), SI("quirk_id"), SI("quirk_sasl_ir"),
		SI("sent_copy"), SI("signature_file"), SI("html_copy") };
	const size_t n = sizeof(neither) / sizeof(neither[0]);
	size_t left = 0;

	(void)state;
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		bool named = false;

		for (size_t k = 0; k < n; k++)
			named = named || str_eq(str_of(s->name), neither[k]);
		if (s->rule + s->server + named != 1)
			fail_msg("%s", s->name);
		left += named;
	}
	assert_int_equal(left, n);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("every field comes back", fields),
		TEST("fields may be empty", bare),
		TEST("words that mean nothing read as the safe ones",
		    unknown_words),
		TEST("names are short and plain", names),
		TEST("a name is taken once", taken),
		TEST("accounts are listed by name", list),
		TEST("what is not there is not found", absent),
		TEST("a password is sealed and comes back", password),
		TEST("each sealed column holds its own", columns),
		TEST("a moved credential is refused", moved),
		TEST("a damaged credential is refused", tampered),
		TEST("removing takes everything along", removed),
		TEST("each setting is of one kind", kinds),
	};

	return cmocka_run_group_tests_name("store/account", tests, NULL, NULL);
}
