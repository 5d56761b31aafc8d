/* SPDX-License-Identifier: Apache-2.0 */
/* Sheets that would take unlimited time or memory: each of them ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "html/html.h"

#define MEMORY (64UL << 20) /* above this the arena aborts */

/* `head`, then `each` many times with its number for "#", then `tail`. */
static const struct {
	const char *head, *each, *tail;
	size_t times;
} rows[] = {
	/* Each ten times as long as the previous one. */
	{ "<style>:root{--v0:xxxxxxxxxx;",
	    "--v#:var(--v@)var(--v@)var(--v@)var(--v@)var(--v@)var(--v@)"
	    "var(--v@)var(--v@)var(--v@)var(--v@);",
	    "}p{color:var(--v99)}</style><p>x", 100 },
	{ "<style>p{--v0:var(--v499);", "--v#:var(--v@,#fff);",
	    "color:var(--v250)}</style><p>x", 500 },
	{ "<style>*{", "--v#:1;", "}</style><p><b><i><u><a>x", 5000 },
	{ "<style>*:has(*:not(.x) b u){display:none}</style>", "<i>#", "x",
	    3000 },
	{ "<style>", "p ~ i ~ b:nth-last-of-type(#){display:none}",
	    "</style><p>a<i>b<b>c", 2000 },
	{ "<style>", "@keyframes k{to{color:red}}",
	    "*{animation:k 1s infinite}</style><p>x", 5000 },
	{ "<style>", "@layer x#{p{color:red}}", "</style><p>x", 5000 },
	{ "<style>", "p{&:is(p){", "color:red", 2000 },
	{ "<p style='width:", "calc(1px + ", "1px'>x", 5000 },
	{ "<select>", "<option>x#<select>", "", 5000 },
};

static void
put_number(struct buf *b, const char *each, size_t i)
{
	for (; *each != '\0'; each++)
		if (*each == '#')
			buf_fmt(b, "%zu", i + 1);
		else if (*each == '@')
			buf_fmt(b, "%zu", i);
		else
			buf_char(b, *each);
}

static void
floods_end(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		CLEANUP(arena_close) struct arena *a = arena_open(MEMORY);
		struct html_found found;
		struct buf b;

		buf_init(&b, a, 4 << 20);
		buf_text(&b, rows[k].head);
		for (size_t i = 0; i < rows[k].times; i++)
			put_number(&b, rows[k].each, i);
		buf_text(&b, rows[k].tail);
		assert_false(b.over);
		(void)html_text(a, buf_view(&b), 1 << 20, &found);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floods_end),
	};

	return cmocka_run_group_tests_name("html/css_flood", tests, NULL, NULL);
}
