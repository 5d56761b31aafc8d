/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ids that the messages of a folder name: one FETCH of three fields.
 * SEARCH would take an answer for each step of a chain, and cannot find folded
 * ids: servers search the stored text.
 */
#include "backend/imap/fetch.h"
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "backend/internal.h"
#include "base/limits.h"

#define ITEMS                                                                  \
	" (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID REFERENCES IN-REPLY-TO)])"

struct telling {
	struct arena **scratch;
	const struct link_sink *to;
	size_t n,
	    max; /* number reported; a server may send more than requested */
};

/* msg-att: pairs of a name and a value. */
static int
read_link_items(const struct imap_node *n, uint32_t *uid, struct str *head,
    struct err *e)
{
	for (; n != NULL && n->next != NULL; n = n->next->next) {
		const struct imap_node *value = n->next;

		if (imap_token_is(n, "UID")) {
			if (imap_token_uid(value, uid, e) < 0)
				return -1;
		} else if (n->kind == IMAP_ATOM && imap_token_has_text(value) &&
		    str_starts_case(n->text, S("BODY[HEADER.FIELDS "))) {
			*head = value->text;
		}
	}
	return 0;
}

static int
links_data(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct telling *t = ctx;
	const struct imap_node *items;
	struct mime_header h;
	struct ref ref = { 0 };
	struct str head = { 0 };
	struct strs ids;

	if (imap_fetch_items(s, r, &items, e) < 0 ||
	    read_link_items(items, &ref.uid, &head, e) < 0)
		return -1;
	if (ref.uid == 0 || t->n == t->max)
		return 0;
	t->n++;
	backend_link_room(t->scratch);
	mime_header_parse(*t->scratch, head, &h);
	backend_link_ids(*t->scratch, &h, &ids);
	return t->to->add(t->to->ctx, &ref, &ids, e);
}

int
imap_links(struct imap_session *s, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	struct telling t = { .scratch = &scratch, .to = to };
	uint32_t first = 1, exists;
	struct imap_cmd c;

	*over = false;
	if (imap_session_select(s, folder, e) < 0 ||
	    imap_session_settle(s, e) < 0)
		return -1;
	exists = s->st.exists;
	if (exists == 0)
		return 0;
	if (exists > LIMIT_IMAP_LINKS) {
		first = exists - LIMIT_IMAP_LINKS + 1;
		*over = true;
	}
	t.max = exists - first + 1;
	s->data = links_data;
	s->ctx = &t;
	if (imap_command_begin(s, &c, "FETCH ", e) < 0 ||
	    wire_say_fmt(s->wire, e, "%u:%u" ITEMS, first, exists) < 0 ||
	    imap_command_end(s, &c, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	s->data = NULL;
	return imap_fetch_answer(&c, e);
}
