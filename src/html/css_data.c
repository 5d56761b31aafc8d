/* SPDX-License-Identifier: Apache-2.0 */
/* Style sheets that a mail carries in a URL: RFC 2397. */
#include "base/base64.h"
#include "base/limits.h"
#include "html/css.h"

/* Decodes "%" and two digits; a "#" ends the text. */
static struct str
css_data_unescape(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, s.n + 1);
	for (size_t i = 0; i < s.n && s.p[i] != '#'; i++) {
		int c = s.p[i] == '%' ? str_hex_pair(s, i + 1) : -1;

		if (c < 0) {
			buf_char(&b, s.p[i]);
			continue;
		}
		buf_char(&b, (char)c);
		i += 2;
	}
	return buf_view(&b);
}

bool
css_data_read(struct arena *a, struct str url, struct str *text)
{
	struct str head, body;
	bool bad = false;
	char *out;

	if (url.n > LIMIT_CSS ||
	    !str_cut(str_from(url, sizeof("data:") - 1), ',', &head, &body))
		return false;
	head = css_text_trim(head);
	if (!str_starts_case(head, S("text/css")))
		return false;
	*text = css_data_unescape(a, body);
	if (!str_ends_case(head, S(";base64")))
		return true;
	out = arena_alloc(a, text->n + 1);
	text->n = base64_decode_lax(out, *text, &bad);
	text->p = out;
	return true;
}
