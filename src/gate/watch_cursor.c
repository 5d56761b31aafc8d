/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "UIDVALIDITY.UID.MARK": a place, and a mark over it and over whom it was
 * given to.  It is untrusted when it returns: what was parsed is formatted
 * again, and must be identical.
 *
 * Both numbers are of what the agent can see in a list, so the text needs no
 * disguise: hidden mail does not move it.
 */
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/watch.h"
#include "skill/mark.h"
#include "store/mark.h"

int
watch_cursor_put(struct mailbox *m, struct str folder,
    const struct watch_place *place, struct str *text, struct err *e)
{
	struct arena *a = m->arena;
	struct str mark = { 0 };
	const struct str part[] = {
		str_fmt(a, "%lld", (long long)m->src->acct.id),
		m->gate->principal,
		str_eq_case(folder, S("INBOX")) ? S("INBOX") : folder,
		str_fmt(a, "%u.%u", place->uidvalidity, place->uid),
	};

	if (store_mark(m->gate->store, a, STORE_LABEL_WATCH,
		store_digest(a, part, sizeof(part) / sizeof(part[0])), &mark,
		e) < 0)
		return -1;
	*text = str_fmt(a, "%.*s.%.*s", STR_ARG(part[3]), STR_ARG(mark));
	return 0;
}

static bool
watch_cursor_parse(struct str text, struct watch_place *out)
{
	struct str validity, uid, mark;

	return text.n <= LIMIT_CURSOR && str_cut(text, '.', &validity, &text) &&
	    str_cut(text, '.', &uid, &mark) &&
	    str_to_u32(validity, UINT32_MAX, &out->uidvalidity) &&
	    str_to_u32(uid, UINT32_MAX, &out->uid);
}

int
watch_cursor_read(struct mailbox *m, struct str folder, struct str text,
    struct watch_place *out, struct err *e)
{
	struct str ours = { 0 };
	bool good = watch_cursor_parse(text, out);

	if (good && watch_cursor_put(m, folder, out, &ours, e) < 0)
		return -1;
	if (good && mark_same(ours, text))
		return 0;
	return err_set(e, ERR_USAGE,
	    "this cursor is not one of this account and folder that this "
	    "agent was given: begin without a cursor");
}
