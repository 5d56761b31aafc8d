/* SPDX-License-Identifier: Apache-2.0 */
/* What the other process told: a frame of it, taken strictly. */
#include "backend/wired/internal.h"

int
wired_told_misfit(struct err *e)
{
	(void)err_set(e, ERR_INTERNAL,
	    "the process with the account's mail said what does "
	    "not fit");
	return err_conn(e);
}

int
wired_told_take(const struct wired_carried *f, struct arena *a,
    const struct wired_shape *shape, void *out, struct err *e)
{
	struct wired_take in;
	struct str bytes;

	if (wired_carry_read(f, LIMIT_WIRED_TOLD, a, &bytes, e) < 0)
		return wired_told_misfit(e);
	in = wired_take_begin(bytes, a);
	wired_take(&in, shape, out);
	return wired_take_end(&in) ? 0 : wired_told_misfit(e);
}
