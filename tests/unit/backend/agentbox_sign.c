/* SPDX-License-Identifier: Apache-2.0 */
/* A message in a mailbox root is signed for the agent or for the operator. */
#include "agentbox_site.h"

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/register.h"

static struct agentbox_send
mail(struct site *s, const char *principal, const char *address)
{
	struct agentbox_send m = { .principal = str_of(principal),
		.address = str_of(address),
		.subject = S("Build failed: step 3"),
		.body = S("a\n") };

	str_push(s->a, &m.to, S(WRITER));
	return m;
}

static struct agentbox_sent
deliver(struct site *s, const struct agentbox_send *m)
{
	struct agentbox_sent out = { 0 };

	site_ok(s, agentbox_deliver(s->r, m, s->a, &out, &s->e));
	return out;
}

/* A process without the key: what is signed for it is of agents alone. */
static int
sign_for_agents(void *ctx, struct str bytes, unsigned char out[32],
    struct err *e)
{
	if (str_starts(bytes, S("emcli agentbox 3 agent\n")))
		return site_mac(ctx, bytes, out, e);
	return err_set(e, ERR_POLICY, "not that");
}

static int
knows_all(void *ctx, struct str bytes, const unsigned char mac[32],
    struct err *e)
{
	unsigned char ours[32];

	(void)site_mac(ctx, bytes, ours, e);
	return memcmp(ours, mac, 32) == 0;
}

/* As what the operator's message is signed.  The first version signed all
 * alike. */
static const struct claim {
	const char *whose;
	bool good;
} claims[] = {
	{ "3 agent", false },
	{ "3 agent\n" AGENTBOX_OPERATOR, false },
	{ "2 agent", false },
	{ "3 operator", true },
	{ "2 operator", true },
	{ "1", true },
};

static void
the_operators_is_signed_as_such(void **state)
{
	struct site *s = *state;
	struct agentbox_send m, agents;
	struct agentbox_sent by_operator, by_agent, no;
	struct agentbox_loaded got;
	unsigned char mac[32];
	const char *set;

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	agents = mail(s, "HOUMAO-ci", CI);
	m = mail(s, AGENTBOX_OPERATOR_PRINCIPAL, AGENTBOX_OPERATOR);
	by_operator = deliver(s, &m);
	site_close(s);
	s->use.mac = sign_for_agents;
	s->use.fits = knows_all;
	site_open(s);
	by_agent = deliver(s, &agents);
	assert_int_equal(agentbox_deliver(s->r, &m, s->a, &no, &s->e), -1);
	assert_int_equal(s->e.kind, ERR_POLICY);
	for (int i = 0; i < 2; i++) {
		struct str id = i == 0 ? by_operator.id : by_agent.id;

		assert_int_equal(agentbox_load(s->r, id, s->a, &got, &s->e), 1);
		assert_true(got.authentic);
	}
	/* What is signed as an agent's does not make it the operator's. */
	assert_int_equal(agentbox_load(s->r, by_operator.id, s->a, &got, &s->e),
	    1);
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct str text = str_fmt(s->a, "emcli agentbox %s\n%s\n%.*s\n",
		    claims[i].whose, by_operator.id.p,
		    STR_ARG(agentbox_attach_digest(s->a, got.file)));

		(void)site_mac(NULL, text, mac, &s->e);
		set = str_fmt(s->a,
		    "UPDATE mac SET mac = x'%s' WHERE message_id = '%s'",
		    str_hex_dup(s->a, mac, 32).p, by_operator.id.p)
			  .p;
		site_sql(s, "emcli.sqlite", set);
		assert_int_equal(agentbox_load(s->r, by_operator.id, s->a, &got,
				     &s->e),
		    1);
		assert_int_equal(got.authentic, claims[i].good);
	}
}

/* Whoever may sign as one agent makes no message another's. */
static void
an_agents_is_signed_as_its_own(void **state)
{
	struct site *s = *state;
	struct agentbox_send m;
	struct agentbox_sent sent;
	struct agentbox_loaded got;
	unsigned char mac[32];

	site_make(s);
	site_register(s, WRITER, "HOUMAO-writer");
	site_register(s, CI, "HOUMAO-ci");
	m = mail(s, "HOUMAO-ci", CI);
	sent = deliver(s, &m);
	assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got, &s->e), 1);
	for (int own = 0; own < 2; own++) {
		struct str text = str_fmt(s->a,
		    "emcli agentbox 3 agent\n%s\n%s\n%.*s\n", own ? CI : WRITER,
		    sent.id.p, STR_ARG(agentbox_attach_digest(s->a, got.file)));

		assert_int_equal(agentbox_load_is_of(s->a, text, S(CI)), own);
		(void)site_mac(NULL, text, mac, &s->e);
		site_sql(s, "emcli.sqlite",
		    str_fmt(s->a,
			"UPDATE mac SET mac = x'%s' WHERE message_id = '%s'",
			str_hex_dup(s->a, mac, 32).p, sent.id.p)
			.p);
		assert_int_equal(agentbox_load(s->r, sent.id, s->a, &got,
				     &s->e),
		    1);
		assert_int_equal(got.authentic, own);
	}
}

/* What an account asks to have signed, and whether it is its own. */
static const struct asked {
	const char *text, *address;
	bool own;
} asked[] = {
	{ "emcli agentbox 3 agent\nci@x.example\nm\nd\n", "ci@x.example",
	    true },
	{ "emcli agentbox 3 agent\nci@x.example\nm\nd\n", "CI@x.example",
	    true },
	{ "emcli agentbox 3 agent\nci@x.example\nm\nd\n", "i@x.example",
	    false },
	{ "emcli agentbox 3 agent\nci@x.example.org\nm\nd\n", "ci@x.example",
	    false },
	{ "emcli agentbox 3 agent\nCI@x.example\nm\nd\n", "ci@x.example",
	    false },
	{ "emcli agentbox 3 operator\nm\nd\n", "ci@x.example", false },
	{ "emcli agentbox 3 operator\nm\nd\n", AGENTBOX_OPERATOR, true },
	{ "emcli agentbox 3 agent\n" AGENTBOX_OPERATOR "\nm\nd\n",
	    AGENTBOX_OPERATOR, false },
	{ "emcli agentbox 2 agent\nm\nd\n", "ci@x.example", false },
	{ "emcli agentbox 1\nm\nd\n", "ci@x.example", false },
	{ "", "ci@x.example", false },
};

static void
an_account_asks_for_its_own(void **state)
{
	struct site *s = *state;

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		assert_int_equal(agentbox_load_is_of(s->a,
				     str_of(asked[i].text),
				     str_of(asked[i].address)),
		    asked[i].own);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(the_operators_is_signed_as_such),
		SITE_TEST(an_agents_is_signed_as_its_own),
		SITE_TEST(an_account_asks_for_its_own),
	};

	return cmocka_run_group_tests_name("backend/agentbox_sign", tests, NULL,
	    NULL);
}
