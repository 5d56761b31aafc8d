/* SPDX-License-Identifier: Apache-2.0 */
/* What an account may have signed with the store's key, in a mailbox root. */
#include "../rows.h"

#include "../../fake/house.h"
#include "base/clock.h"
#include "source/source.h"

static const struct row_asked {
	const char *why, *text;
	enum err_kind kind;
} asked[] = {
	{ "a message of its own",
	    "emcli agentbox 3 agent\nme@us.example\nmsg-1\ndigest\n",
	    ERR_NONE },
	{ "one of another agent's",
	    "emcli agentbox 3 agent\nboss@us.example\nmsg-1\ndigest\n",
	    ERR_POLICY },
	{ "one of the operator's", "emcli agentbox 3 operator\nmsg-1\ndigest\n",
	    ERR_POLICY },
	{ "one of any agent's, as an earlier version",
	    "emcli agentbox 2 agent\nmsg-1\ndigest\n", ERR_POLICY },
	{ "nothing", "", ERR_POLICY },
};

static void
it_is_asked(void **state)
{
	const struct row_asked *r = *state;
	unsigned char mac[32] = { 0 };
	struct source src = { 0 };
	struct err e = { 0 };
	struct house h;

	house_open(&h, (struct terms){ .in_on = true });
	assert_int_equal(source_resolve(h.store, h.a, S("work"),
			     clock_mono_ms() + 1000, &src, &e),
	    0);
	assert_int_equal(src.view.mac(src.view.mac_ctx, str_of(r->text), mac,
			     &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	/* It may compare whatever there is. */
	assert_int_equal(src.view.fits(src.view.mac_ctx, str_of(r->text), mac,
			     &e),
	    r->kind == ERR_NONE);
	source_done(&src);
	house_close(&h);
}

int
main(void)
{
	ROWS(asked, it_is_asked);
	return cmocka_run_group_tests_name("gate/root_sign", rows_tests, NULL,
	    NULL);
}
