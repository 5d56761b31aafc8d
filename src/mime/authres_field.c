/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One Authentication-Results field, RFC 8601 section 2.2, read strictly from
 * its first byte to its last: the content of comments, quotes and reasons is
 * text, and a field that does not match the grammar is ignored.  Two deviations
 * of real servers are accepted: "_" in a keyword, and characters in a value
 * that have no meaning outside of it ("smtp.remote-ip=::1",
 * "smtp.bits=256/256").
 */
#include <string.h>

#include "base/ascii.h"
#include "mime/internal.h"

struct reader {
	struct arena *a;
	struct str s;
	size_t i;
};

/* A quoted pair, RFC 5322 section 3.2.1: skips both bytes. */
static bool
skip_pair(struct reader *r)
{
	r->i += 2;
	return r->i <= r->s.n;
}

/* Comments nest; the depth is counted.  False: a comment does not end. */
static bool
authres_field_skip_comment(struct reader *r)
{
	size_t depth = 0;

	while (r->i < r->s.n) {
		char c = r->s.p[r->i];

		if (c == '\\') {
			if (!skip_pair(r))
				return false;
			continue;
		}
		r->i++;
		if (c == '(')
			depth++;
		else if (c == ')' && --depth == 0)
			return true;
	}
	return false;
}

static bool
authres_field_skip_cfws(struct reader *r)
{
	while (r->i < r->s.n) {
		if (r->s.p[r->i] == '(') {
			if (!authres_field_skip_comment(r))
				return false;
		} else if (ascii_is_blank(r->s.p[r->i])) {
			r->i++;
		} else {
			break;
		}
	}
	return true;
}

static bool
at_sign(const struct reader *r, char c)
{
	return r->i < r->s.n && r->s.p[r->i] == c;
}

/* [CFWS] sign [CFWS] */
static bool
authres_field_read_sign(struct reader *r, char c)
{
	if (!authres_field_skip_cfws(r) || !at_sign(r, c))
		return false;
	r->i++;
	return authres_field_skip_cfws(r);
}

