/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_MADE_SCHEMA_H
#define TESTS_UNIT_STORE_MADE_SCHEMA_H

/*
 * What a store's schema is compared with is a store in memory with all
 * migrations, which under sanitizers takes longer than all else that a restore
 * or a check does.  The first one of a version is made, and all others of the
 * program begin as its bytes.  The linker puts this in the place of
 * migrate_run(): see the Makefile.
 */
#include <sqlite3.h>

#include "store/opening.h"

int __real_migrate_run(struct store *s, const struct migration *list,
    struct err *e);

static struct made_schema {
	unsigned char *v;
	sqlite3_int64 n;
} made_schema[1000]; /* by the newest migration in it */

static inline void
made_schema_put(sqlite3 *db, const struct made_schema *is)
{
	unsigned char *v = sqlite3_malloc64((sqlite3_uint64)is->n);

	assert_non_null(v);
	memcpy(v, is->v, (size_t)is->n);
	assert_int_equal(sqlite3_deserialize(db, "main", v, is->n, is->n,
			     SQLITE_DESERIALIZE_FREEONCLOSE |
				 SQLITE_DESERIALIZE_RESIZEABLE),
	    SQLITE_OK);
}

int
__wrap_migrate_run(struct store *s, const struct migration *list, struct err *e)
{
	const char *file =
	    fx_is_file() ? sqlite3_db_filename(s->db, "main") : NULL;
	struct made_schema *made = made_schema;
	int r;

	for (const struct migration *m = list; m->version != 0; m++)
		made = &made_schema[m->version];
	if (file == NULL || *file != '\0')
		return __real_migrate_run(s, list, e);
	if (made->v != NULL) {
		made_schema_put(s->db, made);
		return 0;
	}
	r = __real_migrate_run(s, list, e);
	if (r == 0)
		made->v = sqlite3_serialize(s->db, "main", &made->n, 0);
	return r;
}

#endif
