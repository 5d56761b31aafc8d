/* SPDX-License-Identifier: Apache-2.0 */
/* Text of an XML document, its references resolved (XML 1.0 section 4.6). */
#include "base/buf.h"
#include "source/xml.h"

/* "&#60;" and "&#x3c;" without "&" and ";". */
static bool
xml_plain_number(struct str s, unsigned long *out)
{
	bool hex = s.n > 1 && s.p[1] == 'x';
	unsigned long n = 0;

	if (s.n < (hex ? 3U : 2U) || s.n > 8)
		return false;
	for (size_t i = hex ? 2 : 1; i < s.n; i++) {
		char c = s.p[i];

		if (c >= '0' && c <= '9')
			n = n * (hex ? 16 : 10) + (unsigned long)(c - '0');
		else if (hex && c >= 'a' && c <= 'f')
			n = n * 16 + (unsigned long)(c - 'a') + 10;
		else if (hex && c >= 'A' && c <= 'F')
			n = n * 16 + (unsigned long)(c - 'A') + 10;
		else
			return false;
	}
	*out = n;
	return n >= 0x20 && n <= 0x10ffff && !(n >= 0xd800 && n <= 0xdfff);
}

static bool
xml_plain_entity(struct str name, unsigned long *out)
{
	static const struct {
		struct str name;
		char c;
	} known[] = { { SI("amp"), '&' }, { SI("lt"), '<' }, { SI("gt"), '>' },
		{ SI("quot"), '"' }, { SI("apos"), '\'' } };

	if (name.n > 0 && name.p[0] == '#')
		return xml_plain_number(name, out);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (str_eq(name, known[i].name)) {
			*out = (unsigned char)known[i].c;
			return true;
		}
	return false;
}

int
xml_plain(struct arena *a, struct str raw, struct str *out, struct err *e)
{
	struct str rest = str_trim(raw), head, name;
	struct buf b;

	buf_init(&b, a, raw.n + 1);
	while (str_cut(rest, '&', &head, &rest)) {
		unsigned long cp;

		buf_str(&b, head);
		if (!str_cut(rest, ';', &name, &rest) ||
		    !xml_plain_entity(name, &cp)) {
			(void)err_set(e, ERR_USAGE,
			    "the settings file is not valid XML");
			return err_because(e, "xml: unknown entity");
		}
		buf_utf8(&b, cp);
	}
	buf_str(&b, head);
	*out = buf_view(&b);
	return 0;
}
