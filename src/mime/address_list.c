/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lenient reading of address lists, for display: RFC 5322 section 3.4 with
 * the obsolete syntax of section 4.4 and the deviations of real mail.  The
 * value is cut into items at its commas, semicolons and colons, and each item
 * is read on its own.  Fields hold 1 to 1000 addresses; every loop only moves
 * forward.
 */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

/* The text between two commas, and the position of its "<", or s.n. */
struct item {
	struct str s;
	size_t angle;
};

struct reader {
	struct arena *a;
	struct addresses *out;
	bool in_group;
	bool group_empty;
	bool after_group;
};

static void
address_list_keep(struct reader *r, struct address item)
{
	struct addresses *out = r->out;

	out->v = arena_more(r->a, out->v, out->n, sizeof(*out->v));
	out->v[out->n++] = item;
}

static bool
address_list_is_empty(struct str s)
{
	struct address_lex l = { .s = s };

	return address_lex_next(&l).kind == ADDRESS_END;
}

/* Ends an item at `sign`: a comma, a semicolon, or '\0' for the end. */
static void
address_list_end_item(struct reader *r, struct item it, char sign)
{
	struct address got;

	if (!address_list_is_empty(it.s)) {
		if (r->out->n == LIMIT_ADDRESSES) {
			r->out->over = true;
			return;
		}
		r->out->clean = r->out->clean && !r->after_group;
		r->group_empty = false;
		got = address_item_read(r->a, it.s, it.angle, &r->out->clean);
		if (got.name.n > 0 || got.addr.n > 0)
			address_list_keep(r, got);
	} else if (!(sign == ';' && r->group_empty) && !r->after_group) {
		r->out->clean = false;
	}
	if (sign == ';' ? !r->in_group : r->in_group && sign == '\0')
		r->out->clean = false;
	r->after_group = sign == ';';
	if (sign == ';')
		r->in_group = r->group_empty = false;
}

static void
address_list_begin_group(struct reader *r, struct item it)
{
	if (r->in_group || it.angle < it.s.n || address_list_is_empty(it.s) ||
	    str_has_char(it.s, '@'))
		r->out->clean = false;
	r->in_group = r->group_empty = true;
	r->after_group = false;
}

/* Cuts the text at the commas, semicolons and colons that are separators. */
static void
address_list_read_items(struct reader *r, struct str s)
{
	struct address_lex l = { .s = s };
	size_t from = 0;
	size_t angle = s.n;
	bool open = false, route = false;

	for (; l.i <= s.n && !r->out->over; l.i++) {
		char c = (char)(l.i < s.n ? s.p[l.i] : '\0');
		struct item it = { { s.p + from, l.i - from }, 0 };
		size_t end = l.i < s.n ? address_lex_opaque(&l) : 0;

		it.angle = angle < l.i ? angle - from : it.s.n;
		if (end > 0) {
			l.i = end - 1;
		} else if (c == '<' && !open) {
			if (angle == s.n)
				angle = l.i;
			open = true;
			route = l.i + 1 < s.n && s.p[l.i + 1] == '@';
		} else if (c == '>') {
			open = false;
		} else if (c == ':' && !open) {
			address_list_begin_group(r, it);
			from = l.i + 1;
			angle = s.n;
		} else if (c == '\0' || c == ';' ||
		    (c == ',' && !(open && route))) {
			address_list_end_item(r, it, c);
			from = l.i + 1;
			angle = s.n;
			open = false;
		}
	}
}

/*
 * Replaces the controls of the text with spaces.  Other bytes stay as they are
 * until a name is decoded: within an encoded word they are in the word's
 * charset.
 */
static struct str
address_list_without_controls(struct arena *a, struct str s, bool *clean)
{
	char *p = arena_alloc(a, s.n);

	for (size_t i = 0; i < s.n; i++) {
		bool control = (unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f;

		if (control && s.p[i] != '\t')
			*clean = false;
		p[i] = (char)(control ? ' ' : s.p[i]);
	}
	return (struct str){ p, s.n };
}

void
address_list(struct arena *a, struct str raw, struct addresses *out)
{
	struct reader r = { .a = a, .out = out };
	struct str s = mime_header_unfold(a, raw);
	struct str text;

	*out = (struct addresses){ .clean = utf8_valid(s) };
	text = address_list_without_controls(a, s, &out->clean);
	if (address_list_is_empty(text))
		return;
	address_list_read_items(&r, text);
}
