/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "imap.login TAB bad TAB 812 TAB say TAB next TAB detail": parsed strictly:
 * the writing process has just talked to a possibly hostile server.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "source/internal.h"

#define FIELDS 6
#define FIELD_MAX 600

static const char *
probe_line_mark_of(const struct probe *p)
{
	if (!p->ok)
		return "bad";
	return p->note ? "note" : "ok";
}

static void
probe_line_put_field(struct buf *b, struct str s)
{
	size_t i = 0;
	bool ok;

	s = utf8_first(s, FIELD_MAX);
	while (i < s.n) {
		uint32_t cp = utf8_next(s, &i, &ok);

		/* U+FFFD is longer than the invalid byte that it replaces. */
		if (!ok || cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			buf_char(b, '?');
		else
			buf_utf8(b, cp);
	}
}

struct str
probe_line_put(struct arena *a, const struct probe *p)
{
	const struct str texts[] = { p->say, p->next, p->detail };
	struct buf b;

	buf_init(&b, a, PROBE_LINE);
	probe_line_put_field(&b, p->what);
	buf_fmt(&b, "\t%s\t%lld", probe_line_mark_of(p), (long long)p->ms);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		buf_char(&b, '\t');
		probe_line_put_field(&b, texts[i]);
	}
	buf_char(&b, '\n');
	return buf_view(&b);
}

static bool
probe_line_is_name(struct str s)
{
	static const struct str allowed =
	    SI("abcdefghijklmnopqrstuvwxyz0123456789._");

	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(allowed, s.p[i]))
			return false;
	return s.n > 0 && s.n <= 40;
}

static bool
probe_line_is_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return s.n <= FIELD_MAX && utf8_valid(s);
}

/* Splits a line into exactly its fields. */
static bool
probe_line_cut(struct str line, struct str field[FIELDS])
{
	bool more = true;
	size_t n = 0;

	while (more && n < FIELDS)
		more = str_cut(line, '\t', &field[n++], &line);
	return !more && n == FIELDS;
}

bool
probe_line_read(struct arena *a, struct str line, struct probe *out)
{
	struct str f[FIELDS];
	uint32_t ms;

	if (line.n >= PROBE_LINE || !probe_line_cut(line, f) ||
	    !probe_line_is_name(f[0]) || !str_to_u32(f[2], 999999999, &ms) ||
	    f[3].n == 0)
		return false;
	for (size_t i = 3; i < FIELDS; i++)
		if (!probe_line_is_text(f[i]))
			return false;
	*out = (struct probe){
		.what = str_dup(a, f[0]),
		.note = str_eq(f[1], S("note")),
		.say = str_dup(a, f[3]),
		.next = str_dup(a, f[4]),
		.detail = str_dup(a, f[5]),
		.ms = ms,
	};
	out->ok = out->note || str_eq(f[1], S("ok"));
	return out->ok || str_eq(f[1], S("bad"));
}
