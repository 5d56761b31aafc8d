/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for one descriptor, until a deadline. */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "ipc/ipc.h"

int
ipc_wait(int fd, short what, int64_t until_ms)
{
	struct pollfd p = { fd, what, 0 };

	for (;;) {
		bool ever = until_ms == IPC_WAIT_EVER;
		int left = ever ? -1 : clock_left_ms(until_ms);
		int r = left == 0 ? 0 : poll(&p, 1, left);

		/* A long wait is many of poll(2)'s longest. */
		if (r > 0 || left == 0 || (r < 0 && errno != EINTR))
			return r;
	}
}
