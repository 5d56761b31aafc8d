/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One look for new mail: the oldest visible messages behind a place.  Pages
 * have the newest first, so if there are more than one page has, the range is
 * halved until what remains fits.
 */
#include "gate/internal.h"
#include "gate/watch.h"

/* Visible messages above `since` and below `before` (0: all). */
struct page {
	uint32_t since, before;
	size_t limit;
	uint32_t uid[LIMIT_WATCH_EVENTS]; /* newest first */
	size_t n;
	bool more;
	uint32_t uidvalidity;
};

/* Its memory is its own: a call may look for half an hour. */
static int
watch_look_page(struct mailbox *m, struct str folder, struct page *p,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct mailbox_query q = {
		.folder = folder,
		.since = p->since,
		.before = p->before,
		.limit = p->limit,
		.ids_only = true,
	};
	struct mailbox look = *m;
	struct mails found;

	look.arena = a;
	look.sender = NULL;
	if (mailbox_find(&look, &q, &found, e) < 0)
		return -1;
	for (size_t i = 0; i < found.n; i++)
		p->uid[i] = found.v[i].uid;
	p->n = found.n;
	p->more = found.next_before != 0;
	p->uidvalidity = found.uidvalidity;
	return 0;
}

/* The oldest ones; all in *out are without a gap between them. */
static int
watch_look_oldest(struct mailbox *m, struct str folder, struct page *out,
    struct err *e)
{
	struct page p = { .since = out->since, .limit = LIMIT_WATCH_EVENTS };
	uint32_t least;

	if (watch_look_page(m, folder, &p, e) < 0)
		return -1;
	*out = p;
	while (out->more && p.uidvalidity == out->uidvalidity) {
		least = out->uid[out->n - 1];
		if (least - p.since <= 1)
			return 0;
		p.before = p.since + 1 + (least - p.since) / 2;
		if (watch_look_page(m, folder, &p, e) < 0)
			return -1;
		if (p.n > 0)
			*out = p;
		else
			p.since = p.before - 1;
	}
	return 0;
}

static void
watch_look_tell(const struct page *p, struct watch_news *out)
{
	out->n = p->n;
	for (size_t i = 0; i < p->n; i++)
		out->uid[i] = p->uid[p->n - 1 - i];
	if (p->n > 0)
		out->place.uid = p->uid[0];
}

int
watch_look_newest(struct mailbox *m, struct str folder, struct watch_place *out,
    struct err *e)
{
	struct page p = { .limit = 1 };

	if (watch_look_page(m, folder, &p, e) < 0)
		return -1;
	/* What it says of a message is of one that is not new. */
	m->call->warned[WARN_MBOX_AMBIGUOUS] = 0;
	*out = (struct watch_place){ p.uidvalidity, p.n > 0 ? p.uid[0] : 0 };
	return 0;
}

int
watch_look_new(struct mailbox *m, struct str folder, struct watch_news *out,
    struct err *e)
{
	struct page p = { .since = out->place.uid };

	if (watch_look_oldest(m, folder, &p, e) < 0)
		return -1;
	if (p.uidvalidity == out->place.uidvalidity) {
		watch_look_tell(&p, out);
		return out->n > 0;
	}
	out->renumbered = true;
	if (m->call->warned[WARN_UIDVALIDITY_CHANGED] == 0)
		gate_warn(m->call, WARN_UIDVALIDITY_CHANGED, 1);
	return watch_look_newest(m, folder, &out->place, e) < 0 ? -1 : 1;
}
