/* SPDX-License-Identifier: Apache-2.0 */
/* When a server is asked again to tell of changes, by how the last times ended.
 */
#include "../rows.h"

#include "door/http/notifier_stream.h"

#define FAILED NOTIFIER_STREAM_END_FAILED
#define NONE NOTIFIER_STREAM_END_NONE
#define CHANGE NOTIFIER_STREAM_END_CHANGE
#define QUIET NOTIFIER_STREAM_END_QUIET

static const struct row {
	const char *why;
	struct {
		enum notifier_stream_end how;
		int64_t open_ms; /* it listened so long; 0: it did not */
		int64_t pause;   /* until the next start */
	} step[12];
} rows[] = {
	{ "its time was over", { { QUIET, 900000, 0 }, { QUIET, 900000, 0 } } },
	{ "a change after a while", { { CHANGE, 50000, 0 } } },
	{ "changes at once: not more than one in a second, and less and less",
	    { { CHANGE, 100, 900 }, { CHANGE, 100, 1900 },
		{ CHANGE, 100, 3900 }, { CHANGE, 100, 7900 },
		{ CHANGE, 100, 15900 }, { CHANGE, 100, 31900 },
		{ CHANGE, 100, 59900 }, { CHANGE, 100, 59900 },
		{ CHANGE, 5000, 0 }, { CHANGE, 100, 900 } } },
	{ "a failure, and more of them",
	    { { FAILED, 0, 1000 }, { FAILED, 0, 2000 }, { FAILED, 10, 4000 },
		{ FAILED, 0, 8000 }, { FAILED, 0, 16000 }, { FAILED, 0, 32000 },
		{ FAILED, 0, 64000 }, { FAILED, 0, 128000 },
		{ FAILED, 0, 256000 }, { FAILED, 0, 300000 },
		{ FAILED, 0, 300000 }, { FAILED, 60000, 1000 } } },
	{ "a change ends a row of failures",
	    { { FAILED, 0, 1000 }, { FAILED, 0, 2000 }, { CHANGE, 5000, 0 },
		{ FAILED, 0, 1000 } } },
	{ "a server that tells nothing is asked in an hour",
	    { { NONE, 0, 3600000 }, { FAILED, 0, 1000 } } },
};

static void
row(void **state)
{
	const struct row *r = *state;
	struct notifier_stream s = { 0 };
	int64_t now = 5000;

	for (size_t i = 0; i < 12; i++) {
		if (i > 0 && r->step[i].how == FAILED && r->step[i].pause == 0)
			break;
		s.since = now;
		if (r->step[i].open_ms > 0)
			s.open = now;
		now += r->step[i].open_ms;
		notifier_stream_plan(&s, r->step[i].how, now);
		assert_int_equal(s.again - now, r->step[i].pause);
		assert_int_equal(s.open, 0);
		now = s.again;
	}
}

/* A thousand failures are no reason for a pause that is none. */
static void
endless(void **state)
{
	struct notifier_stream s = { 0 };

	(void)state;
	s.failed = UINT32_MAX - 5;
	for (int i = 0; i < 10; i++) {
		notifier_stream_plan(&s, FAILED, 0);
		assert_true(s.again >= 1000 && s.again <= 300000);
	}
}

/* Nobody is asked for a session without a mailbox on a server. */
static void
idle(void **state)
{
	struct notifier_stream s = { 0 };

	(void)state;
	notifier_stream_tend(&s, NULL, S(""), 1);
	assert_int_equal(notifier_stream_fd(&s), -1);
	assert_int_equal(notifier_stream_due(&s), 0);
	assert_int_equal(notifier_stream_hear(&s, 1), 0);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("endless failures", endless, NULL);
	rows_add("none is wanted", idle, NULL);
	return cmocka_run_group_tests_name("door/http_notifier_stream",
	    rows_tests, NULL, NULL);
}
