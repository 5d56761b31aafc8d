/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A header as a list of fields, RFC 5322 section 2.2.  One pass; every value is
 * a view.  Header blocks are 1 to 20 KB; a hostile one is read to its end, to
 * find the body, but is kept only up to the limits.
 */
#include "mime/header.h"

#include <string.h>

#include "base/ascii.h"
#include "base/limits.h"

/* One line of the source, with and without its line end. */
struct line {
	struct str text;
	size_t next;
};

static struct line
mime_header_line_at(struct str src, size_t i)
{
	const char *p = src.p + i;
	const char *nl = memchr(p, '\n', src.n - i);
	size_t n = nl != NULL ? (size_t)(nl - p) : src.n - i;
	struct line l = { { p, n }, i + n + (nl != NULL) };

	if (nl != NULL && n > 0 && p[n - 1] == '\r')
		l.text.n--;
	return l;
}

/*
 * Splits "Name: value"; white space before the colon is obsolete but accepted.
 */
static bool
mime_header_split_field(struct str text, struct mime_field *out)
{
	size_t n = 0;
	size_t colon;

	while (n < text.n && text.p[n] > ' ' && text.p[n] < 0x7f &&
	    text.p[n] != ':')
		n++;
	colon = n;
	while (colon < text.n && ascii_is_blank(text.p[colon]))
		colon++;
	if (n == 0 || colon == text.n || text.p[colon] != ':')
		return false;
	out->name = str_first(text, n);
	out->value = str_from(text, colon + 1);
	return true;
}

/*
 * "From\xA0: x", a leading blank, a folded name: not a field for this reader,
 * but one for readers that skip characters that a name cannot contain.
 */
static bool
mime_header_is_blurred(struct str text)
{
	char name[8];
	size_t n = 0, i = 0;

	for (; i < text.n && text.p[i] != ':'; i++) {
		if (text.p[i] <= ' ' || text.p[i] >= 0x7f)
			continue;
		if (n == sizeof(name))
			return false;
		name[n++] = text.p[i];
	}
	return i < text.n &&
	    (str_eq_case((struct str){ name, n }, S("From")) ||
		str_eq_case((struct str){ name, n }, S("Subject")));
}

/* The same after a lone CR, which some readers take for a line end. */
static bool
mime_header_is_blurred_within(struct str text)
{
	const char *cr;

	while (text.n > 0 && (cr = memchr(text.p, '\r', text.n)) != NULL) {
		text = str_from(text, (size_t)(cr - text.p) + 1);
		if (text.n > 0 && text.p[0] > ' ' &&
		    mime_header_is_blurred(str_first(text, 64)))
			return true;
	}
	return false;
}

static void
mime_header_keep(struct arena *a, struct mime_header *h, size_t *room,
    struct mime_field f)
{
	if (h->n == *room) {
		size_t more = *room > 0 ? 2 * *room : 32;

		h->field = arena_grow(a, h->field, *room * sizeof(f),
		    more * sizeof(f));
		*room = more;
	}
	h->field[h->n++] = f;
}

void
mime_header_parse(struct arena *a, struct str src, struct mime_header *out)
{
	size_t room = 0;
	size_t i = 0;
	struct mime_field none;

	*out = (struct mime_header){ 0 };
	/*
	 * An mbox line, except "From : x", which is a field and must be
	 * counted.
	 */
	if (str_starts(src, S("From ")) &&
	    !mime_header_split_field(mime_header_line_at(src, 0).text, &none))
		i = mime_header_line_at(src, 0).next;
	while (i < src.n) {
		struct line l = mime_header_line_at(src, i);
		struct mime_field f;
		struct str text = l.text;
		size_t begin = i;

		i = l.next;
		if (text.n == 0) {
			out->ended = true;
			break;
		}
		while (i < src.n && ascii_is_blank(src.p[i])) {
			struct line more = mime_header_line_at(src, i);

			i = more.next;
			text.n = (size_t)(more.text.p - text.p) + more.text.n;
		}
		out->blurred =
		    out->blurred || mime_header_is_blurred_within(text);
		if (out->n == LIMIT_MIME_HEADERS || i > LIMIT_MIME_HEAD) {
			out->over = true;
		} else if (mime_header_split_field(text, &f)) {
			mime_header_keep(a, out, &room, f);
		} else {
			if (!out->damaged)
				out->stray = begin;
			out->damaged = true;
			out->blurred =
			    out->blurred || mime_header_is_blurred(text);
		}
	}
	out->size = i;
}

