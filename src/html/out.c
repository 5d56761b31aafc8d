/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as lines: pending output (line ends, a bullet, a space) is remembered
 * and written only before the next word, so that none accumulates at either
 * end.
 */
#include <string.h>

#include "base/utf8.h"
#include "html/tree.h"

#define DEPTH_SHOWN 8 /* marks before a line, to limit the cost of nesting */
#define CELLS_SHOWN 32

/* Classes of a byte of text. */
enum {
	C_WORD,
	C_SPACE,
	C_AMP,
	C_CTL,
	C_C2, /* may be the first byte of a no-break space, U+00A0 */
};

static const unsigned char class[256] = {
	[0] = C_CTL,
	[1] = C_CTL,
	[2] = C_CTL,
	[3] = C_CTL,
	[4] = C_CTL,
	[5] = C_CTL,
	[6] = C_CTL,
	[7] = C_CTL,
	[8] = C_CTL,
	['\t'] = C_SPACE,
	['\n'] = C_SPACE,
	[0x0B] = C_CTL,
	['\f'] = C_SPACE,
	['\r'] = C_SPACE,
	[0x0E] = C_CTL,
	[0x0F] = C_CTL,
	[0x10] = C_CTL,
	[0x11] = C_CTL,
	[0x12] = C_CTL,
	[0x13] = C_CTL,
	[0x14] = C_CTL,
	[0x15] = C_CTL,
	[0x16] = C_CTL,
	[0x17] = C_CTL,
	[0x18] = C_CTL,
	[0x19] = C_CTL,
	[0x1A] = C_CTL,
	[0x1B] = C_CTL,
	[0x1C] = C_CTL,
	[0x1D] = C_CTL,
	[0x1E] = C_CTL,
	[0x1F] = C_CTL,
	[' '] = C_SPACE,
	['&'] = C_AMP,
	[0x7F] = C_CTL,
	[0xC2] = C_C2,
};

/* Adds as much as fits, only whole characters. */
static void
html_out_put(struct html *h, struct str s)
{
	size_t room = h->out.max - h->out.n;
	bool cut = s.n > room;

	buf_str(&h->out, cut ? utf8_first(s, room) : s);
	h->out.over |= cut; /* nothing is added from now on */
}

static void
html_out_marks(struct html *h)
{
	int n = h->quotes < DEPTH_SHOWN ? h->quotes : DEPTH_SHOWN;

	while (n-- > 0)
		html_out_put(h, S("> "));
	n = h->lists < DEPTH_SHOWN ? h->lists : DEPTH_SHOWN;
	if (h->bullet) {
		while (n-- > 1)
			html_out_put(h, S("  "));
		html_out_put(h, S("- "));
	}
	h->bullet = h->fresh = h->space = false;
	h->line++;
}

/* Writes the pending output before a word. */
static void
html_out_due(struct html *h)
{
	if (h->out.n == 0)
		h->fresh = true;
	else
		for (; h->ended < h->lines; h->ended++) {
			html_out_put(h, S("\n"));
			h->fresh = true;
		}
	h->lines = h->ended = 0;
	if (h->fresh)
		html_out_marks(h);
	else if (h->space && h->cells == 0)
		html_out_put(h, S(" "));
	for (; h->cells > 0; h->cells--)
		html_out_put(h, S("\t"));
	h->space = h->pre_new = false;
	if (h->url_new) {
		h->url_new = false;
		h->url_at = h->out.n;
	}
}

void
html_out_word(struct html *h, struct str s)
{
	html_out_due(h);
	html_out_put(h, s);
}

void
html_out_behind(struct html *h, struct str s)
{
	html_out_put(h, s);
}

void
html_out_lines(struct html *h, int n)
{
	/*
	 * A block that begins a list item is on the bullet's line, one that
	 * begins a cell on the line of the previous cell.
	 */
	if (!h->bullet && h->cells == 0 && h->lines < n)
		h->lines = n;
	h->space = false;
}

