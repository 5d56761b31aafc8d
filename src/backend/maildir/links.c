/* SPDX-License-Identifier: Apache-2.0 */
/* The ids that the messages of a folder name, from facts. */
#include "backend/internal.h"
#include "backend/maildir/internal.h"

/* Without a fact: from the header, if it is readable. */
static int
maildir_links_tell_header(struct maildir *m, const struct ref *ref,
    const struct link_sink *to, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	CLEANUP(path_close) int fd = -1;
	struct str head = { 0 };
	struct mime_header h;
	struct strs ids;
	struct stat st;
	int found = maildir_index_file(m, ref->id, &fd, &st, e);

	if (found <= 0)
		return found;
	scratch = arena_open(LIMIT_ARENA);
	if (maildir_bytes_head(fd, scratch, &head, e) < 0)
		return -1;
	mime_header_parse(scratch, head, &h);
	backend_link_ids(scratch, &h, &ids);
	return to->add(to->ctx, ref, &ids, e);
}

int
maildir_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	struct maildir *m = (struct maildir *)c;
	struct strs left = { 0 };

	*over = false;
	if (maildir_folder_open(m, folder, e) < 0 ||
	    maildir_index_need(m, e) < 0 || maildir_facts_need(m, e) < 0)
		return -1;
	for (size_t i = 0; i < m->facts.n; i++) {
		struct ref ref = { 0 };
		struct strs ids = { 0 };

		backend_link_room(&scratch);
		if (!maildir_facts_names(m, i, scratch, &ref.id, &ids)) {
			str_push(a, &left, str_dup(a, ref.id));
			continue;
		}
		if (to->add(to->ctx, &ref, &ids, e) < 0)
			return -1;
	}
	/* Searching for a moved file makes the facts again. */
	for (size_t i = 0; i < left.n; i++) {
		struct ref ref = { .id = left.v[i] };

		if (maildir_links_tell_header(m, &ref, to, e) < 0)
			return -1;
	}
	return 0;
}
