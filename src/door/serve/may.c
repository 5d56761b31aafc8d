/* What a worker asks the monitor, which counts: may its call last? */
#include <poll.h>

#include "door/serve/keeper.h"

bool
serve_may(const struct serve_worker *w, enum serve_note what)
{
	const char ask = (char)what;
	struct ipc_passed in = { 0 };
	char answer = SERVE_NO;

	if (ipc_pass_send(w->monitor, (struct str){ &ask, 1 }, NULL, 0) != 1)
		return false;
	(void)ipc_wait(w->monitor, POLLIN, IPC_WAIT_EVER);
	if (ipc_pass_recv(w->monitor, &answer, 1, &in) != 1)
		answer = SERVE_NO;
	ipc_pass_close(&in);
	return answer == SERVE_YES;
}
