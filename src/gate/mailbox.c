/*
 * One message, some messages, folders: guarded.  Each row is judged before it
 * is given out, and what is hidden takes the same way out as what is absent.
 */
#include "gate/mailbox.h"

#include "base/limits.h"
#include "gate/internal.h"

int
mailbox_open(struct mailbox *m, struct err *e)
{
	if (m->conn != NULL)
		return 0;
	if (source_unseal(m->gate->store, m->src, e) < 0)
		return -1;
	return m->src->be->open(&m->src->view, m->arena, &m->conn, e);
}

void
mailbox_close(struct mailbox *m)
{
	if (m->conn != NULL)
		m->src->be->close(m->conn);
	m->conn = NULL;
}

/*
 * Headers of uids, in their order, each judged, and the uidvalidity they were
 * read under.  -1 with ERR_NOT_FOUND as soon as one is not to be seen.
 */
static int
heads(struct mailbox *m, struct str folder, const uint32_t *uid, size_t n,
    struct refs *refs, struct mail *out, uint32_t *uidvalidity, struct err *e)
{
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct uids uids;
	struct seen seen;
	bool reset;

	if (mailbox_open(m, e) < 0 || seen_load(m, folder, &seen, e) < 0 ||
	    uids_learn(m, folder, &uids, e) < 0)
		return -1;
	uids_refs(m, &uids, uid, n, refs);
	if (m->src->be->headers(m->conn, m->arena, folder, refs, &st, &rows,
		e) < 0)
		return -1;
	uids_apply(&uids, &st, &rows);
	if (seen_meet(m, folder, &st, &seen, &reset, e) < 0)
		return -1;
	*uidvalidity = st.uidvalidity;
	if (refs->n != n || rows.n != n)
		return judge_absent(e);
	for (size_t i = 0; i < n; i++) {
		if (rows.v[i].ref.uid != uid[i])
			return judge_absent(e);
		if (!judge_row(m, &rows.v[i], &out[i])) {
			m->call->blocked = "filtered";
			return judge_absent(e);
		}
	}
	return 0;
}

int
mailbox_head(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct err *e)
{
	struct refs refs;
	uint32_t uidvalidity;

	return heads(m, folder, &uid, 1, &refs, out, &uidvalidity, e);
}

/*
 * The header is judged before the body is asked for, so that a hidden message
 * takes no longer than an absent one; and the bytes that came are judged once
 * more, since only they are handed out.
 */
int
mailbox_get(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct str *raw, struct err *e)
{
	struct refs refs;
	struct mail head;
	struct str bytes;
	struct row whole = { 0 };
	uint32_t uidvalidity;

	if (heads(m, folder, &uid, 1, &refs, &head, &uidvalidity, e) < 0)
		return -1;
	if (m->src->be->body(m->conn, m->arena, folder, &refs.v[0],
		LIMIT_MESSAGE, &bytes, e) < 0)
		return -1;
	whole.ref = refs.v[0];
	whole.head = bytes;
	whole.size = bytes.n;
	whole.has_attachments = head.has_attachments;
	if (!judge_row(m, &whole, out)) {
		m->call->blocked = "filtered";
		return judge_absent(e);
	}
	*raw = bytes;
	return 0;
}

int
mailbox_ack(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct err *e)
{
	struct mail *mails = arena_array(m->arena, n, sizeof(*mails));
	struct store_folder f = {
		.account = m->src->acct.id,
		.principal = m->gate->principal,
		.folder = folder,
	};
	struct refs refs;

	/* Not what the store has now: the uids are of what was looked at. */
	if (heads(m, folder, uids, n, &refs, mails, &f.uidvalidity, e) < 0)
		return -1;
	return store_seen_ack(m->gate->store, &f, uids, n, e);
}

int
mailbox_folders(struct mailbox *m, struct folders *out, struct err *e)
{
	if (mailbox_open(m, e) < 0)
		return -1;
	return m->src->be->folders(m->conn, m->arena, out, e);
}

const char *
mailbox_role(enum folder_role role)
{
	return backend_role_name(role);
}
