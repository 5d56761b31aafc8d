/* SPDX-License-Identifier: Apache-2.0 */
#include "door/serve/internal.h"

size_t
serve_queue_of(const struct serve_queue *q, uint32_t uid)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n; i++)
		n += q->v[i].uid == uid;
	return n;
}

bool
serve_queue_add(struct serve_queue *q, int fd, uint32_t uid, int64_t now_ms)
{
	if (q->n == LIMIT_SERVE_WAITING ||
	    serve_queue_of(q, uid) >= LIMIT_SERVE_WAITING_OF)
		return false;
	q->v[q->n++] =
	    (struct serve_waiting){ .fd = fd, .uid = uid, .since_ms = now_ms };
	return true;
}

ptrdiff_t
serve_queue_next(const struct serve_queue *q,
    size_t (*running)(void *ctx, uint32_t uid), void *ctx)
{
	size_t least = LIMIT_SERVE_RUNNING;
	ptrdiff_t best = -1;

	for (size_t i = 0; i < q->n; i++) {
		size_t n;

		if (!q->v[i].ready)
			continue;
		n = running(ctx, q->v[i].uid);
		if (n < least) {
			least = n;
			best = (ptrdiff_t)i;
		}
	}
	return best;
}

struct serve_waiting
serve_queue_take(struct serve_queue *q, size_t i)
{
	struct serve_waiting x = q->v[i];

	q->n--;
	memmove(&q->v[i], &q->v[i + 1], (q->n - i) * sizeof(q->v[0]));
	return x;
}
