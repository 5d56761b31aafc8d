/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gmail's ids of drafts.  Each edit gives a draft's message a new id; the draft
 * keeps its own id, which messages do not contain.
 */
#include "backend/gmail/internal.h"

#define PAGES 4 /* newest first: with more drafts, older ones are not found */

static size_t
gmail_draft_id_unnamed(const struct rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += rows->v[i].draft && rows->v[i].draft_id.n == 0;
	return n;
}

static void
gmail_draft_id_name_row(struct arena *a, const struct json_value *draft,
    struct rows *rows)
{
	struct str id = S(""), message = S("");

	(void)json_parse_str(json_parse_member(draft, "id"), &id);
	(void)json_parse_str(json_parse_member(json_parse_member(draft,
						   "message"),
				 "id"),
	    &message);
	if (!gmail_url_is_id(id))
		return;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->v[i].draft && str_eq(rows->v[i].ref.id, message))
			rows->v[i].draft_id = str_dup(a, id);
}

/* One page; *token is that of the next, or empty. */
static int
gmail_draft_id_page(struct gmail *g, struct arena *a, struct rows *rows,
    struct str *token, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_ask q = { 0 };
	const struct json_value *list;
	struct str next = S("");
	struct buf b;

	buf_init(&b, scratch, LIMIT_URL);
	buf_text(&b, GMAIL_ME "/drafts");
	gmail_url_param(&b, "maxResults", str_fmt(scratch, "%d", GMAIL_PAGE));
	gmail_url_param(&b, "fields", S("drafts(id,message/id),nextPageToken"));
	if (token->n > 0)
		gmail_url_param(&b, "pageToken", *token);
	q.target = buf_view(&b);
	if (b.over)
		return gmail_call_garbled(e, "a page's token is too long");
	if (gmail_call_json(g, &q, &d, e) < 0)
		return -1;
	list = json_parse_member(json_parse_root(d), "drafts");
	if (json_parse_count(list) > GMAIL_PAGE)
		return gmail_call_garbled(e, "a page is too long");
	for (size_t i = 0; i < json_parse_count(list); i++)
		gmail_draft_id_name_row(a, json_parse_item(list, i), rows);
	(void)json_parse_str(json_parse_member(json_parse_root(d),
				 "nextPageToken"),
	    &next);
	*token = str_dup(a, next);
	return 0;
}

int
gmail_draft_id_put(struct gmail *g, struct arena *a, struct rows *rows,
    struct err *e)
{
	struct str token = S("");

	for (int i = 0; i < PAGES && gmail_draft_id_unnamed(rows) > 0; i++) {
		if (gmail_draft_id_page(g, a, rows, &token, e) < 0)
			return -1;
		if (token.n == 0)
			break;
	}
	return 0;
}
