/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker asks the monitor, which counts: may its call last? */
#include <poll.h>

#include "door/serve/keeper.h"

/* SERVE_YES, SERVE_NO; 0: there is no monitor any more. */
static char
serve_may_ask(const struct serve_worker *w, enum serve_note what)
{
	const char ask = (char)what;
	struct ipc_passed in = { 0 };
	char answer = 0;

	if (ipc_pass_send(w->monitor, (struct str){ &ask, 1 }, NULL, 0) != 1)
		return 0;
	(void)ipc_wait(w->monitor, POLLIN, IPC_WAIT_EVER);
	if (ipc_pass_recv(w->monitor, &answer, 1, &in) != 1)
		answer = 0;
	ipc_pass_close(&in);
	return answer;
}

bool
serve_may(const struct serve_worker *w, enum serve_note what, int conn)
{
	struct err e = { 0 };
	char answer = serve_may_ask(w, what);

	if (answer == 0) {
		(void)err_set(&e, ERR_INTERNAL,
		    "the broker has ended: make the call again");
		serve_reply_refuse(conn, &e);
	} else if (answer != SERVE_YES) {
		serve_reply_busy(conn);
	}
	return answer == SERVE_YES;
}
