/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text for a reader who looks for something hidden in it: out_safe() makes all
 * such characters look alike, and this shows each one.
 */
#include "desk/picture.h"

#include "base/buf.h"
#include "base/utf8.h"

/* Code points without a picture of their own. */
static const struct {
	uint32_t from, to;
} unseen[] = {
	{ 0x80, 0x9F },
	{ 0xAD, 0xAD },
	{ 0x34F, 0x34F },
	{ 0x61C, 0x61C },
	{ 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },
	{ 0x180B, 0x180F },
	{ 0x200B, 0x200F },
	{ 0x2028, 0x202E },
	{ 0x2060, 0x206F },
	{ 0x3164, 0x3164 },
	{ 0xE000, 0xF8FF },
	{ 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 },
	{ 0xFFF0, 0xFFFB },
	{ 0x1D173, 0x1D17A },
	{ 0xE0000, 0x10FFFF },
};

static bool
picture_is_unseen(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		if (cp >= unseen[i].from && cp <= unseen[i].to)
			return true;
	return false;
}

struct str
picture_text(struct arena *a, struct str s, bool lines)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, 10 * s.n + 1);
	while (i < s.n) {
		unsigned char raw = (unsigned char)s.p[i];
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (!ok)
			buf_fmt(&b, "<%02X>", raw);
		else if (cp == '\n' && lines)
			buf_char(&b, '\n');
		else if (cp < 0x20 || cp == 0x7f)
			buf_utf8(&b, cp == 0x7f ? 0x2421 : 0x2400 + cp);
		else if (picture_is_unseen(cp))
			buf_fmt(&b, "<U+%04X>", (unsigned)cp);
		else
			buf_utf8(&b, cp);
	}
	return buf_view(&b);
}
