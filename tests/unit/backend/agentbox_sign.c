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
	if (str_starts(bytes, S("emcli agentbox 2 agent\n")))
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
	for (int earlier = 0; earlier < 2; earlier++) {
		struct str text = str_fmt(s->a, "emcli agentbox %s\n%s\n%.*s\n",
		    earlier ? "1" : "2 agent", by_operator.id.p,
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
		/* Earlier versions signed all alike. */
		assert_int_equal(got.authentic, earlier);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SITE_TEST(the_operators_is_signed_as_such),
	};

	return cmocka_run_group_tests_name("backend/agentbox_sign", tests, NULL,
	    NULL);
}
