/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store that is kept open between calls.  It is used again only where opening
 * it would find the same files, the same schema and the same key; else it is
 * opened again, which says what is wrong.
 */
#include <sys/stat.h>

#include "store/keeper.h"
#include "store/opening.h"
#include "store/outbox_row.h"
#include "store/seal.h"

/* Which files SQLite has open, by their names; one that is missing is none. */
static void
store_again_look(const char *path, struct store_file at[STORE_FILES])
{
	static const char *const suffix[STORE_FILES] = { "", "-wal", "-shm" };
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	for (size_t i = 0; i < STORE_FILES; i++) {
		struct stat st;

		at[i] = (struct store_file){ 0 };
		if (lstat(str_fmt(a, "%s%s", path, suffix[i]).p, &st) == 0)
			at[i] = (struct store_file){ st.st_dev, st.st_ino };
	}
}

/* What opening a store reads of its schema and its keys. */
static int
store_again_read(struct store *s, unsigned char out[SEAL_HASH], struct err *e)
{
	static const char sql[] =
	    "SELECT key || ' ' || value FROM settings WHERE key IN"
	    " ('dek_count', 'dek_wrap_admin', 'dek_wrap_agent')"
	    " UNION ALL SELECT CAST(max(version) AS TEXT) FROM migration"
	    " ORDER BY 1";
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct buf b;
	int r;

	buf_init(&b, a, 32 << 10);
	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		buf_str(&b, stmt_column(st, 0, a));
		buf_char(&b, '\n');
	}
	seal_hash(buf_view(&b), out);
	return r;
}

void
store_again_note(struct store *s, const char *path)
{
	struct err none = { 0 };

	store_again_look(path, s->file);
	/* A store without these is not used again. */
	if (store_again_read(s, s->opened, &none) < 0)
		memset(s->opened, 0, sizeof(s->opened));
}

static bool
store_again_in_place(struct store *s, const char *path)
{
	struct store_file now[STORE_FILES];

	store_again_look(path, now);
	for (size_t i = 0; i < STORE_FILES; i++)
		if (now[i].dev != s->file[i].dev ||
		    now[i].ino != s->file[i].ino)
			return false;
	return store_same_file(s);
}

/* Nothing of the last call is left in it. */
static bool
store_again_rested(struct store *s)
{
	struct err none = { 0 };

	outbox_lock_drop(s);
	if (tx_open(s) || !stmt_kept_rested(s))
		return false;
	if (s->durable && s->driver->durable(s, false, &none) < 0)
		return false;
	s->durable = false;
	return true;
}

bool
store_again(struct store *s, const char *path)
{
	unsigned char now[SEAL_HASH];
	struct err none = { 0 };
	mode_t was;

	/* What was repaired is told of one opening alone. */
	if (s->role != STORE_SERVED || s->mode_was != 0 ||
	    !store_again_rested(s) ||
	    store_file_check(path, &was, &none) != 1 || was != 0 ||
	    !store_again_in_place(s, path) ||
	    (s->keeper.begin != NULL &&
		s->keeper.begin(s->keeper.ctx, &none) < 0))
		return false;
	if (store_same(s))
		return true;
	store_same_note(s);
	return s->version != 0 && store_again_read(s, now, &none) == 0 &&
	    memcmp(now, s->opened, SEAL_HASH) == 0;
}
