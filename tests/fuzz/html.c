/* Fuzz target: HTML to text. */
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str html = { (const char *)data, size };
	size_t max = size > 0 && data[0] == '!' ? 20 : 64 << 20;
	struct html_found found = { 0 };
	struct str text;

	if (!utf8_valid(html))
		return 0; /* the contract */
	text = html_text(a, html, max, &found);
	if (!utf8_valid(text))
		err_bug("fuzz: the text is not UTF-8");
	if (text.n > max || text.n > 64 * size + 64)
		err_bug("fuzz: the text is too long");
	return 0;
}
