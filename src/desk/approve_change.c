/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A change that waits, as the operator sees it: what, where, how many.  The
 * subjects are not ours, so what would be done comes after them.
 */
#include "desk/approve_text.h"

void
approve_change_deed(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	const struct mailbox_change *v = h->change;
	struct str set = changes_text_marks(a, v->set, &v->add);
	struct str clear = changes_text_marks(a, v->clear, &v->drop);

	approve_line(b, a, "change", changes_text(a, v));
	if (set.n > 0)
		approve_line(b, a, "set", set);
	if (clear.n > 0)
		approve_line(b, a, "clear", clear);
}

void
approve_change_text(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	const struct mailbox_change *v = h->change;

	for (size_t i = 0; i < h->subjects.n; i++)
		approve_line(b, a, "subject", h->subjects.v[i]);
	if (h->subjects.n > 0 && v->n > h->subjects.n)
		approve_line(b, a, "",
		    str_fmt(a, "and %zu more", v->n - h->subjects.n));
	approve_change_deed(b, a, h);
	if (h->why != NULL)
		approve_line(b, a, "refused", str_of(h->why));
	approve_line(b, a, "digest", h->digest);
}

void
approve_change_put(struct json *j, struct arena *a, const struct outbox_held *h)
{
	const struct mailbox_change *v = h->change;

	json_put_str(j, "change", changes_text(a, v));
	json_put_text(j, "kind", v->move ? "move" : "mark");
	json_put_str(j, "folder", v->folder);
	json_put_str_or_null(j, "to", v->target);
	json_put_str_or_null(j, "set", changes_text_marks(a, v->set, &v->add));
	json_put_str_or_null(j, "clear",
	    changes_text_marks(a, v->clear, &v->drop));
	json_put_int(j, "messages", (int64_t)v->n);
	json_put_strs(j, "subjects", &h->subjects);
}
