/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the static program's charsets, which have no iconv(3) behind
 * them.  The first two bytes say which; the rest is text in it.
 */
#include "check.h"

#include "base/utf8.h"
#include "mime/internal.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str text = { (const char *)p, n };
	struct buf b;
	size_t which;

	if (n < 2 || n > 1 << 16)
		return 0;
	text = str_from(text, 2);
	which = (size_t)(p[0] | p[1] << 8) % charset_label_count;
	buf_init(&b, a, 4 * n + 16);
	(void)charset_convert(&b, charset_label_table[which].name, text);
	check(!b.over, "a byte makes four at most");
	check(utf8_valid(buf_view(&b)), "it is UTF-8");
	return 0;
}
