/* SPDX-License-Identifier: Apache-2.0 */
/* The ids that a message refers to: threads are built from these. */
#include "backend/internal.h"
#include "base/limits.h"

#define ROOM (1UL << 20)

void
backend_link_room(struct arena **a)
{
	if (*a != NULL && arena_used(*a) > ROOM)
		arena_close(a);
	if (*a == NULL)
		*a = arena_open(LIMIT_ARENA);
}

void
backend_link_field(struct arena *a, const struct mime_header *h,
    const char *name, struct strs *out)
{
	const struct mime_field *f = mime_header_get(h, name, 0);
	struct strs ids;

	if (f == NULL)
		return;
	mime_header_msgids(a, f->value, &ids);
	for (size_t i = 0; i < ids.n; i++)
		str_push(a, out, ids.v[i]);
}

void
backend_link_ids(struct arena *a, const struct mime_header *h, struct strs *out)
{
	*out = (struct strs){ 0 };
	backend_link_field(a, h, "Message-ID", out);
	backend_link_field(a, h, "References", out);
	backend_link_field(a, h, "In-Reply-To", out);
}

void
backend_link_cut(struct arena *a, struct str text, struct strs *out)
{
	size_t from = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '>')
			continue;
		str_push(a, out, (struct str){ text.p + from, i + 1 - from });
		from = i + 1;
	}
}
