/* SPDX-License-Identifier: Apache-2.0 */
/* One waiting message, as the operator sees it before it leaves. */
#include "desk/approve_text.h"

#include "base/clock.h"
#include "desk/picture.h"

struct str
approve_text_when(struct arena *a, int64_t unix_s)
{
	return unix_s > 0 ? clock_rfc3339(a, unix_s) : S("-");
}

void
approve_text_recipients(struct buf *b, struct arena *a,
    const struct outbox_held *h)
{
	for (size_t i = 0; i < h->n; i++)
		approve_line(b, a, h->to[i].kind, h->to[i].address);
}

static void
approve_text_warnings(struct buf *b, struct arena *a,
    const struct outbox_held *h)
{
	for (int i = 0; i < WARNINGS; i++)
		if (h->warned[i] > 0)
			approve_line(b, a, "warning",
			    str_fmt(a, "%s (%u)", warning_table[i].code,
				(unsigned)h->warned[i]));
	if (h->carries != NULL)
		approve_line(b, a, "carries", str_of(h->carries));
	if (h->why != NULL)
		approve_line(b, a, "refused",
		    str_fmt(a, "%s: the message has changed since it was held",
			h->why));
}

static void
approve_text_files(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	for (size_t i = 0; i < h->files; i++) {
		const struct outbox_held_file *f = &h->file[i];

		approve_line(b, a, "file", f->name);
		buf_fmt(b, "%-12s %.*s, %zu bytes, sha256 %.*s\n", "",
		    STR_ARG(picture_text(a, f->type, false)), f->bytes,
		    STR_ARG(f->digest));
		for (size_t k = 0; k < f->which.n; k++)
			buf_fmt(b, "%-12s | %.*s\n", "",
			    STR_ARG(picture_text(a, f->which.v[k], false)));
	}
}

void
approve_text(struct buf *b, struct arena *a, const struct outbox_held *h)
{
	approve_line(b, a, "id", str_fmt(a, "%lld", (long long)h->id));
	approve_line(b, a, "state", str_of(h->state));
	approve_line(b, a, "reason", h->reason);
	approve_line(b, a, "account", h->account);
	approve_line(b, a, "agent", h->principal);
	approve_line(b, a, "created", approve_text_when(a, h->created_s));
	approve_line(b, a, "expires", approve_text_when(a, h->expires_s));
	if (h->change != NULL) {
		approve_change_text(b, a, h);
		return;
	}
	approve_line(b, a, "sender", h->sender);
	approve_text_recipients(b, a, h);
	approve_line(b, a, "subject", h->subject);
	approve_line(b, a, "message-id", h->message_id);
	approve_text_files(b, a, h);
	approve_text_warnings(b, a, h);
	approve_line(b, a, "digest", h->digest);
	/* Marked, so that no line of it can pass for one of the above. */
	buf_text(b, "\n  | ");
	for (struct str rest = picture_text(a, h->text, true); rest.n > 0;) {
		struct str first;
		bool more = str_cut(rest, '\n', &first, &rest);

		buf_str(b, first);
		buf_text(b, more && rest.n > 0 ? "\n  | " : "");
	}
	buf_char(b, '\n');
}
