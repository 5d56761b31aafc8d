/* SPDX-License-Identifier: Apache-2.0 */
#include "backend/internal.h"

size_t
backend_place(const void *ctx, size_t n, struct str want,
    struct str (*at)(const void *ctx, size_t i))
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (str_cmp(at(ctx, mid), want) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && str_eq(at(ctx, lo), want) ? lo : n;
}

size_t
backend_place_end(const void *ctx, size_t n, const struct query *q,
    const struct row *(*at)(const void *ctx, size_t i))
{
	if (q->behind.n == 0)
		return n;
	for (size_t i = 0; i < n; i++)
		if (str_eq(at(ctx, i)->ref.id, q->behind))
			return i;
	while (n > 0 && at(ctx, n - 1)->received_s > q->behind_s)
		n--;
	return n;
}
