/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_SENT_H
#define TESTS_CONFORM_SENT_H

/* What is submitted. */
#include "asked.h"

static int
submit(struct asked *t, struct recipient *to, size_t n, struct str subject)
{
	struct submission s = {
		.from = t->acct.from,
		.to = to,
		.n = n,
		.message = str_fmt(t->a,
		    "From: %.*s\r\nTo: %.*s\r\nSubject: %.*s\r\n"
		    "Message-ID: <%.*s@conform.example>\r\n\r\n.dot\r\n",
		    STR_ARG(t->acct.from), STR_ARG(to[0].addr),
		    STR_ARG(subject), STR_ARG(subject)),
	};

	t->e = (struct err){ 0 };
	return site.be->submit(t->c, t->a, &s, &t->e);
}

/* How many messages the receiver has, where we can look. */
static size_t
received(struct asked *t)
{
	struct backend_account acct = t->acct;
	struct strs ids = { 0 };
	struct conn *c;

	acct.from = str_of(site.to);
	assert_int_equal(site.be->open(&acct, t->a, &c, &t->e), 0);
	assert_int_equal(site.be->scan(c, t->a, S("INBOX"), &t->st, &ids,
			     &t->e),
	    0);
	site.be->close(c);
	return ids.n;
}

static void
mail_goes_to_all_or_to_none(void **state)
{
	struct asked *t = *state;
	struct recipient good = { .addr = str_of(site.to) };
	struct recipient both[] = { { .addr = str_of(site.to) },
		{ .addr = str_of(site.refused) } };
	bool looks = site.root[0] != '\0';
	size_t had = looks ? received(t) : 0;

	assert_int_equal(submit(t, &good, 1, S("conform-good")), 0);
	assert_int_equal(good.code, 250);
	assert_true(str_eq(good.status, S("accepted")));
	assert_int_equal(submit(t, both, 2, S("conform-refused")), -1);
	assert_int_equal(t->e.kind, ERR_REJECTED);
	assert_true(both[1].code >= 400 && both[1].status.n > 0);
	assert_true(both[0].code != 0 || both[0].status.n > 0);
	assert_int_equal(submit(t, both, 0, S("conform-nobody")), -1);
	if (looks)
		assert_int_equal(received(t), had + 1);
}

#endif
