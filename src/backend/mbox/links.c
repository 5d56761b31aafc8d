/* SPDX-License-Identifier: Apache-2.0 */
/* The ids that the messages of an archive name, by its index. */
#include "backend/internal.h"
#include "backend/mbox/internal.h"

/* Texts cut in the index are complete in the header. */
static int
mbox_links_names_of_head(struct mbox *m, const struct mbox_row *r,
    struct arena *a, struct strs *ids, struct err *e)
{
	struct mime_header h;
	struct str head = { 0 };
	int got = mbox_read_head(m, r, a, &head, e);

	if (got != 0)
		return got;
	mime_header_parse(a, head, &h);
	backend_link_ids(a, &h, ids);
	return 0;
}

static void
mbox_links_names_of_row(const struct mbox_index *x, const struct mbox_row *r,
    struct arena *a, struct strs *ids)
{
	static const enum mbox_text which[] = { MBOX_ID, MBOX_REFERENCES,
		MBOX_PARENT };

	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++)
		backend_link_cut(a, mbox_index_text(x, r, which[i]), ids);
}

static int
mbox_links_tell_all(struct mbox *m, const struct link_sink *to, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	uint64_t n = m->index.head->rows;

	for (uint64_t i = 0; i < n && i < UINT32_MAX; i++) {
		const struct mbox_row *r = mbox_index_row(&m->index, i);
		struct ref ref = { .uid = (uint32_t)(i + 1) };
		struct strs ids = { 0 };
		int got = 0;

		if (r == NULL)
			return MBOX_STALE;
		backend_link_room(&scratch);
		if ((r->flags & MBOX_CUT) != 0)
			got = mbox_links_names_of_head(m, r, scratch, &ids, e);
		else
			mbox_links_names_of_row(&m->index, r, scratch, &ids);
		if (got == 0)
			got = to->add(to->ctx, &ref, &ids, e);
		if (got == 0 && i % 1000 == 999)
			got = backend_in_time(m->conn.acct, MBOX_LATE, e);
		if (got != 0)
			return got;
	}
	return 0;
}

int
mbox_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	struct mbox *m = (struct mbox *)c;
	int r;

	(void)a;
	*over = false;
	if (mbox_folder(m, folder, e) < 0)
		return -1;
	/*
	 * Ids reported before are reported again: that only adds connections.
	 */
	while ((r = mbox_links_tell_all(m, to, e)) == MBOX_STALE)
		if (mbox_refresh_again(m, e) < 0)
			return -1;
	return r;
}
