/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One addr-spec, RFC 5322 section 3.4.1 in its current grammar with the UTF-8
 * of RFC 6532, and the form in which two of them are compared.  Every decision
 * about mail uses this file.
 */
#include <string.h>

#include "base/idna.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

bool
address_spec_atext(char c)
{
	unsigned char u = (unsigned char)c;

	if (u >= 0x80)
		return true;
	return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ||
	    (u >= '0' && u <= '9') ||
	    (u != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", u) != NULL);
}

/* Characters that are invisible or look like syntax of an address. */
static bool
address_spec_is_deceptive(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} range[] = {
		{ 0x80, 0xA0 },     /* C1 controls, no-break space */
		{ 0xAD, 0xAD },     /* soft hyphen */
		{ 0x34F, 0x34F },   /* grapheme joiner */
		{ 0x61C, 0x61C },   /* Arabic letter mark */
		{ 0x115F, 0x1160 }, /* Hangul fillers */
		{ 0x1680, 0x1680 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
		{ 0x2000, 0x200F }, /* spaces, zero width, direction */
		{ 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x3000, 0x3000 },
		{ 0x3164, 0x3164 }, { 0xFE00, 0xFE0F },
		{ 0xFE6B, 0xFE6B },                     /* small @ */
		{ 0xFEFF, 0xFEFF }, { 0xFF20, 0xFF20 }, /* full-width @ */
		{ 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFF },
		{ 0xE0000, 0xE0FFF }, /* tags, variation selectors */
	};

	for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (c >= range[i].from && c <= range[i].to)
			return true;
	return false;
}

static bool
address_spec_is_clear_text(struct str s)
{
	for (size_t i = 0; i < s.n;) {
		bool ok = true;
		uint32_t c = utf8_next(s, &i, &ok);

		if (!ok || c < 0x20 || c == 0x7f ||
		    address_spec_is_deceptive(c))
			return false;
	}
	return true;
}

/* 1*atext *("." 1*atext): no dot at either end, and no two in a row. */
static bool
address_spec_is_dot_atom(struct str s)
{
	char before = '.';

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' ? before == '.' : !address_spec_atext(s.p[i]))
			return false;
		before = s.p[i];
	}
	return before != '.';
}

/* A quoted-string without folding; *i is at its opening quote. */
static bool
address_spec_read_quoted(struct arena *a, struct str s, size_t *i,
    struct str *out)
{
	char *p = arena_alloc(a, s.n - *i);
	size_t n = 0;

	for (size_t k = *i + 1; k < s.n; k++) {
		if (s.p[k] == '"') {
			*i = k + 1;
			*out = (struct str){ p, n };
			return true;
		}
		if (s.p[k] == '\\' && ++k == s.n)
			return false;
		p[n++] = s.p[k];
	}
	return false;
}

static bool
address_spec_read_local(struct arena *a, struct str s, size_t *i,
    struct str *out)
{
	size_t from = *i;

	if (from < s.n && s.p[from] == '"') {
		if (!address_spec_read_quoted(a, s, i, out))
			return false;
	} else {
		while (
		    *i < s.n && (address_spec_atext(s.p[*i]) || s.p[*i] == '.'))
			(*i)++;
		*out = (struct str){ s.p + from, *i - from };
		if (!address_spec_is_dot_atom(*out))
			return false;
	}
	/*
	 * Some programs would decode an encoded word here and see another
	 * address.
	 */
	return out->n > 0 && address_spec_is_clear_text(*out) &&
	    str_find(*out, S("=?")) < 0;
}

static bool
address_spec_read_domain(struct str s, size_t *i, struct str *out)
{
	size_t from = *i;

	if (from < s.n && s.p[from] == '[') {
		while (*i < s.n && s.p[*i] != ']')
			(*i)++;
		*i += *i < s.n;
	} else {
		while (
		    *i < s.n && (address_spec_atext(s.p[*i]) || s.p[*i] == '.'))
			(*i)++;
	}
	*out = (struct str){ s.p + from, *i - from };
	return out->n > 0;
}

bool
address_spec_read(struct arena *a, struct str s, size_t *i,
    struct address_spec *out)
{
	size_t k = *i;

	/* No addr-spec is longer, so longer texts are not read. */
	s = str_first(s, k + LIMIT_ADDRESS + 1);
	if (!address_spec_read_local(a, s, &k, &out->local) || k == s.n ||
	    s.p[k++] != '@' || !address_spec_read_domain(s, &k, &out->domain) ||
	    k - *i > LIMIT_ADDRESS)
		return false;
	*i = k;
	return true;
}

struct str
address_spec_local(struct arena *a, struct str local)
{
	struct buf b;

	if (address_spec_is_dot_atom(local))
		return local;
	buf_init(&b, a, 2 * local.n + 2);
	buf_char(&b, '"');
	for (size_t i = 0; i < local.n; i++) {
		if (local.p[i] == '"' || local.p[i] == '\\')
			buf_char(&b, '\\');
		buf_char(&b, local.p[i]);
	}
	buf_char(&b, '"');
	return buf_view(&b);
}

bool
address_spec_canonical(struct arena *a, const struct address_spec *spec,
    struct str *out)
{
	/*
	 * NFC turns the Kelvin sign into an ASCII "K", so lower case comes
	 * after.
	 */
	struct str local = str_lower(a, idna_nfc(a, str_lower(a, spec->local)));
	struct str domain;

	if (!idna_ascii(a, spec->domain, &domain))
		return false;
	local = address_spec_local(a, local);
	if (local.n + 1 + domain.n > LIMIT_ADDRESS)
		return false;
	*out = str_fmt(a, "%.*s@%.*s", STR_ARG(local), STR_ARG(domain));
	return true;
}
