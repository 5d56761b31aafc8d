/* SPDX-License-Identifier: Apache-2.0 */
/* For the operator: makes acked messages new again. */
#include "base/limits.h"
#include "store/claim.h"
#include "store/internal.h"
#include "store/seen_row.h"

static bool
store_seen_unack_is_among(const uint32_t *uids, size_t n, uint32_t uid)
{
	for (size_t i = 0; i < n; i++)
		if (uids[i] == uid)
			return true;
	return false;
}

/* Lowers the floor below `least`; the other uids in between stay acked. */
static int
store_seen_unack_lower(struct store *s, const struct store_folder *f,
    uint32_t floor, uint32_t least, const uint32_t *uids, size_t n,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	uint32_t *keep;
	size_t have = 0;

	if (floor - least >= LIMIT_UIDS)
		return err_set(e, ERR_LIMIT,
		    "the oldest uid is more than %d messages back", LIMIT_UIDS);
	keep = arena_array(a, floor - least + 1, sizeof(*keep));
	for (uint32_t uid = least; uid <= floor && uid >= least; uid++)
		if (!store_seen_unack_is_among(uids, n, uid))
			keep[have++] = uid;
	if (seen_state_put(s, f, least - 1, e) < 0)
		return -1;
	return seen_acks_put(s, f, least - 1, keep, have, e);
}

int
store_seen_unack(struct store *s, const struct store_folder *f,
    const uint32_t *uids, size_t n, struct err *e)
{
	static const struct seen_list acked = SEEN_LIST_DELETE("acked");
	static const struct seen_list known = SEEN_LIST_DELETE("seen_message");
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t floor = 0, least = UINT32_MAX;

	for (size_t i = 0; i < n; i++)
		if (uids[i] < least)
			least = uids[i];
	if (n > LIMIT_UIDS)
		return err_set(e, ERR_LIMIT, "too many uids at once");
	if (n == 0 || least == 0)
		return err_set(e, ERR_USAGE, "a uid is 1 or more");
	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    seen_state_same(s, f, &floor, e) < 0 ||
	    seen_list_run(s, f, &acked, 0, uids, n, e) < 0 ||
	    seen_list_run(s, f, &known, 0, uids, n, e) < 0 ||
	    claim_end(s, f, uids, n, e) < 0)
		return -1;
	if (least <= floor &&
	    store_seen_unack_lower(s, f, floor, least, uids, n, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
