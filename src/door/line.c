/* SPDX-License-Identifier: Apache-2.0 */
/* A command line: its words. */
#include "door/line.h"

#include "base/buf.h"
#include "base/limits.h"

bool
line_is_word(const struct line *l, const char *word, const char *option)
{
	return l->argc > 0 &&
	    (str_eq(str_of(l->argv[0]), str_of(word)) ||
		(option != NULL && str_eq(str_of(l->argv[0]), str_of(option))));
}

struct str
line_join(const struct line *l, int n)
{
	struct buf b;

	buf_init(&b, l->a, LIMIT_ARGV);
	for (int i = 0; i < n && i < l->argc; i++) {
		if (i > 0)
			buf_char(&b, ' ');
		buf_text(&b, l->argv[i]);
	}
	return buf_view(&b);
}
