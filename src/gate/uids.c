/*
 * One numbering for every backend.  IMAP brings its own uids; elsewhere the
 * store numbers messages as they are first seen, in order of arrival, so that
 * floor, ack and paging mean the same everywhere.
 */
#include "gate/internal.h"

int
uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e)
{
	const struct backend *be = m->src->be;
	struct folder_state st = { 0 };
	struct strs ids = { 0 };

	*out = (struct uids){ 0 };
	if (be->caps & CAP_UIDS) {
		out->native = true;
		return 0;
	}
	if (be->scan(m->conn, m->arena, folder, &st, &ids, e) < 0)
		return -1;
	return store_uid_sync(m->gate->store, m->arena, m->src->acct.id, folder,
	    &ids, &out->v, &out->n, &out->uidvalidity, &out->uidnext, e);
}

/* The first place whose uid is not below `uid`. */
static size_t
place(const struct uids *u, uint32_t uid)
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

void
uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out)
{
	out->v = arena_array(m->arena, n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct ref r = { .uid = uid[i] };

		if (!u->native) {
			size_t at = place(u, uid[i]);

			if (at == u->n || u->v[at].uid != uid[i])
				continue;
			r.id = u->v[at].id;
		}
		out->v[out->n++] = r;
	}
}

void
uids_apply(const struct uids *u, struct folder_state *st, struct rows *rows)
{
	size_t kept = 0;

	if (!u->native) {
		st->uidvalidity = u->uidvalidity;
		st->uidnext = u->uidnext;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (rows->v[i].ref.uid != 0)
			rows->v[kept++] = rows->v[i];
	rows->n = kept;
}
