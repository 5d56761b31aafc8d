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