static bool
is_keyword(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* RFC 2045 section 5.1; RFC 8601 also allows UTF-8. */
static bool
authres_field_is_token(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f &&
	    strchr("()<>@,;:\\\"/[]?=", c) == NULL;
}

/* A character that is allowed unquoted and does not end a value. */
static bool
authres_field_is_plain(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f &&
	    strchr("()<>,;\\\"", c) == NULL;
}

static bool
authres_field_read_run(struct reader *r, bool (*is)(char), struct str *out)
{
	size_t from = r->i;

	while (r->i < r->s.n && is(r->s.p[r->i]))
		r->i++;
	*out = (struct str){ r->s.p + from, r->i - from };
	return out->n > 0;
}

static bool
authres_field_read_quoted(struct reader *r, struct str *out)
{
	char *p = arena_alloc(r->a, r->s.n - r->i);
	size_t n = 0;

	for (r->i++; r->i < r->s.n; r->i++) {
		char c = r->s.p[r->i];

		if (c == '"') {
			r->i++;
			*out = (struct str){ p, n };
			return true;
		}
		if (c == '\\') {
			if (++r->i == r->s.n)
				return false;
			c = r->s.p[r->i];
		}
		p[n++] = c;
	}
	return false;
}

static bool
authres_field_read_value(struct reader *r, bool (*is)(char), struct str *out)
{
	return at_sign(r, '"') ? authres_field_read_quoted(r, out)
			       : authres_field_read_run(r, is, out);
}

/* pvalue: a value, or an address whose local part may be in quotes. */
static bool
authres_field_read_pvalue(struct reader *r, struct str *out)
{
	struct str domain;

	if (!at_sign(r, '"'))
		return authres_field_read_run(r, authres_field_is_plain, out);
	if (!authres_field_read_quoted(r, out))
		return false;
	if (at_sign(r, '@') &&
	    authres_field_read_run(r, authres_field_is_plain, &domain))
		*out =
		    str_fmt(r->a, "%.*s%.*s", STR_ARG(*out), STR_ARG(domain));
	return true;
}

/* ptype "." property "=" pvalue; the ptype has been read already. */
static bool
authres_field_read_prop(struct reader *r, struct str ptype, bool dmarc,
    struct str *from)
{
	struct str property, value;

	if (!authres_field_read_sign(r, '.') ||
	    !authres_field_read_run(r, is_keyword, &property) ||
	    !authres_field_read_sign(r, '=') ||
	    !authres_field_read_pvalue(r, &value))
		return false;
	if (!dmarc || !str_eq_case(ptype, S("header")) ||
	    !str_eq_case(property, S("from")))
		return true;
	if (from->p != NULL)
		return false; /* given twice, so ignored */
	*from = value;
	return true;
}

/* [CFWS reasonspec] [CFWS 1*propspec], up to ";" or the end. */
static bool
authres_field_read_specs(struct reader *r, bool dmarc, struct str *from)
{
	bool first = true;

	for (;; first = false) {
		size_t end = r->i;
		struct str word, value;

		if (!authres_field_skip_cfws(r))
			return false;
		if (r->i == r->s.n || at_sign(r, ';'))
			return true;
		/* Something must separate it from the text before it. */
		if (r->i == end ||
		    !authres_field_read_run(r, is_keyword, &word))
			return false;
		if (first && str_eq_case(word, S("reason"))) {
			if (!authres_field_read_sign(r, '=') ||
			    !authres_field_read_value(r, authres_field_is_token,
				&value))
				return false;
		} else if (!authres_field_read_prop(r, word, dmarc, from)) {
			return false;
		}
	}
}

/* method ["/" version] "=" result, and the rest of the resinfo. */
static bool
authres_field_read_resinfo(struct reader *r, struct authres_field *out,
    bool *none)
{
	struct str method, version, result, from = { 0 };
	bool dmarc;

	if (!authres_field_read_run(r, is_keyword, &method) ||
	    !authres_field_skip_cfws(r))
		return false;
	*none = r->i == r->s.n && str_eq_case(method, S("none"));
	if (*none)
		return true;
	/* DMARC has only version 1, RFC 8601 section 2.2. */
	dmarc = str_eq_case(method, S("dmarc"));
	if (at_sign(r, '/') &&
	    (!authres_field_read_sign(r, '/') ||
		!authres_field_read_run(r, is_keyword, &version) ||
		(dmarc && !str_eq(version, S("1")))))
		return false;
	if (!authres_field_read_sign(r, '=') ||
	    !authres_field_read_run(r, is_keyword, &result) ||
	    !authres_field_read_specs(r, dmarc, &from))
		return false;
	if (!dmarc)
		return true;
	/* One From has one result; a second one in the same field is forged. */
	if (out->has_dmarc)
		return false;
	out->has_dmarc = true;
	out->dmarc = result;
	out->from = from;
	return true;
}

/* A field cannot contain a NUL or other control, or bytes that are not text. */
static bool
authres_field_is_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.p[i] < ' ' && !ascii_is_blank(s.p[i])) ||
		    s.p[i] == 0x7f)
			return false;
	return true;
}

/* The rest of the field after the authserv-id. */
static bool
authres_field_read_results(struct reader *r, struct authres_field *out)
{
	struct str version;
	size_t results = 0;
	size_t end = r->i;

	if (!authres_field_is_text(r->s) || !authres_field_skip_cfws(r))
		return false;
	if (r->i < r->s.n && !at_sign(r, ';')) {
		if (r->i == end ||
		    !authres_field_read_run(r, authres_field_is_token,
			&version) ||
		    !str_eq(version, S("1")) || !authres_field_skip_cfws(r))
			return false;
	}
	while (r->i < r->s.n) {
		bool none;

		if (!authres_field_read_sign(r, ';') ||
		    !authres_field_read_resinfo(r, out, &none) ||
		    (none && results > 0))
			return false;
		results++;
	}
	return results > 0;
}

void
authres_field_read(struct arena *a, struct str raw, struct authres_field *out)
{
	struct reader r = { .a = a, .s = mime_header_unfold(a, raw) };

	*out = (struct authres_field){ 0 };
	if (!authres_field_skip_cfws(&r) ||
	    !authres_field_read_value(&r, authres_field_is_token, &out->id)) {
		out->id = S("");
		return;
	}
	out->good = authres_field_read_results(&r, out);
}
