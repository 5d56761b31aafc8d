/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads messages: header blocks for lists, whole messages for get.  Moves no
 * file and sets no flag.
 */
#include "backend/maildir/internal.h"
#include "base/path.h"
#include "mime/message.h"

/*
 * How much of a multipart message is read to find out whether it has
 * attachments.  A page of messages of 100 MB each must not read gigabytes.
 */
#define STRUCTURE (4UL << 20)

/* A leaf that `get` would probably list as an attachment, by its type. */
static bool
maildir_read_is_attachment(const struct mime_message *m, size_t i)
{
	const struct mime_part *p = &m->part[i];
	bool named = mime_param_get(&p->disp, "filename").n > 0 ||
	    mime_param_get(&p->ctype, "name").n > 0;

	if (p->is_multipart)
		return false;
	if (p->is_message || str_eq(p->disp.value, S("attachment")))
		return true;
	if (i == 0)
		return !str_starts(p->type, S("text/"));
	/*
	 * A text with a name is one unless it is the first part of its
	 * multipart.
	 */
	if (named && (size_t)p->parent + 1 != i)
		return true;
	return !str_eq(p->type, S("text/plain")) &&
	    !str_eq(p->type, S("text/html")) &&
	    !str_eq(p->type, S("text/markdown"));
}

/*
 * Does the message have attachments?  The header alone decides, unless it has
 * parts: then these are read.
 */
static int
maildir_read_has_attachments(int fd, const struct stat *st, struct str head,
    bool *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_message m;
	struct str raw = { 0 };

	*out = false;
	mime_message_parse(a, head, &m);
	/* Without its body a multipart is parsed as text; its type stays. */
	if (m.n > 0 && str_starts(m.part[0].ctype.value, S("multipart/"))) {
		if (maildir_bytes_first(fd, st, STRUCTURE, a, &raw, e) < 0)
			return -1;
		mime_message_parse(a, raw, &m);
	}
	for (size_t i = 0; i < m.n && !*out; i++)
		*out = maildir_read_is_attachment(&m, i);
	return 0;
}

int
maildir_read_row(const struct maildir *m, int fd, const struct stat *st,
    const struct ref *ref, struct str head, struct arena *a, struct rows *out,
    struct err *e)
{
	struct row *r;
	bool files;

	if (maildir_read_has_attachments(fd, st, head, &files, e) < 0)
		return -1;
	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	r = &out->v[out->n++];
	*r = (struct row){
		.ref = { ref->uid, str_dup(a, ref->id) },
		.head = str_dup(a, head),
		.size = (uint64_t)st->st_size,
		.received_s = st->st_mtim.tv_sec,
		.has_attachments = files,
	};
	r->flags = maildir_index_flags(m, ref->id, &r->draft);
	return 0;
}

/* Adds the row of one message, if it exists. */
static int
maildir_read_add_row(struct maildir *m, const struct ref *ref, struct arena *a,
    struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	CLEANUP(path_close) int fd = -1;
	struct str head = { 0 };
	struct stat st;
	int found = maildir_index_file(m, ref->id, &fd, &st, e);

	if (found <= 0)
		return found;
	scratch = arena_open(LIMIT_ARENA);
	if (maildir_bytes_head(fd, scratch, &head, e) < 0)
		return -1;
	return maildir_read_row(m, fd, &st, ref, head, a, out, e);
}

static void
maildir_read_state_of(const struct maildir *m, struct folder_state *st)
{
	*st = (struct folder_state){ .exists = (uint32_t)m->index.n };
}

int
maildir_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct rows rows = { 0 };

	if (maildir_folder_open(m, folder, e) < 0 ||
	    maildir_index_need(m, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		if (maildir_read_add_row(m, &refs->v[i], a, &rows, e) < 0)
			return -1;
	maildir_read_state_of(m, st);
	*out = rows;
	return 0;
}

int
maildir_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	CLEANUP(path_close) int fd = -1;
	struct stat st;
	int found;

	if (maildir_folder_open(m, folder, e) < 0)
		return -1;
	found = maildir_index_file(m, ref->id, &fd, &st, e);
	if (found < 0)
		return -1;
	if (found == 0)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if ((uint64_t)st.st_size > max)
		return err_set(e, ERR_LIMIT, "the message is too large");
	return path_read(fd, max, a, out, e);
}

int
maildir_read_ids(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct str digest = { 0 };

	if (maildir_folder_open(m, folder, e) < 0)
		return -1;
	if (!maildir_index_known(m) && maildir_index_read(m, e) < 0)
		return -1;
	if (maildir_index_order(m, a, ids, &digest, e) < 0)
		return -1;
	maildir_read_state_of(m, st);
	st->listing = digest;
	return 0;
}

int
maildir_read_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e)
{
	struct maildir *m = (struct maildir *)c;

	*st = (struct folder_state){ 0 };
	if (maildir_folder_open(m, folder, e) < 0)
		return -1;
	if (!maildir_index_known(m) || m->index.kept.head == NULL)
		return 0;
	maildir_read_state_of(m, st);
	st->listing = maildir_listing_digest(&m->index.kept, a);
	return 0;
}