const struct mime_field *
mime_header_get(const struct mime_header *h, const char *name, size_t i)
{
	struct str want = str_of(name);

	for (size_t k = 0; k < h->n; k++)
		if (str_eq_case(h->field[k].name, want) && i-- == 0)
			return &h->field[k];
	return NULL;
}

size_t
mime_header_count(const struct mime_header *h, const char *name)
{
	struct str want = str_of(name);
	size_t n = 0;

	for (size_t k = 0; k < h->n; k++)
		n += str_eq_case(h->field[k].name, want);
	return n;
}

struct str
mime_header_unfold(struct arena *a, struct str raw)
{
	char *p;
	size_t n = 0;

	if (!str_has_char(raw, '\n'))
		return raw;
	p = arena_alloc(a, raw.n);
	for (size_t i = 0; i < raw.n; i++) {
		size_t end = i;

		if (raw.p[end] == '\r' && end + 1 < raw.n)
			end++;
		if (raw.p[end] == '\n' && end + 1 < raw.n &&
		    ascii_is_blank(raw.p[end + 1])) {
			i = end;
			continue;
		}
		p[n++] = raw.p[i];
	}
	return (struct str){ p, n };
}

struct str
mime_header_text(struct arena *a, struct str raw)
{
	return mime_word_decode(a, mime_header_unfold(a, raw));
}

/* Removes white space that folding put into an id. */
static struct str
mime_header_squeeze(struct arena *a, struct str id)
{
	char *p = arena_alloc(a, id.n);
	size_t n = 0;

	for (size_t i = 0; i < id.n; i++)
		if (!ascii_is_blank(id.p[i]) && id.p[i] != '\r' &&
		    id.p[i] != '\n')
			p[n++] = id.p[i];
	return (struct str){ p, n };
}

static bool
mime_header_is_id(struct str id)
{
	for (size_t i = 0; i < id.n; i++)
		if ((unsigned char)id.p[i] <= ' ' || id.p[i] == 0x7f)
			return false;
	return id.n > 2;
}

void
mime_header_msgids(struct arena *a, struct str raw, struct strs *out)
{
	struct strs all = { 0 };
	size_t open = raw.n;

	*out = (struct strs){ 0 };
	for (size_t i = 0; i < raw.n; i++) {
		if (raw.p[i] == '<') {
			open = i;
		} else if (raw.p[i] == '>' && open < raw.n) {
			struct str id = { raw.p + open, i + 1 - open };

			open = raw.n;
			if (!mime_header_is_id(id))
				id = mime_header_squeeze(a, id);
			if (mime_header_is_id(id))
				str_push(a, &all, id);
		}
	}
	/* "Message-ID: x@y": wrong, but it is the message's only id. */
	raw = str_trim(raw);
	if (all.n == 0 && mime_header_is_id(raw) && str_has_char(raw, '@') &&
	    !str_has_char(raw, '<') && !str_has_char(raw, '>'))
		str_push(a, &all, str_fmt(a, "<%.*s>", STR_ARG(raw)));
	if (all.n > LIMIT_REFERENCES) {
		all.v += all.n - LIMIT_REFERENCES;
		all.n = LIMIT_REFERENCES;
	}
	*out = all;
}

/* RFC 5322 section 3.6.4: id-left "@" id-right. */
static bool
mime_header_reads_as_id(struct str id)
{
	struct str left, right;

	return str_cut(id, '@', &left, &right) && left.n > 1 && right.n > 1 &&
	    !str_has_char(right, '@');
}

void
mime_header_answered(struct arena *a, struct str raw, struct strs *out)
{
	size_t i;

	mime_header_msgids(a, raw, out);
	raw = str_trim(raw);
	if (out->n < 2 || (raw.n > 0 && raw.p[0] == '<'))
		return;
	for (i = out->n - 1; i > 0 && !mime_header_reads_as_id(out->v[i]); i--)
		continue;
	*out = (struct strs){ &out->v[i], 1 };
}
