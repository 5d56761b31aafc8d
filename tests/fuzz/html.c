/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: HTML to text, and what is found on the way. */
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "html/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_links(const struct html_found *f)
{
	if (f->links > LIMIT_MIME_LINKS)
		err_bug("fuzz: too many links");
	for (size_t i = 0; i < f->links; i++) {
		if (!utf8_valid(f->link[i].url) || !utf8_valid(f->link[i].text))
			err_bug("fuzz: a link is not UTF-8");
		for (size_t k = 0; k < f->link[i].url.n; k++)
			if ((unsigned char)f->link[i].url.p[k] <= ' ' ||
			    f->link[i].url.p[k] == '>')
				err_bug("fuzz: a link's target ends early");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str html = { (const char *)data, size };
	size_t max = size > 0 && data[0] == '!' ? 20 : 64 << 20, sum = 0;
	struct html_found found = { 0 };
	struct str text;

	if (!utf8_valid(html))
		return 0; /* the contract */
	text = html_text(a, html, max, &found);
	if (!utf8_valid(text))
		err_bug("fuzz: the text is not UTF-8");
	if (text.n > max || text.n > 64 * size + 64)
		err_bug("fuzz: the text is too long");
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		sum += found.hidden[i];
	if (sum > size || found.tracking > size)
		err_bug("fuzz: more is hidden than there is");
	check_links(&found);
	return 0;
}
