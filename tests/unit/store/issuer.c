/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's identity provider, its client's secret, and what is kept of
 * what it said. */
#include "fixture.h"

#include "store/agent.h"
#include "store/check.h"
#include "store/issuer.h"

static const struct store_issuer known = {
	.issuer = SI("https://id.example/"),
	.resource = SI("https://m.example/mcp"),
	.scope = SI("mail"),
	.client = SI("c"),
	.any_type = true,
};

static void
it_is_kept_as_it_was_given(void **state)
{
	struct fx *x = *state;
	CLEANUP(secret_close) struct secret *secret = secret_new("shh!", 4);
	CLEANUP(secret_close) struct secret *got = NULL;
	struct store_issuer is;

	assert_int_equal(store_issuer_get(x->s, x->a, &is, &x->e), 0);
	assert_ok(x, store_issuer_set(x->s, &known, secret, &x->e));
	assert_int_equal(store_issuer_get(x->s, x->a, &is, &x->e), 1);
	assert_true(str_eq(is.issuer, known.issuer));
	assert_true(str_eq(is.resource, known.resource));
	assert_true(str_eq(is.scope, known.scope));
	assert_true(str_eq(is.client, known.client));
	assert_int_equal(is.audience.n + is.ca_file.n, 0);
	assert_true(is.any_type && is.has_secret);
	assert_ok(x, store_issuer_secret(x->s, &got, &x->e));
	assert_true(secret_eq(got, secret));
	/* Another one replaces it, and its secret. */
	assert_ok(x, store_issuer_set(x->s, &known, NULL, &x->e));
	secret_close(&got);
	assert_err(x, store_issuer_secret(x->s, &got, &x->e), ERR_NOT_FOUND);
	assert_ok(x, store_issuer_remove(x->s, &x->e));
	assert_err(x, store_issuer_remove(x->s, &x->e), ERR_NOT_FOUND);
}

static void
a_secret_that_was_changed_does_not_open(void **state)
{
	struct fx *x = *state;
	CLEANUP(secret_close) struct secret *secret = secret_new("shh!", 4);
	CLEANUP(secret_close) struct secret *got = NULL;
	struct store_checked found = { 0 };

	assert_ok(x, store_issuer_set(x->s, &known, secret, &x->e));
	assert_ok(x, store_check_rows(x->s, x->a, &found, &x->e));
	assert_int_equal(found.faults.n, 0);
	fx_sql(x, "UPDATE issuer SET enc_client_secret = x'0102'");
	assert_err(x, store_issuer_secret(x->s, &got, &x->e), ERR_CONFIG);
	assert_ok(x, store_check_rows(x->s, x->a, &found, &x->e));
	assert_true(found.faults.n > 0);
	assert_true(str_eq(found.faults.v[0],
	    S("issuer https://id.example/: the issuer's client secret cannot "
	      "be unsealed: emcli issuer set again")));
}

/* Else whoever writes the file has it sent to an issuer of his own. */
static void
a_secret_opens_in_its_own_row_alone(void **state)
{
	static const char *const edits[] = {
		"UPDATE issuer SET issuer = 'https://evil.example'",
		"UPDATE issuer SET client_id = 'c2'",
		"UPDATE issuer SET ca_file = '/tmp/ca.pem'",
		/* As if a part of one were a part of the next. */
		"UPDATE issuer SET issuer = 'https://id.example/' || x'0a' ||"
		" 'c', client_id = NULL",
	};
	struct fx *x = *state;
	CLEANUP(secret_close) struct secret *secret = secret_new("shh!", 4);
	CLEANUP(secret_close) struct secret *got = NULL;

	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		assert_ok(x, store_issuer_set(x->s, &known, secret, &x->e));
		fx_sql(x, edits[i]);
		assert_err(x, store_issuer_secret(x->s, &got, &x->e),
		    ERR_CONFIG);
		assert_null(got);
	}
	/* What it is not bound to may differ. */
	assert_ok(x, store_issuer_set(x->s, &known, secret, &x->e));
	fx_sql(x, "UPDATE issuer SET audience = 'a'");
	assert_ok(x, store_issuer_secret(x->s, &got, &x->e));
	assert_true(secret_eq(got, secret));
}

