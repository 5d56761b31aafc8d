/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data that an approval is bound to.  Every column of an account is in the
 * table below, so that a new column must say whether it counts.
 */
#include "../store/fixture.h"

#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "gate/rules.h"

static const struct column {
	const char *name;
	const char *value; /* a different one, as SQL */
	const char *why;   /* it does not count; NULL: it does */
} columns[] = {
	{ "mode", "'RO'", NULL },
	{ "outbound", "'approve'", NULL },
	{ "whitelist_in_enabled", "1", NULL },
	{ "whitelist_out_enabled", "1", NULL },
	{ "subject_regex", "'plan'", NULL },
	{ "authserv_id", "'mx.us.example'", NULL },
	{ "attach_dir", "'/srv/out'", NULL },
	{ "scope", "'thread'", NULL },
	{ "secrets_check", "0", NULL },
	{ "taint_minutes", "5", NULL },
	{ "limit_messages", "5", NULL },
	{ "limit_new_recipients", "5", NULL },
	{ "limit_recipients", "5", NULL },
	{ "limit_bytes", "5", NULL },
	{ "check_unfinished", "0", NULL },
	{ "forward", "1", NULL },
	{ "html_copy", "1", "in the message's bytes" },
	{ "signature", "'Ann'", "in the message's bytes" },
	{ "id", NULL, "in the row's own digest" },
	{ "name", "'home'", "in the row's own digest" },
	{ "from_addr", "'i@us.example'", "held to the envelope's sender" },
	{ "whitelist_auth", "'dmarc'", "what an entry asks when it is added" },
	{ "process_backlog", "1", "of reading" },
	{ "organise", "'on'", "of what stays" },
	{ "limit_organise", "5", "of what stays" },
	{ "organise_folders", "'INBOX'", "of what stays" },
	{ "bound", "1", "of an agent's own mailbox" },
	{ "backend", "'maildir'", "where the mail is" },
	{ "path", "'/srv/mail'", "where the mail is" },
	{ "url", "'https://us.example'", "where the mail is" },
	{ "imap_host", "'imap.us.example'", "where the mail is" },
	{ "imap_port", "1", "where the mail is" },
	{ "imap_security", "'starttls'", "where the mail is" },
	{ "smtp_host", "'smtp.us.example'", "the operator's server" },
	{ "smtp_port", "1", "the operator's server" },
	{ "smtp_security", "'starttls'", "the operator's server" },
	{ "ca_file", "'/srv/ca.pem'", "how a server is known" },
	{ "tls_pin", "'AAAA'", "how a server is known" },
	{ "username", "'me'", "how to log in" },
	{ "auth_type", "'oauth2'", "how to log in" },
	{ "quirk_id", "'on'", "how to log in" },
	{ "quirk_sasl_ir", "0", "how to log in" },
	{ "enc_password", "x'00'", "how to log in" },
	{ "enc_oauth_client_id", "x'00'", "how to log in" },
	{ "enc_oauth_client_secret", "x'00'", "how to log in" },
	{ "enc_oauth_refresh_token", "x'00'", "how to log in" },
	{ "oauth_provider", "'x'", "how to log in" },
	{ "oauth_issuer", "'x'", "how to log in" },
	{ "oauth_token_url", "'x'", "how to log in" },
	{ "oauth_login", NULL, "how to log in" },
	{ "oauth_scope", "'x'", "how to log in" },
	{ "oauth_consent_s", "1", "how to log in" },
	{ "oauth_refresh_s", "1", "how to log in" },
	{ "sent_copy", "0", "after it left" },
	{ "sent_folder", "'Out'", "after it left" },
	{ "drafts_folder", "'D'", "of drafts" },
	{ "role", "'primary'", "of sources" },
	{ "position", "3", "of sources" },
	{ "mandatory", "1", "of sources" },
	{ "list", "'dev@us.example'", "of sources" },
	{ "list_folder", "'dev'", "of sources" },
	{ "thread_url", "'https://us.example/<id>'", "of sources" },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* The lists, each with one more entry. */
static const char *const lists[] = {
	"INSERT INTO whitelist_in (account_id, address) "
	"SELECT id, 'boss@us.example' FROM accounts",
	"UPDATE whitelist_in SET auth = 'dmarc'",
	"INSERT INTO whitelist_out (account_id, address) "
	"SELECT id, '@us.example' FROM accounts",
};

struct held {
	struct store_account acct;
	struct policy_rules rules;
};

/* The existing account, under any name. */
static void
load(struct fx *x, struct held *out)
{
	struct store_account *v;
	size_t n;

	rules_close(&out->rules);
	assert_ok(x, store_account_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 1);
	out->acct = v[0];
	assert_ok(x, rules_load(x->s, x->a, &out->acct, &out->rules, &x->e));
}

static struct str
digest(struct fx *x, struct held *h)
{
	load(x, h);
	return outbox_digest_policy(x->a, &h->acct, &h->rules);
}

static void
every_column_counts_or_is_said_not_to(void **state)
{
	struct fx *x = *state;

	(void)fx_account(x, "work");
	for (size_t i = 0; i < COLUMNS; i++) {
		const char *sql = str_fmt(x->a,
		    "SELECT count(*) FROM pragma_table_info('accounts') "
		    "WHERE name = '%s'",
		    columns[i].name)
				      .p;

		if (fx_number(x, sql) != 1)
			fail_msg("there is no column %s", columns[i].name);
	}
	/*
	 * A column without a row above: is an approval still valid after the
	 * operator changes it?
	 */
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM "
			     "pragma_table_info('accounts')"),
	    COLUMNS);
}