void
html_out_break(struct html *h)
{
	if (h->lines < 2)
		h->lines++;
	h->space = false;
	h->cells = 0;
}

/*
 * Cells of a row are in one line with tabs between them, until one has several
 * lines.  If the columns have a meaning, empty cells keep their place.
 */
void
html_out_cell(struct html *h, size_t row_line, bool data)
{
	if (h->line > row_line) {
		h->cells = 0;
		html_out_lines(h, 1);
		return;
	}
	if (h->line < row_line && !data)
		return;
	if (h->line == row_line)
		h->lines = h->ended = 0;
	h->space = false;
	if (h->cells == 0 || (data && h->cells < CELLS_SHOWN))
		h->cells++;
}

/* White space, preserved only within <pre>. */
static void
html_out_space(struct html *h, char c)
{
	if (!h->pre) {
		h->space = true;
	} else if (c == '\n') {
		if (!h->pre_new) {
			html_out_due(h);
			html_out_put(h, S("\n"));
			h->fresh = true;
			h->ended = 1;
		}
		h->pre_new = false;
	} else if (c != '\r') {
		html_out_word(h, (struct str){ &c, 1 });
	}
}

/* The character reference at s.p[i], or the "&" itself; returns its length. */
static size_t
html_out_reference(struct html *h, struct str s, size_t i)
{
	uint32_t cp[2] = { 0 };
	size_t n = h->literal ? 0 : html_entity_read(s, i, false, cp);
	char c[4];

	if (n == 0) {
		html_out_word(h, S("&"));
		return 1;
	}
	if (cp[0] == 0xA0)
		html_out_space(h, ' ');
	else if (cp[0] < 256 && class[cp[0]] == C_SPACE)
		html_out_space(h, (char)cp[0]);
	else if (cp[0] >= 256 || class[cp[0]] != C_CTL)
		html_out_word(h, (struct str){ c, utf8_put(c, cp[0]) });
	if (cp[1] != 0)
		html_out_word(h, (struct str){ c, utf8_put(c, cp[1]) });
	return n;
}

/*
 * Writes the following words, separated by single spaces, up to anything else.
 * Only the space is pending for them.
 */
static size_t
html_out_more_words(struct html *h, struct str s, size_t i)
{
	struct buf *b = &h->out;
	char *to;

	if (i == s.n || s.n - i > b->max - b->n || !buf_reserve(b, s.n - i))
		return i;
	to = b->p + b->n;
	while (i < s.n && class[(unsigned char)s.p[i]] == C_SPACE) {
		while (i < s.n && class[(unsigned char)s.p[i]] == C_SPACE)
			i++;
		if (i == s.n || class[(unsigned char)s.p[i]] != C_WORD) {
			h->space = true;
			break;
		}
		*to++ = ' ';
		while (i < s.n && class[(unsigned char)s.p[i]] == C_WORD)
			*to++ = s.p[i++];
	}
	*to = '\0';
	b->n = (size_t)(to - b->p);
	return i;
}

void
html_out_text(struct html *h, struct str s)
{
	size_t i = 0;

	while (i < s.n && !h->out.over) {
		size_t k = i;

		switch (class[(unsigned char)s.p[i]]) {
		case C_SPACE:
			html_out_space(h, s.p[i++]);
			break;
		case C_AMP:
			i += html_out_reference(h, s, i);
			break;
		case C_CTL:
			i++;
			break;
		case C_C2:
			if (s.n - i >= 2 && (unsigned char)s.p[i + 1] == 0xA0) {
				html_out_space(h, ' ');
				i += 2;
				break;
			}
			k++;
			/* fall through */
		default:
			while (
			    k < s.n && class[(unsigned char)s.p[k]] == C_WORD)
				k++;
			html_out_word(h, (struct str){ s.p + i, k - i });
			i = h->pre ? k : html_out_more_words(h, s, k);
			break;
		}
	}
}
