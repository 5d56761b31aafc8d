/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of messages, a page after another, newest first. */
#include "backend/gmail/internal.h"

/* Some of them may be short. */
#define SAME_SECOND 20000 /* messages searched for a position */
#define PAGES (4UL * GMAIL_IDS / GMAIL_PAGE)

static struct str
gmail_list_target(const struct gmail_list *l, struct arena *a, size_t most)
{
	struct buf b;

	buf_init(&b, a, LIMIT_URL);
	buf_text(&b, GMAIL_ME "/messages");
	gmail_url_param(&b, "maxResults", str_fmt(a, "%zu", most));
	gmail_url_param(&b, "fields", S("messages/id,nextPageToken"));
	if (l->label->id.n > 0)
		gmail_url_param(&b, "labelIds", l->label->id);
	if (gmail_label_is_hidden(l->label))
		gmail_url_param(&b, "includeSpamTrash", S("true"));
	if (l->q.n > 0)
		gmail_url_param(&b, "q", l->q);
	if (l->token.n > 0)
		gmail_url_param(&b, "pageToken", l->token);
	return b.over ? S("") : buf_view(&b);
}

/* Adds the ids of the page to the list. */
static int
gmail_list_take(struct gmail_list *l, const struct json_value *v,
    struct strs *ids, struct err *e)
{
	size_t n = json_parse_count(v);

	if (n > GMAIL_PAGE)
		return gmail_call_garbled(e, "a page is too long");
	for (size_t i = 0; i < n; i++) {
		struct str id = S("");

		(void)json_parse_str(json_parse_member(json_parse_item(v, i),
					 "id"),
		    &id);
		if (!gmail_url_is_id(id))
			return gmail_call_garbled(e, "an id is none");
		str_push(l->a, ids, str_dup(l->a, id));
	}
	l->n += n;
	if (l->n > GMAIL_IDS)
		return err_set(e, ERR_LIMIT,
		    "the folder has too many messages");
	return 0;
}

int
gmail_list_more(struct gmail_list *l, size_t most, struct strs *ids,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(1 << 20);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct gmail_ask q = { .target = gmail_list_target(l, scratch, most) };
	const struct json_value *root;
	struct str next = S("");

	if (q.target.n == 0)
		return err_set(e, ERR_LIMIT,
		    "that is too much for one request: ask for less");
	if (gmail_call_json(l->g, &q, &d, e) < 0)
		return -1;
	root = json_parse_root(d);
	if (gmail_list_take(l, json_parse_member(root, "messages"), ids, e) < 0)
		return -1;
	(void)json_parse_str(json_parse_member(root, "nextPageToken"), &next);
	/* Endless repetition of one page, or empty pages. */
	if (next.n > 1024 || (next.n > 0 && str_eq(next, l->token)) ||
	    ++l->pages > PAGES)
		return gmail_call_garbled(e, "the pages never end");
	l->begun = true;
	l->ended = next.n == 0;
	l->token = str_dup(l->a, next);
	return 0;
}

int
gmail_list_behind(struct gmail_list *l, struct str behind, struct strs *ids,
    struct err *e)
{
	struct gmail_list start = *l;

	while (!l->ended && l->n < SAME_SECOND) {
		struct strs page = { 0 };

		if (gmail_list_more(l, GMAIL_PAGE, &page, e) < 0)
			return -1;
		for (size_t i = 0; i < page.n; i++) {
			if (!str_eq(page.v[i], behind))
				continue;
			*ids = (struct strs){ page.v + i + 1, page.n - i - 1 };
			return 0;
		}
	}
	*l = start;
	return gmail_list_more(l, GMAIL_PAGE, ids, e);
}
