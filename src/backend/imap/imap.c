/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The IMAP backend's table.  A method that loses the connection, or leaves it
 * in the middle of an answer, closes it; the next one opens another.
 */
#include "backend/imap/change.h"
#include "backend/imap/internal.h"
#include "backend/internal.h"

static struct imap_session *
session_of(struct conn *c)
{
	return (struct imap_session *)c;
}

static int
imap_finish(struct imap_session *s, int r, const struct err *e)
{
	s->data = NULL;
	s->ctx = NULL;
	s->code = NULL;
	s->reader.keep = NULL;
	s->reader.body_max = 0;
	if (r < 0 && (e->scope == ERR_SCOPE_CONN || !imap_leave_is_all(s)))
		imap_session_drop(s);
	return r;
}

static int
imap_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct imap_session *s;

	if (acct->imap_host.n == 0)
		return err_set(e, ERR_CONFIG, "the account has no IMAP server");
	s = imap_session_new(acct, a);
	s->conn.be = &imap_backend;
	*out = &s->conn;
	return 0;
}

static void
imap_close(struct conn *c)
{
	struct err e = { 0 };

	if (c == NULL)
		return;
	/* Sent without waiting for the answer. */
	if (session_of(c)->started && imap_leave_is_all(session_of(c)) &&
	    wire_say(session_of(c)->wire, S("e0 LOGOUT\r\n"), &e) == 0)
		(void)wire_flush(session_of(c)->wire, &e);
	imap_session_drop(session_of(c));
}

static void
imap_slot_again(struct conn *c, bool prove)
{
	imap_again(session_of(c), prove);
}

static int
imap_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct imap_session *s = session_of(c);
	bool kept = s->kept;
	int r;

	do
		r = imap_finish(s, imap_list(s, a, out, e), e);
	while (imap_again_lost(s, &kept, r, e));
	return r;
}

static int
imap_slot_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct imap_session *s = session_of(c);
	bool kept = s->kept;
	int r;

	do
		r = imap_finish(s, imap_find(s, a, q, limit, st, out, e), e);
	while (imap_again_lost(s, &kept, r, e));
	return r;
}

static int
imap_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct imap_session *s = session_of(c);
	bool kept = s->kept;
	int r;

	do
		r = imap_finish(s,
		    imap_fetch_headers(s, a, folder, refs, st, out, e), e);
	while (imap_again_lost(s, &kept, r, e));
	return r;
}

static int
imap_slot_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	struct imap_session *s = session_of(c);

	(void)a;
	return imap_finish(s, imap_links(s, folder, to, over, e), e);
}

static int
imap_slot_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct imap_session *s = session_of(c);
	bool kept = s->kept;
	int r;

	do
		r = imap_finish(s, imap_body(s, a, folder, ref, max, out, e),
		    e);
	while (imap_again_lost(s, &kept, r, e));
	return r;
}

static int
imap_slot_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	struct imap_session *s = session_of(c);

	(void)a;
	return imap_finish(s,
	    imap_append(s, folder, message, "(\\Seen)", NULL, e), e);
}

static int
imap_drafts(struct conn *c, struct arena *a, struct str *folder, struct err *e)
{
	struct imap_session *s = session_of(c);
	bool kept = s->kept;
	int r;

	do
		r = imap_finish(s, imap_draft_folder(s, a, folder, e), e);
	while (imap_again_lost(s, &kept, r, e));
	return r;
}

static int
imap_slot_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct imap_session *s = session_of(c);

	/* Threads follow from References. */
	(void)thread;
	return imap_finish(s, imap_draft(s, a, folder, message, out, e), e);
}

static int
imap_finish_change(struct imap_session *s, int r, const struct err *e)
{
	r = imap_finish(s, r, e);
	imap_leave(s);
	return r;
}

/* A change is sent once, whatever became of it: see imap_again_lost(). */
static int
imap_slot_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct imap_session *s = session_of(c);

	return imap_finish_change(s, imap_mark(s, a, folder, refs, change, e),
	    e);
}

static int
imap_slot_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct imap_session *s = session_of(c);

	return imap_finish_change(s,
	    imap_move(s, a, folder, refs, to, by, moved, e), e);
}

static int
imap_slot_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct imap_session *s = session_of(c);

	(void)a;
	return imap_finish(s, imap_watch(s, w, changed, e), e);
}

const struct backend imap_backend = {
	.name = "imap",
	.caps = CAP_READ | CAP_UIDS | CAP_APPEND | CAP_DRAFT | CAP_MARK |
	    CAP_MOVE | CAP_WATCH | CAP_LABEL,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_FLAGGED,
	.open = imap_open,
	.close = imap_close,
	.again = imap_slot_again,
	.folders = imap_folders,
	.find = imap_slot_find,
	.headers = imap_headers,
	.body = imap_slot_body,
	.links = imap_slot_links,
	.append = imap_slot_append,
	.drafts = imap_drafts,
	.draft = imap_slot_draft,
	.mark = imap_slot_mark,
	.move = imap_slot_move,
	.watch = imap_slot_watch,
	.probe = imap_probe,
};