/* Sets it, checks, and resets it. */
static void
change(struct fx *x, const struct column *c, struct str before)
{
	struct held h = { 0 };
	struct str after;
	bool same;

	fx_sql(x, "CREATE TABLE was AS SELECT * FROM accounts");
	fx_sql(x,
	    str_fmt(x->a, "UPDATE accounts SET %s = %s", c->name, c->value).p);
	after = digest(x, &h);
	same = outbox_digest_policy_is(x->a, &h.acct, &h.rules, before);
	rules_close(&h.rules);
	fx_sql(x,
	    str_fmt(x->a, "UPDATE accounts SET %s = (SELECT %s FROM was)",
		c->name, c->name)
		.p);
	fx_sql(x, "DROP TABLE was");
	if (str_eq(before, after) != (c->why != NULL) ||
	    same != (c->why != NULL))
		fail_msg("%s: %s", c->name,
		    c->why != NULL ? c->why : "it does not count");
}

static void
a_change_of_what_counts_is_another_digest(void **state)
{
	struct fx *x = *state;
	struct held h = { 0 };
	struct str before;

	(void)fx_account(x, "work");
	before = digest(x, &h);
	for (size_t i = 0; i < COLUMNS; i++)
		if (columns[i].value != NULL)
			change(x, &columns[i], before);
	assert_true(str_eq(digest(x, &h), before));
	rules_close(&h.rules);
}

static void
an_entry_more_is_another_digest(void **state)
{
	struct fx *x = *state;
	struct held h = { 0 };
	struct str before, after;

	(void)fx_account(x, "work");
	before = digest(x, &h);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fx_sql(x, lists[i]);
		after = digest(x, &h);
		assert_false(str_eq(before, after));
		assert_false(
		    outbox_digest_policy_is(x->a, &h.acct, &h.rules, before));
		before = after;
	}
	rules_close(&h.rules);
}

/* An account with a distinct value in every place that ever counted. */
static void
fill(struct held *h)
{
	static struct str in = { "boss@us.example", 15 };
	static struct str dmarc = { "@them.example", 13 };

	*h = (struct held){
		.acct = { .subject_regex = S("plan"),
		    .authserv_id = S("mx.us.example"),
		    .attach_dir = S("/srv/out"),
		    .scope_thread = true,
		    .no_secrets_check = true,
		    .taint_minutes = 5,
		    .limit_messages = 6,
		    .limit_new_recipients = 7,
		    .limit_recipients = 8,
		    .limit_bytes = 9,
		    .no_unfinished_check = true,
		    .forward = true },
		.rules = { .mode = MODE_RW,
		    .outbound = OUTBOUND_APPROVE,
		    .in_on = true,
		    .in = { &in, 1 },
		    .in_dmarc = { &dmarc, 1 },
		    .out = { &in, 1 } },
	};
}

/*
 * The digests of that account by each version that added something, oldest
 * first: a message that such a version held is still valid.  Add to them; never
 * change one.
 */
static const char *const versions[] = {
	"6c7b754a05d4339dca378706d4cd76c90c8fb4154c820529eced96b658365d30",
	"9fdf5144bc1ffbdde1c0634948b2171612e291aa13514755a380ccf81fe84cc2",
	"6f89da12067cdd4439f080c87278e0bbab44590f9a6610656ecf5c4d9cda2d07",
};

#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

static void
what_an_older_version_held_is_held_still(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct held h;

	(void)state;
	fill(&h);
	assert_string_equal(str_c(a,
				outbox_digest_policy(a, &h.acct, &h.rules)),
	    versions[VERSIONS - 1]);
	for (size_t i = 0; i < VERSIONS; i++)
		assert_true(outbox_digest_policy_is(a, &h.acct, &h.rules,
		    str_of(versions[i])));
	h.acct.taint_minutes++;
	for (size_t i = 0; i < VERSIONS; i++)
		assert_false(outbox_digest_policy_is(a, &h.acct, &h.rules,
		    str_of(versions[i])));
	assert_false(outbox_digest_policy_is(a, &h.acct, &h.rules, S("")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every column of an account counts or is said not to",
		    every_column_counts_or_is_said_not_to),
		TEST("a change of what counts is another digest",
		    a_change_of_what_counts_is_another_digest),
		TEST("an entry more is another digest",
		    an_entry_more_is_another_digest),
		cmocka_unit_test_prestate(
		    what_an_older_version_held_is_held_still, NULL),
	};

	return cmocka_run_group_tests_name("gate/outbox_digest", tests, NULL,
	    NULL);
}
