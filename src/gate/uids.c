/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One numbering for every backend.  IMAP has its own uids; for other backends
 * the store numbers messages when they are first seen, in order of arrival, so
 * that floor, ack and paging have the same meaning everywhere.
 */
#include "gate/uids.h"
#include "gate/internal.h"

/*
 * 1: this listing was already numbered, so only requested rows need to be read.
 */
static int
uids_is_numbered(struct mailbox *m, struct str folder,
    const struct folder_state *st, struct uids *out, struct err *e)
{
	int r = store_uid_known(m->gate->store, m->src->acct.id, folder,
	    st->listing, &out->map, e);

	out->exists = st->exists;
	out->partly = r == 1;
	return r;
}

/* 1: the numbering is current; 0: everything must be read; or -1. */
static int
uids_changed(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e)
{
	struct store *s = m->gate->store;
	int64_t account = m->src->acct.id;
	struct folder_state st = { 0 };
	struct strs came = { 0 }, gone = { 0 };
	struct store_uid_change c = { .came = &came, .gone = &gone };
	int r = store_uid_change_last(s, m->arena, account, folder, &out->map,
	    &c.since, e);

	if (r == 1)
		r = m->src->be->changes(m->conn, m->arena, folder, c.since, &st,
		    &came, &gone, e);
	if (r <= 0)
		return r;
	c.listing = st.listing;
	if (came.n > 0 || gone.n > 0 || !str_eq(c.since, c.listing))
		r = store_uid_change(s, account, folder, &c, &out->map, e);
	out->partly = r == 1;
	return r;
}

int
uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e)
{
	const struct backend *be = m->src->be;
	struct folder_state st = { 0 };
	struct strs ids = { 0 };
	int known = 0;

	*out = (struct uids){ 0 };
	if (be->caps & CAP_UIDS) {
		out->native = true;
		return 0;
	}
	if (be->caps & CAP_CHANGES)
		known = uids_changed(m, folder, out, e);
	if (known == 0 && (be->caps & CAP_LISTING)) {
		if (be->listing(m->conn, m->arena, folder, &st, e) < 0)
			return -1;
		known = uids_is_numbered(m, folder, &st, out, e);
	}
	if (known != 0)
		return known < 0 ? -1 : 0;
	if (be->scan(m->conn, m->arena, folder, &st, &ids, e) < 0 ||
	    (known = uids_is_numbered(m, folder, &st, out, e)) < 0)
		return -1;
	if (known == 1)
		return 0;
	return store_uid_sync(m->gate->store, m->arena, m->src->acct.id, folder,
	    &ids, st.listing, &out->map, e);
}

int
uids_whole(struct mailbox *m, struct uids *u, struct err *e)
{
	if (!u->partly)
		return 0;
	u->partly = false;
	return store_uid_known_page(m->gate->store, m->arena, 1, UINT32_MAX,
	    SIZE_MAX, &u->map, e);
}

/* The index of the first uid that is not below `uid`. */
static size_t
uids_place(const struct store_uids *u, uint32_t uid)
{
	size_t lo = 0, hi = u->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->v[mid].uid < uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int
uids_below(struct mailbox *m, const struct uids *u, struct arena *a,
    uint32_t bottom, uint32_t top, size_t max, struct refs *out, struct err *e)
{
	struct store_uids some = u->map;
	size_t i;

	if (u->partly &&
	    store_uid_known_page(m->gate->store, a, bottom, top, max, &some,
		e) < 0)
		return -1;
	i = top < UINT32_MAX ? uids_place(&some, top + 1) : some.n;
	out->v = arena_array(a, i < max ? i : max, sizeof(*out->v));
	out->n = 0;
	while (i-- > 0 && some.v[i].uid >= bottom && out->n < max)
		out->v[out->n++] = (struct ref){ some.v[i].uid, some.v[i].id };
	return 0;
}

/*
 * Are they close to each other?  Then all that is between them is read at once:
 * less than a statement for each.
 */
static bool
uids_are_near(const uint32_t *uid, size_t n, uint32_t *low, uint32_t *high)
{
	*low = UINT32_MAX;
	*high = 0;
	for (size_t i = 0; i < n; i++) {
		*low = uid[i] < *low ? uid[i] : *low;
		*high = uid[i] > *high ? uid[i] : *high;
	}
	return n > 1 && (*high - *low) / 8 < n;
}

int
uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out, struct err *e)
{
	struct uids near = *u;
	uint32_t low, high;

	if (u->partly && uids_are_near(uid, n, &low, &high)) {
		near.partly = false;
		if (store_uid_known_page(m->gate->store, m->arena, low, high,
			SIZE_MAX, &near.map, e) < 0)
			return -1;
	}
	*out = (struct refs){ arena_array(m->arena, n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < n; i++) {
		struct refs one = { 0 };

		if (u->native)
			out->v[out->n++] = (struct ref){ .uid = uid[i] };
		else if (uids_below(m, &near, m->arena, uid[i], uid[i], 1, &one,
			     e) < 0)
			return -1;
		else if (one.n > 0)
			out->v[out->n++] = one.v[0];
	}
	return 0;
}

void
uids_apply(const struct uids *u, struct folder_state *st, struct rows *rows)
{
	size_t kept = 0;

	if (!u->native) {
		st->uidvalidity = u->map.uidvalidity;
		st->uidnext = u->map.uidnext;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (rows->v[i].ref.uid != 0)
			rows->v[kept++] = rows->v[i];
	rows->n = kept;
}
