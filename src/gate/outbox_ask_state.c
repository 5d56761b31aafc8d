/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "7.1.1790000000.DIGEST.MARK": row, round, time, digest of what was shown, and
 * a mark over these, the principal and the call.  It is untrusted when it
 * returns: what was parsed is formatted again, and must be identical.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "skill/mark.h"
#include "store/mark.h"

enum {
	PARTS = 5,
	TEXT_MAX = 256
};

int
outbox_ask_state_put(struct gate *g, struct arena *a, struct str request,
    const struct outbox_ask_state *st, struct str *text, struct err *e)
{
	struct str said = str_fmt(a, "%" PRId64 ".%u.%" PRId64 ".%.*s", st->id,
	    (unsigned)st->round, st->until_s, STR_ARG(st->digest));
	const struct str part[] = { g->principal, request, said };
	struct str mark;

	if (store_mark(g->store, a, STORE_LABEL_ASK,
		store_digest(a, part, sizeof(part) / sizeof(part[0])), &mark,
		e) < 0)
		return -1;
	*text = str_fmt(a, "%.*s.%.*s", STR_ARG(said), STR_ARG(mark));
	return 0;
}

static bool
outbox_ask_state_parse(struct str text, struct outbox_ask_state *st)
{
	struct str part[PARTS];
	uint64_t id = 0, until = 0;

	for (int i = 0; i < PARTS; i++)
		if (str_cut(text, '.', &part[i], &text) != (i < PARTS - 1))
			return false;
	if (!str_to_u64(part[0], UINT32_MAX, &id) ||
	    !str_to_u32(part[1], LIMIT_APPROVAL_ASKS, &st->round) ||
	    !str_to_u64(part[2], INT64_MAX, &until))
		return false;
	st->id = (int64_t)id;
	st->until_s = (int64_t)until;
	st->digest = part[3];
	return true;
}

int
outbox_ask_state_read(struct gate *g, struct arena *a, struct str request,
    struct str text, int64_t now_s, struct outbox_ask_state *st, struct err *e)
{
	struct str ours = { 0 };
	bool read = text.n <= TEXT_MAX && outbox_ask_state_parse(text, st);

	if (read && outbox_ask_state_put(g, a, request, st, &ours, e) < 0)
		return -1;
	if (read && mark_same(ours, text) && now_s < st->until_s)
		return 0;
	return err_set(e, ERR_USAGE,
	    "this requestState was not made for this call, or is too old");
}
