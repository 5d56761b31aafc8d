/*
 * Text as a person sees it.  What nobody sees but a program reads (Unicode
 * tags, zero widths, terminal controls) and what turns the direction of writing
 * is how a message says one thing to its reader and another to an agent.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "mime/internal.h"

static const struct {
	uint32_t from, to;
} unseen[] = {
	{ 0x00, 0x08 }, { 0x0B, 0x1F }, { 0x7F, 0x9F }, /* controls */
	{ 0xAD, 0xAD },                                 /* soft hyphen */
	{ 0x34F, 0x34F },                               /* grapheme joiner */
	{ 0x61C, 0x61C }, { 0x200E, 0x200F }, { 0x202A, 0x202E },
	{ 0x2066, 0x206F },                       /* direction, UAX 9 */
	{ 0x115F, 0x1160 }, { 0x17B4, 0x17B5 },   /* fillers */
	{ 0x180B, 0x180F }, { 0x200B, 0x200B },   /* zero width */
	{ 0x2060, 0x2065 }, { 0x3164, 0x3164 },   /* word joiner and kin */
	{ 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 },   /* byte order mark */
	{ 0xFFF0, 0xFFFB }, { 0x1D173, 0x1D17A }, /* annotation, music */
	{ 0xE0000, 0xE0FFF },                     /* tags, selectors */
};

/*
 * Joiners and variation selectors shape emoji and many scripts, one behind a
 * letter; a run of them, or one behind ASCII, shapes nothing.
 */
static bool
is_shaper(uint32_t cp)
{
	return cp == 0x200C || cp == 0x200D || (cp >= 0xFE00 && cp <= 0xFE0F);
}

static bool
is_unseen(uint32_t cp, uint32_t before)
{
	if (is_shaper(cp))
		return before < 0x80 ||
		    (is_shaper(before) && !(cp == 0x200D && before >= 0xFE00));
	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		if (cp >= unseen[i].from && cp <= unseen[i].to)
			return true;
	return false;
}

struct str
mime_clean(struct arena *a, struct str s, size_t *removed)
{
	uint32_t before = 0;
	size_t from = 0, gone = 0, i = 0;
	struct buf b = { 0 };

	while (i < s.n) {
		size_t at = i;
		bool ok = true;
		uint32_t cp;

		if ((unsigned char)s.p[i] >= ' ' &&
		    (unsigned char)s.p[i] < 0x7F) {
			before = (unsigned char)s.p[i++];
			continue;
		}
		cp = utf8_next(s, &i, &ok);
		if (!is_unseen(cp, before)) {
			before = cp;
			continue;
		}
		if (gone++ == 0)
			buf_init(&b, a, s.n);
		buf_add(&b, s.p + from, at - from);
		from = i;
	}
	if (removed != NULL)
		*removed += gone;
	if (gone == 0)
		return s;
	buf_str(&b, str_from(s, from));
	return buf_view(&b);
}
