/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Domains in the form for comparison: lower-case A-labels, IDNA 2008 with the
 * mapping of UTS 46 (RFC 5890, RFC 5891).  libidn2 is used only for domains
 * that need it, and its result is checked like outside input: its mapping turns
 * full-width and other lookalikes into "@", "/" and ".".
 */
#include <idn2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/idna.h"
#include "base/utf8.h"

#define DOMAIN_MAX 253 /* RFC 1035 section 2.3.4, without the root's dot */
#define LABEL_MAX 63
#define INPUT_MAX 1000

static void
free_text(char **p)
{
	idn2_free(*p);
}

/* Letters, digits, hyphen; and the underscore, which real names contain. */
static bool
is_ldh(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static bool
idna_is_domain(struct str s)
{
	size_t label = 0;

	if (s.n == 0 || s.n > DOMAIN_MAX)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.') {
			if (label == 0)
				return false;
			label = 0;
		} else if (!is_ldh(s.p[i]) || ++label > LABEL_MAX) {
			return false;
		}
	}
	return label > 0;
}

/* "[192.0.2.1]", "[IPv6:::1]": RFC 5321 section 4.1.3. */
static bool
idna_is_literal(struct str s)
{
	if (s.n < 3 || s.n > DOMAIN_MAX || s.p[0] != '[' || s.p[s.n - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < s.n; i++) {
		char c = s.p[i];

		if (!is_ldh(c) && c != '.' && c != ':')
			return false;
	}
	return true;
}

static bool
idna_lookup(struct arena *a, struct str in, int flags, struct str *out)
{
	CLEANUP(free_text) char *got = NULL;
	const char *text = str_c(a, in);

	if (in.n > INPUT_MAX || memchr(text, '\0', in.n) != NULL ||
	    idn2_lookup_u8((const uint8_t *)text, (uint8_t **)&got,
		IDN2_NFC_INPUT | flags) != IDN2_OK)
		return false;
	*out = str_dup(a, str_of(got));
	return true;
}

bool
idna_ascii(struct arena *a, struct str domain, struct str *out)
{
	if (idna_is_literal(domain)) {
		*out = domain;
		return true;
	}
	/*
	 * A name that maps to plain ASCII (full width, soft hyphens) was not a
	 * U-label, RFC 5890 section 2.3.2.1, and a search for the domain in
	 * mail would miss it.
	 */
	if (!utf8_ascii(domain) || str_find_case(domain, S("xn--")) >= 0)
		if (!idna_lookup(a, domain, IDN2_NONTRANSITIONAL, &domain) ||
		    str_find(domain, S("xn--")) < 0)
			return false;
	if (str_ends(domain, S(".")))
		domain.n--;
	if (!idna_is_domain(domain))
		return false;
	*out = str_lower(a, domain);
	return true;
}

struct str
idna_unicode(struct arena *a, struct str ascii)
{
	CLEANUP(free_text) char *got = NULL;

	if (str_find(ascii, S("xn--")) < 0 ||
	    idn2_to_unicode_8z8z(str_c(a, ascii), &got, 0) != IDN2_OK)
		return ascii;
	return str_dup(a, str_of(got));
}

/*
 * libidn2 normalises only labels, so a run of characters is converted as one
 * and back.  A run that IDNA 2008 does not allow, for example with capitals,
 * stays as written: two spellings of it then differ, which is the safe side.
 */
static struct str
idna_normal_run(struct arena *a, struct str run)
{
	CLEANUP(free_text) char *back = NULL;
	struct str label;

	if (!idna_lookup(a, run, IDN2_NO_TR46, &label) ||
	    idn2_to_unicode_8z8z(label.p, &back, 0) != IDN2_OK)
		return run;
	return str_dup(a, str_of(back));
}

static bool
idna_is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

struct str
idna_nfc(struct arena *a, struct str text)
{
	struct buf b;
	size_t plain = 0;

	if (utf8_ascii(text))
		return text;
	buf_init(&b, a, 4 * text.n + 16);
	for (size_t i = 0; i < text.n;) {
		size_t from = i;

		if ((unsigned char)text.p[i] < 0x80) {
			i++;
			continue;
		}
		/* An accent may belong to the preceding ASCII letter. */
		if (from > plain && idna_is_letter(text.p[from - 1]))
			from--;
		while (i < text.n && (unsigned char)text.p[i] >= 0x80)
			i++;
		buf_add(&b, text.p + plain, from - plain);
		buf_str(&b,
		    idna_normal_run(a,
			(struct str){ text.p + from, i - from }));
		plain = i;
	}
	buf_str(&b, str_from(text, plain));
	return buf_view(&b);
}
