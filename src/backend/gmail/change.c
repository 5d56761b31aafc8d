/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of labels.  Gmail passes over messages that are not there, so each is
 * looked for first; then one request changes all of them.
 */
#include "backend/gmail/change.h"

static int
gmail_change_read(const struct gmail_change *w, const struct gmail_label *label,
    const struct gmail_bit *bit, struct str id, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *ids;
	struct str got = S("");

	if (!bit->found)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (gmail_call_parse(bit->body, &d, e) < 0)
		return -1;
	(void)json_parse_str(json_parse_member(json_parse_root(d), "id"), &got);
	if (!str_eq(got, id))
		return gmail_call_garbled(e, "another message came");
	ids = json_parse_member(json_parse_root(d), "labelIds");
	if (label != NULL && !gmail_label_holds(label, ids))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (w->must.n > 0 && !gmail_label_in(ids, w->must))
		return err_set(e, ERR_UNSUPPORTED,
		    "Gmail itself decides which messages are in that folder");
	return 0;
}

/* At most a batch of them, from the i-th on. */
static int
gmail_change_some(struct gmail *g, const struct gmail_change *w,
    const struct gmail_label *label, size_t i, size_t n, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct ref *ref = w->refs->v + i;
	struct gmail_bit bit[GMAIL_BATCH] = { 0 };

	for (size_t k = 0; k < n; k++)
		bit[k].target = str_fmt(a,
		    GMAIL_ME "/messages/%.*s?format=minimal&fields=id,labelIds",
		    STR_ARG(ref[k].id));
	if (gmail_batch(g, a, bit, n, e) < 0)
		return -1;
	for (size_t k = 0; k < n; k++)
		if (gmail_change_read(w, label, &bit[k], ref[k].id, e) < 0)
			return -1;
	return 0;
}

int
gmail_change_look(struct gmail *g, const struct gmail_change *w, struct err *e)
{
	struct gmail_label label, *in = w->folder.n > 0 ? &label : NULL;

	if (in != NULL && gmail_label_find(g, g->a, w->folder, in, e) < 0)
		return -1;
	if (w->refs->n > GMAIL_CHANGES)
		return err_set(e, ERR_LIMIT,
		    "that is more messages than Gmail changes at once");
	for (size_t i = 0; i < w->refs->n; i++)
		if (!gmail_url_is_id(w->refs->v[i].id))
			return err_set(e, ERR_NOT_FOUND,
			    "no such folder or message");
	for (size_t i = 0; i < w->refs->n; i += GMAIL_BATCH) {
		size_t n = w->refs->n - i;

		if (gmail_change_some(g, w, in, i,
			n < GMAIL_BATCH ? n : GMAIL_BATCH, e) < 0)
			return -1;
	}
	return 0;
}

int
gmail_change_make(struct gmail *g, const struct gmail_change *w, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct json *j = json_new(a);
	struct gmail_ask q = { .target = S(GMAIL_ME "/messages/batchModify"),
		.type = S("application/json") };
	struct http_reply r = { 0 };

	if (w->refs->n == 0 || w->add.n + w->remove.n == 0)
		return 0;
	json_open_object(j, NULL);
	json_open_array(j, "ids");
	for (size_t i = 0; i < w->refs->n; i++)
		json_put_str(j, NULL, w->refs->v[i].id);
	json_close_array(j);
	json_put_strs(j, "addLabelIds", &w->add);
	json_put_strs(j, "removeLabelIds", &w->remove);
	json_close_object(j);
	q.body = json_text(j, a);
	/* What was read ahead is about to be old. */
	gmail_thread_drop(g);
	g->known = (struct str){ 0 };
	return gmail_call(g, &q, &r, e);
}
