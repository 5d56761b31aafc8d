/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a worker, or a call of a session, asks of the keeper: a connected wire
 * for an account, by its number in the store.  No password comes this way.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"
#include "source/source.h"

static int lend_keeper = -1;
static uint32_t lend_number;
/* Finds the keeper that there is now, or NULL. */
static int (*lend_find)(struct err *e);

static int
serve_lend_gone(struct err *e)
{
	path_close(&lend_keeper);
	(void)err_set(e, ERR_CONFIG,
	    "the process that lends connections has ended, and is started "
	    "again");
	return err_hint(e, "call again");
}

/* Sends it, and waits for its answer, which may be that of an earlier one. */
static int
serve_lend_ask(struct serve_ask *q, int64_t until_ms, struct serve_ask *out,
    struct ipc_passed *with)
{
	const char types[] = { SERVE_ASK_LENT, '\0' };
	struct err none = { 0 };
	int r;

	if (++lend_number == 0)
		lend_number = 1;
	q->number = lend_number;
	if ((lend_find != NULL && lend_find(&none) < 0) || lend_keeper < 0 ||
	    !serve_ask_send(lend_keeper, q, -1))
		return -1;
	do {
		ipc_pass_close(with);
		r = serve_ask_wait(lend_keeper, until_ms, types, out, with);
	} while (r > 0 && out->number != q->number);
	return r;
}

static int
serve_lend_refused(enum serve_outcome why, struct err *e)
{
	switch (why) {
	case SERVE_ABSENT:
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	case SERVE_UNKEPT:
		(void)err_set(e, ERR_CONFIG,
		    "the account's settings or key are of no use to the "
		    "process that connects");
		return err_hint(e,
		    "tell the operator: the store or its key was changed");
	case SERVE_WAITS:
		(void)err_set(e, ERR_NETWORK,
		    "the mail server failed before, and is not tried again so "
		    "soon");
		return err_hint(e, "wait before you call again");
	case SERVE_LATE:
		return err_set(e, ERR_LIMIT,
		    "all connections that may be open for this account are in "
		    "use");
	case SERVE_GOOD:
	case SERVE_FAILED:
	case SERVE_OUTCOMES:
		break;
	}
	return err_set(e, ERR_INTERNAL,
	    "no process could be started for this account");
}

int
serve_lend_get(struct serve_ask *q, struct err *e)
{
	struct ipc_passed with = { 0 };
	struct serve_ask got = { 0 };
	int r;

	q->type = SERVE_ASK_LEND;
	if (q->deadline_ms <= 0)
		q->deadline_ms = 1;
	/* The keeper answers when the deadline has passed, too. */
	r = serve_lend_ask(q, q->deadline_ms + LIMIT_KEEPER_MS, &got, &with);
	if (r <= 0)
		return serve_lend_gone(e);
	if (got.outcome != SERVE_GOOD || with.n != 1) {
		ipc_pass_close(&with);
		return serve_lend_refused((enum serve_outcome)got.outcome, e);
	}
	return with.fd[0];
}

static int
serve_lend_wire(void *ctx, const char *backend,
    const struct backend_account *acct, enum wired_use use, struct err *e)
{
	/* By use, and whether it is for what sends. */
	static const uint8_t purpose[WIRED_USES][2] = {
		[WIRED_USE_CALL] = { SERVE_READS_MAIL, SERVE_SENDS_MAIL },
		[WIRED_USE_WATCH] = { SERVE_AWAITS_MAIL, SERVE_AWAITS_MAIL },
		[WIRED_USE_TEST] = { SERVE_TESTS_READING, SERVE_TESTS_SENDING },
	};
	struct serve_ask q = { .account = *(const int64_t *)ctx,
		.purpose = purpose[use][strcmp(backend, "smtp") == 0],
		.deadline_ms = acct->deadline_ms };

	return serve_lend_get(&q, e);
}

void
serve_lend_find(int (*find)(struct err *e))
{
	lend_find = find;
	lend_keeper = -1;
}

void
serve_lend_by(int keeper)
{
	path_close(&lend_keeper);
	lend_keeper = keeper;
	/* The broker's processes find their keeper; none of them has files of
	 * mail. */
	source_wire_by(serve_lend_wire, lend_find != NULL);
}
