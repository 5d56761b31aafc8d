/* SPDX-License-Identifier: Apache-2.0 */
/* A whole message, every byte of it. */
#include "backend/gmail/internal.h"

int
gmail_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct gmail *g = (struct gmail *)c;
	struct gmail_ask q = { .max = max / 3 * 4 + 65536 };
	struct gmail_label label;
	const struct gmail_label *at = folder.n > 0 ? &label : NULL;
	struct http_reply r = { 0 };
	struct str raw;

	if (at != NULL && gmail_label_find(g, a, folder, &label, e) < 0)
		return -1;
	if (!gmail_url_is_id(ref->id))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	q.target = str_fmt(scratch,
	    GMAIL_ME "/messages/%.*s?format=raw&fields=labelIds,raw",
	    STR_ARG(ref->id));
	if (gmail_call(g, &q, &r, e) < 0) {
		if (e->kind == ERR_LIMIT && r.status == 0)
			(void)err_set(e, ERR_LIMIT, "the message is too large");
		return -1;
	}
	if (gmail_read_raw(scratch, r.body, max, at, &raw, e) < 0)
		return -1;
	*out = str_dup(a, raw);
	return 0;
}
