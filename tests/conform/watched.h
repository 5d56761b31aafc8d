/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_WATCHED_H
#define TESTS_CONFORM_WATCHED_H

/* Waiting for a change.  A server may say that it tells of none. */
#include "asked.h"
#include "backend/watch.h"

static void
a_wait_ends_in_time_or_is_not_offered(void **state)
{
	struct asked *t = *state;
	int64_t since = clock_mono_ms();
	const struct backend_watch w = { .folder = site.inbox,
		.until_ms = since + 500 };
	bool changed = true;

	if (site.be->watch(t->c, t->a, &w, &changed, &t->e) < 0)
		assert_int_equal(t->e.kind, ERR_UNSUPPORTED);
	else
		assert_false(changed);
	assert_true(clock_mono_ms() - since < TIMEOUT_MS);
}

/* Somebody else's message, as soon as it is waited for. */
static int
put_another(void *ctx)
{
	struct asked *t = ctx;
	struct conn *other = NULL;

	assert_int_equal(site.be->open(&t->acct, t->a, &other, &t->e), 0);
	assert_int_equal(
	    site.be->append(other, t->a, S("Kept"),
		S("From: a@b.example\r\nSubject: new\r\n\r\nx\r\n"), &t->e),
	    0);
	site.be->close(other);
	return 0;
}

static void
a_change_after_ready_ends_a_wait(void **state)
{
	struct asked *t = *state;
	const struct backend_watch w = { .folder = S("Kept"),
		.until_ms = clock_mono_ms() + TIMEOUT_MS,
		.ready = put_another,
		.ctx = t };
	bool changed = false;

	if (site.be->watch(t->c, t->a, &w, &changed, &t->e) < 0)
		assert_int_equal(t->e.kind, ERR_UNSUPPORTED);
	else
		assert_true(changed);
}

#endif
