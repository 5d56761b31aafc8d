/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Invisible words are counted, never kept: once for each outermost element that
 * hides some, once for each comment and alternative text with words.
 */
#include <string.h>

#include "base/utf8.h"
#include "html/tree.h"

/* A letter or digit of some script, unlike spaces, signs and fillers. */
static bool
html_unseen_is_word(uint32_t cp)
{
	if (cp < 0x80)
		return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') ||
		    (cp >= 'a' && cp <= 'z');
	if (cp < 0xC0)
		return cp == 0xAA || cp == 0xB5 || cp == 0xBA;
	if (cp >= 0x2000 && cp <= 0x2BFF)
		return cp >= 0x2070 && cp <= 0x218F;
	return cp != 0x34F && cp != 0x61C && cp != 0x115F && cp != 0x1160 &&
	    cp != 0x17B4 && cp != 0x17B5 && cp != 0x180E && cp != 0x3000 &&
	    cp != 0x3164 && (cp < 0xFE00 || cp > 0xFE0F) && cp != 0xFEFF &&
	    cp != 0xFFA0 && (cp < 0xE0000 || cp > 0xE0FFF);
}

static uint32_t
html_unseen_next(struct str s, size_t *i)
{
	uint32_t cp[2] = { (unsigned char)s.p[*i] };
	size_t n = 0;
	bool ok = true;

	if (cp[0] == '&')
		n = html_entity_read(s, *i, false, cp);
	if (n > 0)
		*i += n;
	else
		cp[0] = utf8_next(s, i, &ok);
	return cp[0];
}

bool
html_unseen_words(struct str s)
{
	size_t i = 0;

	while (i < s.n)
		if (html_unseen_is_word(html_unseen_next(s, &i)))
			return true;
	return false;
}

void
html_unseen_count(struct html *h, struct html_node *n)
{
	struct html_node *root = n->root != NULL ? n->root : n;

	if (root->counted)
		return;
	root->counted = true;
	h->found->hidden[root->style.hidden ? root->style.why : n->style.why]++;
}

void
html_unseen_doubt(struct html *h, struct str s)
{
	if (h->doubted || !html_unseen_words(s))
		return;
	h->doubted = true;
	h->found->hidden[HTML_HIDDEN_UNKNOWN]++;
}

/* The index after the end tag of an element whose words are for programs. */
static size_t
html_unseen_skip_element(struct str s, size_t i)
{
	static const struct str names[] = { SI("<style"), SI("<xml"),
		SI("<script"), SI("<title"), SI("<o:") };
	static const struct str ends[] = { SI("</style"), SI("</xml"),
		SI("</script"), SI("</title"), SI("</o:") };

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		ptrdiff_t at;

		if (!str_starts_case(str_from(s, i), names[k]))
			continue;
		at = str_find_case(str_from(s, i), ends[k]);
		return at < 0 ? s.n : i + (size_t)at;
	}
	return i;
}

/* Conditional comments contain markup: the text between the tags counts. */
void
html_unseen_comment(struct html *h, struct str s)
{
	size_t i = 0;

	s = css_text_trim(s);
	if (str_starts_case(s, S("[if")) || str_starts_case(s, S("[endif"))) {
		while (i < s.n && s.p[i] != ']')
			i++;
	}
	while (i < s.n) {
		size_t from = i;

		while (i < s.n && s.p[i] != '<')
			i++;
		if (html_unseen_words((struct str){ s.p + from, i - from })) {
			h->found->hidden[HTML_HIDDEN_COMMENT]++;
			return;
		}
		i = html_unseen_skip_element(s, i);
		while (i < s.n && s.p[i] != '>')
			i++;
		i += i < s.n;
	}
}

static uint32_t
html_unseen_fold(uint32_t cp)
{
	return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
}

/* The next word from *i on, as a hash; 0: none. */
static uint32_t
html_unseen_word(struct str s, size_t *i)
{
	uint32_t hash = 0;

	while (*i < s.n) {
		uint32_t cp = html_unseen_next(s, i);

		if (html_unseen_is_word(cp))
			hash = (hash ^ html_unseen_fold(cp)) * 16777619U + 7;
		else if (hash != 0)
			break;
	}
	return hash;
}

#define BITS 18

void
html_unseen_alts(struct html *h)
{
	struct str text = buf_view(&h->out);
	unsigned char *seen;
	size_t i = 0;
	uint32_t w;

	if (h->alts.n == 0)
		return;
	/* Two words may share a bit: one in many thousands is missed. */
	seen = arena_alloc(h->a, (1U << BITS) / 8);
	while ((w = html_unseen_word(text, &i)) != 0)
		seen[(w >> (32 - BITS)) / 8] |=
		    (unsigned char)(1U << (w >> (32 - BITS)) % 8);
	for (size_t k = 0; k < h->alts.n; k++) {
		bool more = false;

		i = 0;
		while (!more && (w = html_unseen_word(h->alts.v[k], &i)) != 0)
			more = !(seen[(w >> (32 - BITS)) / 8] >>
				(w >> (32 - BITS)) % 8 &
			    1);
		h->found->hidden[HTML_HIDDEN_ALT] += more;
	}
}
