/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a notice is due, as the keeper sees it: a worker says that something
 * waits, or the time has come.  It only reads, and so waits for nobody.
 */
#include "base/clock.h"
#include "door/serve/lending.h"
#include "store/notice.h"

enum {
	BETWEEN_MS = 1000 /* at least, whatever workers say */
};

void
serve_due_soon(struct keeper *k)
{
	int64_t at_ms = k->due_asked_ms + BETWEEN_MS;

	if (at_ms < k->now_ms)
		at_ms = k->now_ms;
	if (at_ms < k->due_ms)
		k->due_ms = at_ms;
}

/* How long it may be until the next look. */
static int64_t
serve_due_ask(struct keeper *k)
{
	const struct serve_ask q = { .type = SERVE_ASK_NOTICE };
	struct err unused = { 0 };
	int64_t at_s = 0, left_s;

	if (store_notice_next(k->answers.store, clock_now(), &at_s, &unused) <=
	    0)
		return LIMIT_NOTICE_LOOK_MS;
	left_s = at_s - clock_now();
	if (left_s > 0)
		return left_s < LIMIT_NOTICE_LOOK_MS / 1000
		    ? left_s * 1000
		    : LIMIT_NOTICE_LOOK_MS;
	k->due_asked_ms = k->now_ms;
	(void)serve_ask_send(k->monitor, &q, -1);
	return LIMIT_NOTICE_AGAIN_MS;
}

void
serve_due_look(struct keeper *k)
{
	if (k->board == NULL || k->now_ms < k->due_ms)
		return;
	serve_answers_renew(&k->answers);
	k->due_ms = k->now_ms + serve_due_ask(k);
}

int
serve_due_patience(const struct keeper *k, int other)
{
	int left = clock_left_ms(k->due_ms);

	if (k->board == NULL)
		return other;
	return other < 0 || left < other ? left : other;
}
