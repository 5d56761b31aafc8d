/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that were read together. */
#include "store/setting_kept.h"

#include "base/clock.h"

struct setting_kept {
	struct arena *a; /* NULL: none were read */
	int64_t read_ms;
	bool whole; /* there are no others */
	size_t n;
	struct {
		struct str key, value;
		bool known; /* the value is this, not a longer one */
	} v[SETTING_KEPT_MOST];
};

void
setting_kept_on(struct store *s, bool on)
{
	s->keeps_settings = on;
}

void
setting_kept_drop(struct store *s)
{
	struct arena *a = s->settings != NULL ? s->settings->a : NULL;

	/* It is in its own arena. */
	s->settings = NULL;
	arena_close(&a);
}

static void
setting_kept_put(struct setting_kept *k, struct stmt *st)
{
	const struct str key = stmt_column_raw(st, 0);
	const struct str value = stmt_column_raw(st, 1);
	const size_t i = k->n;

	if (k->n == SETTING_KEPT_MOST || key.n > SETTING_KEPT_BYTES) {
		k->whole = false;
		return;
	}
	k->v[i].key = stmt_column(st, 0, k->a);
	k->v[i].known =
	    !stmt_column_is_null(st, 1) && value.n <= SETTING_KEPT_BYTES;
	if (k->v[i].known)
		k->v[i].value = stmt_column(st, 1, k->a);
	k->n++;
}

static int
setting_kept_read(struct store *s, struct err *e)
{
	/* Whoever could write to the store could make it large. */
	static const char sql[] =
	    "SELECT key, CASE WHEN length(value) <= 4000 THEN value END"
	    " FROM settings WHERE length(key) <= 4000 LIMIT 101";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct arena *a = arena_open(4UL << 20);
	struct setting_kept *k = arena_new(a, struct setting_kept);
	int r;

	*k = (struct setting_kept){ .a = a,
		.read_ms = clock_mono_ms(),
		.whole = true };
	s->settings = k;
	if (stmt_prepare(s, sql, &st, e) < 0) {
		setting_kept_drop(s);
		return -1;
	}
	while ((r = stmt_step(s, st, e)) == 1)
		setting_kept_put(k, st);
	if (r < 0)
		setting_kept_drop(s);
	return r;
}

static bool
setting_kept_fresh(const struct store *s)
{
	return s->settings != NULL &&
	    clock_mono_ms() - s->settings->read_ms < SETTING_KEPT_MS;
}

int
setting_kept_find(struct store *s, struct str key, struct str *out,
    struct err *e)
{
	const struct setting_kept *k;

	if (!s->keeps_settings)
		return SETTING_KEPT_NOT;
	if (!setting_kept_fresh(s)) {
		setting_kept_drop(s);
		if (setting_kept_read(s, e) < 0)
			return -1;
	}
	k = s->settings;
	for (size_t i = 0; i < k->n; i++) {
		if (!str_eq(k->v[i].key, key))
			continue;
		*out = k->v[i].value;
		return k->v[i].known ? 1 : SETTING_KEPT_NOT;
	}
	return k->whole ? 0 : SETTING_KEPT_NOT;
}
