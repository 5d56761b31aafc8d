/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a peer that may have nothing to say for a long time. */
#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "net/internal.h"

int
wire_await(struct wire *w, int64_t until_ms, struct err *e)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	if (w->out_n > 0 && wire_flush(w, e) < 0)
		return -1;
	while (!wire_pending(w)) {
		int left = clock_left_ms(until_ms);

		if (left == 0)
			return 0;
		if (poll(&p, 1, left) < 0 && errno != EINTR) {
			(void)wire_fail(w, e, NULL, "the connection broke");
			return err_errno(e, "poll");
		}
	}
	return 1;
}
