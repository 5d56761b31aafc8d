/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "door/serve/internal.h"

static void
serve_refuse_first(struct serve_refused *r)
{
	serve_reply_busy(r->v[0].fd);
	(void)close(r->v[0].fd);
	r->n--;
	memmove(&r->v[0], &r->v[1], r->n * sizeof(r->v[0]));
}

void
serve_refuse(struct serve_refused *r, int fd, int64_t now_ms)
{
	if (r->n == LIMIT_SERVE_REFUSED)
		serve_refuse_first(r);
	r->v[r->n].fd = fd;
	r->v[r->n++].at_ms = now_ms + LIMIT_SERVE_REFUSED_MS;
}

int
serve_refuse_due(struct serve_refused *r, int64_t now_ms)
{
	while (r->n > 0 && r->v[0].at_ms <= now_ms)
		serve_refuse_first(r);
	return r->n > 0 ? (int)(r->v[0].at_ms - now_ms) : -1;
}

void
serve_refuse_all(struct serve_refused *r)
{
	while (r->n > 0)
		serve_refuse_first(r);
}
