/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content-Type and Content-Disposition, RFC 2045 section 5.1 and RFC 2183, with
 * the continued and encoded values of RFC 2231.  Accepts what real mail
 * contains: values with spaces and no quotes, missing semicolons, encoded words
 * in quotes, Windows paths whose backslashes are not escapes.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "mime/internal.h"

/* One "name*2*=value" as it is in the field. */
struct piece {
	struct str name;  /* lower case, without stars */
	struct str value; /* unquoted bytes */
	int section;      /* -1: not continued */
	bool extended;    /* percent-encoded, first with charset'language' */
	bool used;
};

struct reader {
	struct arena *a;
	struct str s;
	size_t i;
	struct piece *piece;
	size_t n;
	bool no_quote, no_comment; /* a quote without an end was seen */
};

/* RFC 2045's token, and the "/" between type and subtype. */
static bool
mime_param_is_token(char c)
{
	unsigned char u = (unsigned char)c;

	return u > ' ' && u < 0x7f && strchr("()<>@,;:\\\"[]?=", c) == NULL;
}

static size_t
mime_param_comment_end(struct reader *r)
{
	size_t depth = 0;

	for (size_t i = r->i; i < r->s.n && !r->no_comment; i++) {
		char c = r->s.p[i];

		if (c == '\\')
			i++;
		else if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return i + 1;
	}
	r->no_comment = true;
	return r->i + 1;
}

static void
mime_param_skip_space(struct reader *r)
{
	while (r->i < r->s.n) {
		if (r->s.p[r->i] == '(')
			r->i = mime_param_comment_end(r);
		else if (ascii_is_space(r->s.p[r->i]))
			r->i++;
		else
			return;
	}
}

static struct str
mime_param_read_token(struct reader *r)
{
	size_t from = r->i;

	while (r->i < r->s.n && mime_param_is_token(r->s.p[r->i]))
		r->i++;
	return (struct str){ r->s.p + from, r->i - from };
}

/*
 * A backslash escapes only special characters: "C:
 * ew.txt" is common.
 */
static bool
mime_param_read_quoted(struct reader *r, struct str *out)
{
	struct buf b;
	size_t i = r->i + 1;

	if (r->no_quote)
		return false;
	buf_init(&b, r->a, r->s.n);
	for (; i < r->s.n && r->s.p[i] != '"'; i++) {
		char c = r->s.p[i];

		if (c == '\\' && i + 1 < r->s.n &&
		    (r->s.p[i + 1] == '"' || r->s.p[i + 1] == '\\'))
			c = r->s.p[++i];
		if (c != '\r' && c != '\n')
			buf_char(&b, c);
	}
	if (i >= r->s.n) {
		r->no_quote = true;
		return false;
	}
	r->i = i + 1;
	*out = buf_view(&b);
	return true;
}

/*
 * A value without quotes.  It ends at white space, unless all text up to the
 * next semicolon can only belong to it.
 */
static struct str
mime_param_read_bare(struct reader *r)
{
	size_t from = r->i;
	size_t end;

	/* A quote without an end is an ordinary character. */
	if (r->i < r->s.n && r->s.p[r->i] == '"')
		from = ++r->i;
	while (r->i < r->s.n && !ascii_is_space(r->s.p[r->i]) &&
	    r->s.p[r->i] != ';' && r->s.p[r->i] != '(')
		r->i++;
	for (end = r->i; end < r->s.n && r->s.p[end] != ';'; end++)
		if (strchr("=(\"", r->s.p[end]) != NULL)
			break;
	if (end == r->s.n || r->s.p[end] == ';')
		r->i = end;
	return str_trim((struct str){ r->s.p + from, r->i - from });
}

/* Removes "*2*" from a name. */
static void
mime_param_split_name(struct piece *p)
{
	struct str head, tail;
	uint32_t section;

	p->section = -1;
	if (str_ends(p->name, S("*"))) {
		p->extended = true;
		p->name.n--;
	}
	if (str_cut(p->name, '*', &head, &tail) &&
	    str_to_u32(tail, LIMIT_MIME_PARAMS, &section)) {
		p->section = (int)section;
		p->name = head;
	}
}

static void
mime_param_read_pieces(struct reader *r)
{
	while (r->i < r->s.n && r->n < LIMIT_MIME_PARAMS) {
		struct piece p = { 0 };

		mime_param_skip_space(r);
		p.name = mime_param_read_token(r);
		mime_param_skip_space(r);
		if (p.name.n == 0 || r->i == r->s.n || r->s.p[r->i] != '=') {
			/* Not a parameter: skips to the next possible one. */
			if (p.name.n == 0 && r->i < r->s.n)
				r->i++;
			continue;
		}
		r->i++;
		mime_param_skip_space(r);
		if (r->i == r->s.n || r->s.p[r->i] != '"' ||
		    !mime_param_read_quoted(r, &p.value))
			p.value = mime_param_read_bare(r);
		p.name = str_lower(r->a, p.name);
		mime_param_split_name(&p);
		r->piece = arena_more(r->a, r->piece, r->n, sizeof(p));
		r->piece[r->n++] = p;
	}
}

