/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a change.  What ends a wait may be hidden mail: so it says
 * nothing of a message, and only a look that is judged shows what came.
 */
#include "backend/watch.h"
#include "base/clock.h"
#include "gate/internal.h"

static int
mailbox_watch_ready(void *ctx)
{
	const struct mailbox *m = ctx;

	if (m->gate->watching != NULL)
		m->gate->watching();
	return 0;
}

int
mailbox_watch(struct mailbox *m, struct str folder, int64_t wait_ms,
    bool *changed, struct err *e)
{
	const struct backend *be = m->src->be;
	const struct backend_watch w = {
		.folder = folder,
		.until_ms = clock_mono_ms() + wait_ms,
		.ready = mailbox_watch_ready,
		.ctx = m,
	};

	const int left_ms = clock_left_ms(m->src->view.deadline_ms);
	int r;

	*changed = false;
	if (!(be->caps & CAP_WATCH))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not tell of changes");
	if (mailbox_open(m, e) < 0)
		return -1;
	r = be->watch(m->conn, m->arena, &w, changed, e);
	/* The wait itself does not count as the call's time. */
	store_until(m->gate->store, clock_mono_ms() + left_ms);
	return r;
}
