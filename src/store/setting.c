/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: text by key. */
#include "base/limits.h"
#include "store/internal.h"
#include "store/setting_kept.h"

int
store_setting_get(struct store *s, struct arena *a, struct str key,
    struct str *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str kept = { 0 };
	int r = setting_kept_find(s, key, &kept, e);

	if (r == 1)
		*out = str_dup(a, kept);
	if (r != SETTING_KEPT_NOT)
		return r;
	if (stmt_ask(s, e, "SELECT value FROM settings WHERE key = ?1", &st,
		V(key)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		*out = stmt_column(st, 0, a);
	return r;
}

int
store_setting_days(struct store *s, uint32_t *days, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str text;
	int r = store_setting_get(s, a, S("audit_retention_days"), &text, e);

	if (r < 0)
		return -1;
	*days = 90;
	/* An invalid value keeps rows: deletion cannot be undone. */
	if (r == 1 && !str_to_u32(text, 1000000, days))
		*days = 0;
	return 0;
}

int
store_setting_timeout(struct store *s, int64_t *out_ms, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text;
	uint32_t seconds;
	int r = store_setting_get(s, a, S("timeout_seconds"), &text, e);

	if (r < 0)
		return -1;
	*out_ms = LIMIT_TIMEOUT_MS;
	if (r == 1 && str_to_u32(text, 3600, &seconds) && seconds > 0)
		*out_ms = (int64_t)seconds * 1000;
	return 0;
}

void
store_setting_forget(struct store *s)
{
	setting_kept_drop(s);
}
