/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seen-set during a read: what is new, and where new begins.  The floor of
 * a folder is written at first contact; this is the only write of a read.
 */
#include "gate/seen.h"
#include "gate/internal.h"

int
seen_load(struct mailbox *m, struct str folder, struct seen *out, struct err *e)
{
	struct store_folder f = seen_key(m, folder, 0);
	int r;

	*out = (struct seen){ 0 };
	r = store_seen_state(m->gate->store, &f, &out->uidvalidity, &out->floor,
	    e);
	if (r < 0)
		return -1;
	out->known = r == 1;
	return 0;
}

/*
 * The highest uid, for a server that did not send UIDNEXT (RFC 3501 6.3.1 lets
 * old ones omit it).
 */
static int
seen_highest(struct mailbox *m, struct str folder, uint32_t *out, struct err *e)
{
	struct query q = { .folder = folder };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (m->src->be->find(m->conn, m->arena, &q, 1, &st, &rows, e) < 0)
		return -1;
	*out = rows.n > 0 ? rows.v[0].ref.uid : 0;
	return 0;
}

/* Where new begins in an unknown folder. */
static int
seen_find_baseline(struct mailbox *m, struct str folder,
    const struct folder_state *st, uint32_t *out, struct err *e)
{
	*out = 0;
	if (m->src->acct.process_backlog)
		return 0;
	if (st->uidnext > 0)
		*out = st->uidnext - 1;
	else if (st->exists > 0)
		return seen_highest(m, folder, out, e);
	return 0;
}

/* First contact, or another uidvalidity than before. */
static int
seen_settle(struct mailbox *m, struct str folder, const struct folder_state *st,
    struct seen *s, struct err *e)
{
	struct store_folder f = seen_key(m, folder, st->uidvalidity);
	uint32_t baseline;
	bool changed = s->known;
	bool reset;
	int r = 0;

	if (changed)
		r = rematch_run(m, folder, st->uidvalidity, s, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	if (seen_find_baseline(m, folder, st, &baseline, e) < 0 ||
	    store_seen_meet(m->gate->store, &f, baseline, &s->floor, &reset,
		e) < 0)
		return -1;
	/* Remembers the present messages, to recognize them later. */
	return rematch_floor(m, folder, st->uidvalidity, baseline, e);
}

int
seen_meet(struct mailbox *m, struct str folder, const struct folder_state *st,
    struct seen *s, bool *reset, struct err *e)
{
	struct store_folder f = seen_key(m, folder, st->uidvalidity);
	bool settled = s->known && s->uidvalidity == st->uidvalidity;

	*reset = s->known && !settled;
	if (!settled && seen_settle(m, folder, st, s, e) < 0)
		return -1;
	if (*reset) {
		gate_warn(m->call, WARN_UIDVALIDITY_CHANGED, 1);
		gate_warn(m->call, WARN_UIDVALIDITY_REMATCHED,
		    s->rematch.found);
	}
	s->known = true;
	s->uidvalidity = st->uidvalidity;
	/* The floor too: it may have risen while the server was asked. */
	return store_seen_acked(m->gate->store, m->arena, &f, &s->floor,
	    &s->acked, &s->n, e);
}

bool
seen_is_new(const struct seen *s, uint32_t uid)
{
	size_t lo = 0, hi = s->n;

	if (uid <= s->floor)
		return false;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->acked[mid] == uid)
			return false;
		if (s->acked[mid] < uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return true;
}
