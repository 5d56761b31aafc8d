/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a change, by their uids. */
#include <stdlib.h>

#include "backend/imap/change.h"

static int
imap_uids_downwards(const void *x, const void *y)
{
	uint32_t l = *(const uint32_t *)x, r = *(const uint32_t *)y;

	return (l < r) - (l > r);
}

struct imap_uids
imap_uids_of(struct arena *a, const struct refs *refs)
{
	uint32_t *v = arena_array(a, refs->n, sizeof(*v));
	size_t got = 0, kept = 0;

	for (size_t i = 0; i < refs->n; i++)
		if (refs->v[i].uid != 0)
			v[got++] = refs->v[i].uid;
	if (got > 1)
		qsort(v, got, sizeof(*v), imap_uids_downwards);
	for (size_t i = 0; i < got; i++)
		if (i == 0 || v[i] != v[kept - 1])
			v[kept++] = v[i];
	return (struct imap_uids){ v, kept };
}

size_t
imap_uids_place(const struct imap_uids *u, uint32_t uid)
{
	size_t lo = 0, hi = u->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->v[mid] > uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < u->n && u->v[lo] == uid ? lo : u->n;
}
