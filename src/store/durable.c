/* SPDX-License-Identifier: Apache-2.0 */
/* Commits that survive a power failure: before anything is sent. */
#include "store/internal.h"

int
store_durable(struct store *s, struct err *e)
{
	if (s->driver->durable(s, true, e) < 0)
		return -1;
	s->durable = true;
	return 0;
}
