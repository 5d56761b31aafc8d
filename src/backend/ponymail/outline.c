/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows without a request, for callers that only need to know which messages
 * exist.  The archive's From may be masked and its texts are cut, so a row
 * contains neither.
 */
#include "backend/ponymail/internal.h"
#include "base/clock.h"

static bool
ponymail_outline_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f)
			return false;
	return str_starts(s, S("<"));
}

static void
put_id(struct buf *b, const char *name, struct str id)
{
	if (ponymail_outline_is_plain(id))
		buf_fmt(b, "%s: %.*s\r\n", name, STR_ARG(id));
}

static void
ponymail_outline_put_date(struct buf *b, int64_t epoch)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May",
		"Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct clock_date d;

	/* Years of four digits: a Date may contain anything. */
	if (epoch < 0 || epoch > INT64_C(253402300799))
		return;
	d = clock_date(epoch);
	buf_fmt(b, "Date: %d %s %04d %02d:%02d:%02d +0000\r\n", d.day,
	    months[d.month - 1], d.year, d.hour, d.minute, d.second);
}

void
ponymail_outline_row(const struct pony_list *l, const struct pony_entry *x,
    struct arena *a, struct rows *out)
{
	struct buf b;

	buf_init(&b, a, 8192);
	put_id(&b, "Message-ID", x->message_id);
	put_id(&b, "In-Reply-To", x->parent);
	ponymail_outline_put_date(&b, x->epoch);
	buf_text(&b, "\r\n");
	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	out->v[out->n++] = (struct row){
		.ref.id = str_dup(a, x->mid),
		.head = buf_view(&b),
		.received_s = x->epoch,
		.outline = true,
		.thread = str_dup(a, l->v[x->root].mid),
	};
}
