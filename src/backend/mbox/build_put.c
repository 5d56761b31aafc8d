/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an index that is being built. */
#include <errno.h>

#include "backend/mbox/build.h"
#include "backend/mbox/internal.h"
#include "base/buf.h"

int
mbox_build_put_failed(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the archive's index cannot be saved");
	return err_errno(e, "write");
}

int
mbox_build_put(struct mbox_build *b, const void *p, size_t n, uint64_t at,
    struct err *e)
{
	const char *c = p;

	while (n > 0) {
		ssize_t r = pwrite(b->out, c, n,
		    (off_t)(sizeof(struct mbox_head) + at));

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return mbox_build_put_failed(e);
		c += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return 0;
}

int
mbox_build_put_texts(struct mbox_build *b, struct err *e)
{
	if (mbox_build_put(b, b->text.p, b->text.n, b->text_at, e) < 0)
		return -1;
	b->text_at += b->text.n;
	buf_reset(&b->text);
	return 0;
}
