/* SPDX-License-Identifier: Apache-2.0 */
/* Output of the doors: complete, harmless and aligned. */
#include "door/out.h"

#include <errno.h>

#include "base/path.h"
#include "base/utf8.h"
#include "door/fit.h"

enum {
	QUOTE_MAX = 40
};

int
out_write(int fd, struct str text)
{
	return path_write(fd, text);
}

int
out_write_line(int fd, struct str text)
{
	if (out_write(fd, text) < 0)
		return -1;
	return out_write(fd, S("\n"));
}

void
out_json(struct buf *b, struct arena *a, const struct json *j)
{
	buf_str(b, json_text(j, a));
	buf_char(b, '\n');
}

int
out_done(const struct buf *b)
{
	if (b->over) {
		(void)fprintf(stderr, "emcli: the output is too long\n");
		return 1;
	}
	if (out_write(STDOUT_FILENO, buf_view(b)) == 0)
		return 0;
	return out_unwritten(0);
}

int
out_unwritten(int status)
{
	/* The reader may have read enough: `emcli list | head`. */
	if (errno == EPIPE)
		return status;
	(void)fprintf(stderr, "emcli: standard output: %s\n", strerror(errno));
	return 1;
}

/* C0, DEL and C1 drive terminals; the bidi controls of UAX 9 reorder lines. */
static bool
out_harmful(uint32_t cp)
{
	return (cp < 0x20 && cp != '\n') || (cp >= 0x7f && cp <= 0x9f) ||
	    cp == 0x061c || (cp >= 0x200b && cp <= 0x200f) ||
	    (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) ||
	    cp == 0xfeff;
}

struct str
out_safe(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;
	bool ok = true;

	buf_init(&b, a, 3 * s.n + 1);
	while (i < s.n) {
		uint32_t cp = utf8_next(s, &i, &ok);

		if (out_harmful(cp))
			buf_char(&b, cp == '\t' ? ' ' : '?');
		else
			buf_utf8(&b, cp);
	}
	return buf_view(&b);
}

struct str
out_line(struct arena *a, struct str s)
{
	char *p = str_c(a, out_safe(a, s));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == '\n')
			p[i] = '?';
	return str_of(p);
}

struct str
out_quote(struct arena *a, struct str s)
{
	struct str line = out_line(a, utf8_first(s, QUOTE_MAX));

	return str_fmt(a, "\"%.*s%s\"", STR_ARG(line),
	    s.n > QUOTE_MAX ? "..." : "");
}

void
out_complain(const struct err *e, bool for_operator)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str say = out_line(a, str_of(e->say));
	struct str detail = out_line(a, str_of(e->detail));
	bool named = str_starts(say, S("emcli: "));

	(void)fprintf(stderr, "%s%.*s", named ? "" : "emcli: ", STR_ARG(say));
	if (for_operator && detail.n > 0)
		(void)fprintf(stderr, " (%.*s)", STR_ARG(detail));
	/* An operator's command fails with one line. */
	if (e->hint != NULL)
		(void)fprintf(stderr, "%snext: %s",
		    for_operator ? "; " : "\nemcli: ", e->hint);
	(void)fputc('\n', stderr);
}

void
out_help(struct err *e, struct arena *a, struct str command)
{
	if (e->kind != ERR_USAGE || e->hint != NULL ||
	    str_find(str_of(e->say), S("emcli ")) >= 0 ||
	    str_find(str_of(e->say), S("did you mean")) >= 0)
		return;
	(void)err_hint(e, str_fmt(a, "emcli help %.*s", STR_ARG(command)).p);
}

int
out_status(const struct err *e)
{
	if (e->kind == ERR_NONE)
		return 0;
	return e->kind == ERR_USAGE ? 2 : 1;
}

void
out_table(struct buf *b, const struct out_row *rows, size_t count, size_t n)
{
	fit_table(b, rows, count, n, fit_width());
}
