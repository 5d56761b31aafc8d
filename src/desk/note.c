/* SPDX-License-Identifier: Apache-2.0 */
/* Remarks beside a result. */
#include "desk/note.h"

#include <stdarg.h>

void
note_say(struct notes *n, const char *fmt, ...)
{
	struct arena *a = n->c->arena;
	struct str text;
	va_list ap;

	va_start(ap, fmt);
	text = str_fmt_list(a, fmt, ap);
	va_end(ap);
	str_push(a, &n->text, text);
	gate_say_line(n->c, str_fmt(a, "note: %.*s", STR_ARG(text)));
}
