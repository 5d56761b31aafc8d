/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The setting notify names a program, or an address.  A process that was taken
 * over can write into the store, but what it writes there runs nowhere: the
 * setting has a mark, which the keeper makes for no worker.
 */
#include "base/clock.h"
#include "store/keeping.h"
#include "store/mark.h"
#include "store/notice.h"
#include "store/notice_row.h"

#define MARK "notify_mark"

/* False: it is no mark. */
static bool
notice_way_read(struct str hex, unsigned char mac[SEAL_HASH])
{
	bool good = hex.n == 2 * (size_t)SEAL_HASH;

	for (size_t i = 0; good && i < SEAL_HASH; i++) {
		int byte = str_hex_pair(hex, 2 * i);

		good = byte >= 0;
		mac[i] = (unsigned char)byte;
	}
	return good;
}

int
store_notice_way(struct store *s, struct arena *a, struct str *out,
    struct err *e)
{
	unsigned char mac[SEAL_HASH];
	struct str hex = { 0 };
	int r = store_setting_get(s, a, S(STORE_NOTICE_WAY), out, e);

	if (r <= 0 || str_eq(*out, S(STORE_NOTICE_OFF)))
		return r < 0 ? -1 : 0;
	if (store_setting_get(s, a, S(MARK), &hex, e) < 0)
		return -1;
	if (notice_way_read(hex, mac)) {
		r = keeper_fits(s, STORE_LABEL_NOTIFY, *out, mac, e);
		if (r != 0)
			return r;
	}
	(void)err_set(e, ERR_CONFIG,
	    "the setting notify was changed without emcli");
	return err_hint(e, "set it again: emcli config set notify");
}

static int
notice_way_put(struct store *s, struct str key, struct str value, struct err *e)
{
	return stmt_do(s, e,
	    "INSERT INTO settings (key, value) VALUES (?1, ?2)"
	    " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	    V(key), V(value));
}

int
notice_way_set(struct store *s, struct str value, struct err *e)
{
	static const char held[] =
	    "INSERT INTO notice (kind, account_id, item, since_s,"
	    " ready_s) SELECT 'held', account_id, id, created_s, ?1"
	    " FROM outbox WHERE state = 'held' ON CONFLICT DO NOTHING";
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str hex;

	/* Another way is tried at once. */
	if (stmt_exec(s, "DELETE FROM notice_told", e) < 0)
		return -1;
	if (str_eq(value, S(STORE_NOTICE_OFF)))
		return stmt_exec(s,
		    "DELETE FROM settings WHERE key = '" MARK "';"
		    "DELETE FROM notice",
		    e);
	return store_mark(s, a, STORE_LABEL_NOTIFY, value, &hex, e) < 0 ||
		notice_way_put(s, S(MARK), hex, e) < 0 ||
		stmt_do(s, e, held, V(clock_now())) < 0
	    ? -1
	    : 0;
}

static int
notice_way_mac(const struct secret *dek, struct str way,
    unsigned char mac[SEAL_HASH], struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	return keeper_label_of(dek, STORE_LABEL_NOTIFY, &key, e) < 0
	    ? -1
	    : seal_mac(key, way, mac, e);
}

int
notice_way_remark(struct store *s, const struct secret *old,
    const struct secret *fresh, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	unsigned char was[SEAL_HASH], is[SEAL_HASH], there[SEAL_HASH];
	char text[2 * SEAL_HASH];
	struct str way, hex;
	int r = store_setting_get(s, a, S(STORE_NOTICE_WAY), &way, e);

	if (r > 0)
		r = store_setting_get(s, a, S(MARK), &hex, e);
	if (r <= 0)
		return r;
	if (notice_way_mac(old, way, was, e) < 0 ||
	    notice_way_mac(fresh, way, is, e) < 0)
		return -1;
	if (!notice_way_read(hex, there) ||
	    !seal_same((struct str){ (char *)there, SEAL_HASH },
		(struct str){ (char *)was, SEAL_HASH }))
		return 0;
	str_hex_put(text, is, SEAL_HASH);
	return notice_way_put(s, S(MARK), (struct str){ text, sizeof(text) },
	    e);
}