static void
mime_param_put_percent(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		int byte = c == '%' ? str_hex_pair(s, i + 1) : -1;

		if (byte >= 0) {
			c = (char)byte;
			i += 2;
		}
		buf_char(b, c);
	}
}

/* Removes "charset'language'" from the first piece, RFC 2231 section 4. */
static struct str
mime_param_split_charset(struct str value, struct str *charset)
{
	struct str label, rest, text, language;

	if (str_cut(value, '\'', &label, &rest) &&
	    str_cut(rest, '\'', &language, &text)) {
		*charset = label;
		return text;
	}
	return value;
}

static struct piece *
mime_param_find(struct reader *r, struct str name, int section)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->piece[i].section == section &&
		    str_eq(r->piece[i].name, name))
			return &r->piece[i];
	return NULL;
}

/* The pieces 0, 1, 2 ... of a name, up to the first missing one. */
static struct str
mime_param_join(struct reader *r, struct piece *first)
{
	struct str charset = { 0 };
	struct piece *p = first;
	struct str name = first->name;
	bool known = false;
	struct buf b;

	buf_init(&b, r->a, r->s.n);
	for (int section = p->section; p != NULL;
	     p = section < 0 ? NULL : mime_param_find(r, name, ++section)) {
		struct str v = p->value;

		p->used = true;
		if (p == first && p->extended) {
			v = mime_param_split_charset(v, &charset);
			known = true;
		}
		if (p->extended)
			mime_param_put_percent(&b, v);
		else
			buf_str(&b, v);
	}
	if (known)
		return mime_charset_decode(r->a, charset, buf_view(&b), NULL);
	return charset_guess(r->a, buf_view(&b));
}

/* The value of a parameter: its RFC 2231 form is preferred. */
static struct str
mime_param_value_of(struct reader *r, struct str name)
{
	struct piece *plain = NULL;
	struct piece *p = NULL;
	struct str v;

	for (size_t i = 0; i < r->n; i++) {
		struct piece *q = &r->piece[i];

		if (!str_eq(q->name, name))
			continue;
		q->used = true;
		if (q->section < 0 && q->extended && p == NULL)
			p = q;
		if (q->section < 0 && !q->extended && plain == NULL)
			plain = q;
	}
	if (p == NULL)
		p = mime_param_find(r, name, 0);
	if (p == NULL)
		p = plain;
	if (p == NULL)
		return S(""); /* pieces without a first one */
	v = mime_param_join(r, p);
	/*
	 * A boundary is bytes, and RFC 2047 forbids encoded words in the
	 * others.
	 */
	if (!str_eq(name, S("boundary")) && str_find(v, S("=?")) >= 0)
		v = mime_word_decode(r->a, v);
	return word_clean(r->a, v);
}

/* "text / plain" becomes "text/plain". */
static struct str
mime_param_read_value(struct reader *r)
{
	struct str head, rest;

	mime_param_skip_space(r);
	head = mime_param_read_token(r);
	mime_param_skip_space(r);
	if (r->i < r->s.n && (r->s.p[r->i] == '/' || str_ends(head, S("/"))) &&
	    r->s.p[r->i] != ';') {
		rest = mime_param_read_token(r);
		head = str_fmt(r->a, "%.*s%.*s", STR_ARG(head), STR_ARG(rest));
		mime_param_skip_space(r);
		if (str_ends(head, S("/"))) {
			rest = mime_param_read_token(r);
			head = str_fmt(r->a, "%.*s%.*s", STR_ARG(head),
			    STR_ARG(rest));
		}
	}
	/* A second "=" means that the value was forgotten: "; charset=x". */
	if (r->i < r->s.n && r->s.p[r->i] == '=') {
		r->i = 0;
		return S("");
	}
	return str_lower(r->a, head);
}

void
mime_param_parse(struct arena *a, struct str raw, struct mime_value *out)
{
	struct reader r = { .a = a, .s = mime_header_unfold(a, raw) };

	*out = (struct mime_value){ 0 };
	out->value = mime_param_read_value(&r);
	mime_param_read_pieces(&r);
	out->param = arena_array(a, r.n, sizeof(*out->param));
	for (size_t i = 0; i < r.n; i++) {
		if (r.piece[i].used)
			continue;
		out->param[out->n++] = (struct mime_param){
			r.piece[i].name,
			mime_param_value_of(&r, r.piece[i].name),
		};
	}
}

struct str
mime_param_get(const struct mime_value *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (str_eq(v->param[i].name, str_of(name)))
			return v->param[i].value;
	return (struct str){ NULL, 0 };
}
