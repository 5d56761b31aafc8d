/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_TRANSFERRED_H
#define TESTS_UNIT_STORE_TRANSFERRED_H

/* Places that a store is copied to. */
#include "fixture.h"

static inline const char *
file_of(struct fx *x, const char *name)
{
	return str_fmt(x->a, "%s/sub/%s", x->dir, name).p;
}

/* Another place: in the server if there is one. */
static inline const char *
place_of(struct fx *x)
{
	char path[112];

	if (fx_is_file())
		return file_of(x, "copy.db");
	made_postgres_path(path, sizeof(path));
	return str_c(x->a, str_of(path));
}

static inline void
drop(struct fx *x, const char *place)
{
	static const char *const parts[] = { "", "-wal", "-shm" };

	if (!store_about_is_file(place)) {
		made_postgres_drop(place);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		(void)unlink(str_fmt(x->a, "%s%s", place, parts[i]).p);
}

#endif