static void
an_agent_sets_none(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);

	assert_err(x, store_issuer_set(s, &known, NULL, &x->e), ERR_CONFIG);
	assert_err(x, store_issuer_remove(s, &x->e), ERR_CONFIG);
}

/* Whoever writes the file without a key cannot put keys of his own there. */
static void
what_it_said_is_marked(void **state)
{
	static const char *const edits[] = {
		"UPDATE issuer_kept SET says = '{\"keys\":[1]}'",
		"UPDATE issuer_kept SET issuer = 'https://evil.example'",
		"UPDATE issuer_kept SET got_ms = got_ms + 1",
		"UPDATE issuer_kept SET tried_ms = 0",
		"UPDATE issuer_kept SET mark = ''",
	};
	const struct store_issuer_kept put = { known.issuer, S("{\"keys\":[]}"),
		1000, 2000 };
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);
	struct store_issuer_kept got;

	assert_int_equal(store_issuer_kept_get(s, x->a, &got, &x->e), 0);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		assert_ok(x, store_issuer_kept_put(s, &put, &x->e));
		assert_int_equal(store_issuer_kept_get(s, x->a, &got, &x->e),
		    1);
		assert_true(str_eq(got.says, put.says));
		assert_int_equal(got.got_ms, 1000);
		assert_int_equal(got.tried_ms, 2000);
		fx_sql(x, edits[i]);
		assert_int_equal(store_issuer_kept_get(s, x->a, &got, &x->e),
		    0);
		assert_int_equal(got.says.n, 0);
	}
	/* Another provider begins anew. */
	assert_ok(x, store_issuer_kept_put(s, &put, &x->e));
	assert_ok(x, store_issuer_set(x->s, &known, NULL, &x->e));
	assert_int_equal(store_issuer_kept_get(s, x->a, &got, &x->e), 0);
}

static void
a_subject_is_one_agent(void **state)
{
	struct fx *x = *state;
	struct store_agent dora = { .name = S("dora"),
		.issuer = S("https://id.example/"),
		.subject = S("7") };
	struct store_agent got;

	assert_ok(x, store_agent_add(x->s, x->a, &dora, S("t1"), &x->e));
	dora.name = S("emil");
	assert_err(x, store_agent_add(x->s, x->a, &dora, S("t2"), &x->e),
	    ERR_USAGE);
	/* The same subject of another issuer is somebody else. */
	dora.issuer = S("https://id2.example");
	assert_ok(x, store_agent_add(x->s, x->a, &dora, S("t3"), &x->e));
	assert_int_equal(store_agent_by_subject(x->s, x->a,
			     S("https://id.example/"), S("7"), &got, &x->e),
	    1);
	assert_true(str_eq(got.name, S("dora")));
	assert_int_equal(store_agent_by_subject(x->s, x->a,
			     S("https://id.example"), S("7"), &got, &x->e),
	    0);
	/* Those without one are nobody's. */
	dora = (struct store_agent){ .name = S("none") };
	assert_ok(x, store_agent_add(x->s, x->a, &dora, S("t4"), &x->e));
	assert_int_equal(store_agent_by_subject(x->s, x->a, S(""), S(""), &got,
			     &x->e),
	    0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("it is kept as it was given", it_is_kept_as_it_was_given),
		TEST("a secret that was changed does not open",
		    a_secret_that_was_changed_does_not_open),
		TEST("a secret opens in its own row alone",
		    a_secret_opens_in_its_own_row_alone),
		TEST("an agent sets none", an_agent_sets_none),
		TEST("what it said is marked", what_it_said_is_marked),
		TEST("a subject is one agent", a_subject_is_one_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
