/* SPDX-License-Identifier: Apache-2.0 */
/* Values, selectors and conditions, one at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "html/css_select.h"

struct colour_row {
	const char *text;
	int is;
	uint32_t rgba;
};

static const struct colour_row colours[] = {
	{ "#fff", 1, 0xFFFFFFFF },
	{ "#FfF8", 1, 0xFFFFFF88 },
	{ "#102030", 1, 0x102030FF },
	{ "#10203040", 1, 0x10203040 },
	{ "#ff", 0, 0 },
	{ "#ggg", 0, 0 },
	{ "White", 1, 0xFFFFFFFF },
	{ "transparent", 1, 0 },
	{ "windowtext", 1, 0x000000FF },
	{ "whitish", 0, 0 },
	{ "rgb(255,0,16)", 1, 0xFF0010FF },
	{ "rgb(300 -5 0 / 50%)", 1, 0xFF000080 },
	{ "rgba(0,0,0,.5)", 1, 0x00000080 },
	{ "rgb(100%,0%,0%)", 1, 0xFF0000FF },
	{ "hsl(0,100%,50%)", 1, 0xFF0000FF },
	{ "hsl(120deg 100% 50%)", 1, 0x00FF00FF },
	{ "hsl(600,100%,50%)", 1, 0x0000FFFF },
	{ "hsl(0,0%,100%)", 1, 0xFFFFFFFF },
	{ "rgb(none 0 0)", -1, 0 },
	{ "rgb(calc(1) 0 0)", -1, 0 },
	{ "rgb(50% 0 0)", 1, 0x800000FF },
	{ "hsl(0 0 100)", 1, 0xFFFFFFFF },
	{ "hsl(.5turn 100% 50%)", 1, 0x00FFFFFF },
	/* Browsers discard these. */
	{ "rgb(245, x, 66)", 0, 0 },
	{ "rgb(1, 2)", 0, 0 },
	{ "rgb(0 0,0)", 0, 0 },
	{ "rgb(50%, 0, 0)", 0, 0 },
	{ "rgb(1px 0 0)", 0, 0 },
	{ "hsl(0, 0, 100)", 0, 0 },
	{ "nosuch(1 0 0)", 0, 0 },
	{ "oklch(1 0 0)", -1, 0 },
};

static void
colours_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		struct str s = str_of(colours[i].text);
		struct css_token t = css_token_next(&s);
		uint32_t rgba = 0;

		if (css_colour_read(&t, &rgba) != colours[i].is ||
		    (colours[i].is > 0 && rgba != colours[i].rgba))
			fail_msg("%s: %08x", colours[i].text, rgba);
	}
}

static const struct colour_row legacy[] = {
	{ "#ffffff", 1, 0xFFFFFFFF },
	{ "ffffff", 1, 0xFFFFFFFF },
	{ "#fff", 1, 0xFFFFFFFF },
	{ " white ", 1, 0xFFFFFFFF },
	{ "chucknorris", 1, 0xC00000FF },
	{ "zqbttv", 1, 0x00B000FF },
	{ "#fffffffff", 1, 0xFFFFFFFF },
	{ "transparent", 0, 0 },
	{ "", 0, 0 },
};

static void
old_colours_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(legacy) / sizeof(legacy[0]); i++) {
		uint32_t rgba = 0;

		if (css_colour_legacy(str_of(legacy[i].text), &rgba) !=
			(legacy[i].is > 0) ||
		    rgba != legacy[i].rgba)
			fail_msg("%s: %08x", legacy[i].text, rgba);
	}
}

static void
close_colours_are_near(void **state)
{
	(void)state;
	assert_true(css_colour_near(0xFFFFFFFF, 0xFFFFFFFF));
	assert_true(css_colour_near(0xFDFDFDFF, 0xFFFFFFFF));
	assert_true(css_colour_near(0xF0F0F0FF, 0xFFFFFFFF));
	assert_true(css_colour_near(0x000000FF, 0x060606FF));
	assert_false(css_colour_near(0xCCCCCCFF, 0xFFFFFFFF));
	assert_false(css_colour_near(0x999999FF, 0xFFFFFFFF));
	/* Equally bright, but clearly visible. */
	assert_false(css_colour_near(0xFF0000FF, 0x767676FF));
}

/* Media queries in a window of 800 by 600. */
static const struct {
	const char *query;
	enum css_match holds;
} queries[] = {
	{ "", CSS_YES },
	{ "all", CSS_YES },
	{ "screen", CSS_YES },
	{ "only screen and (max-width: 600px)", CSS_NO },
	{ "only screen and (max-width:37.5em)", CSS_NO },
	{ "screen and (min-width: 480px)", CSS_YES },
	{ "(min-width: 480px) and (max-width: 700px)", CSS_NO },
	{ "print", CSS_NO },
	{ "not print", CSS_YES },
	{ "print, screen", CSS_YES },
	{ "print, (max-width: 100px)", CSS_NO },
	{ "(prefers-color-scheme: dark)", CSS_NO },
	{ "(prefers-reduced-motion)", CSS_MAYBE },
	{ "(prefers-reduced-motion: reduce)", CSS_NO },
	{ "(width >= 100px)", CSS_MAYBE },
	{ "(min-width: 1000px)", CSS_MAYBE },
	{ "nosuch", CSS_MAYBE },
};

static void
queries_hold(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		if (css_media_holds(str_of(queries[i].query)) !=
		    queries[i].holds)
			fail_msg("%s", queries[i].query);
}

/*
 * Selectors for <i class="x y" id=n a="one two" lang=en-GB>, the second child
 * of a <p class=q>, which follows a <u> in a <div>.
 */
static const struct {
	const char *selector;
	enum css_match match;
	bool never;
	uint64_t specificity;
} selectors[] = {
	{ "i", CSS_YES, false, 0x1 },
	{ "I", CSS_YES, false, 0x1 },
	{ "*", CSS_YES, false, 0 },
	{ "*|i", CSS_YES, false, 0x1 },
	{ "b", CSS_NO, false, 0x1 },
	{ ".x", CSS_YES, false, 0x100 },
	{ ".X", CSS_MAYBE, false, 0x100 },
	{ "i.x.y#n", CSS_YES, false, 0x10201 },
	{ ".x.z", CSS_NO, false, 0x200 },
	{ "p .x", CSS_YES, false, 0x101 },
	{ "div .x", CSS_YES, false, 0x101 },
	{ "div > .x", CSS_NO, false, 0x101 },
	{ "div>p>.x", CSS_YES, false, 0x102 },
	{ "div > div .x", CSS_NO, false, 0x102 },
	{ "u + .x", CSS_YES, false, 0x101 },
	{ "b + .x", CSS_NO, false, 0x101 },
	{ "u ~ .x", CSS_YES, false, 0x101 },
	{ ".q u+i", CSS_YES, false, 0x102 },
	{ "b ~ .x", CSS_NO, false, 0x101 },
	{ "[a]", CSS_YES, false, 0x100 },
	{ "[b]", CSS_NO, false, 0x100 },
	{ "[a='one two']", CSS_YES, false, 0x100 },
	{ "[a='ONE two' i]", CSS_YES, false, 0x100 },
	{ "[a~=two]", CSS_YES, false, 0x100 },
	{ "[a^=one]", CSS_YES, false, 0x100 },
	{ "[a$=\"wo\"]", CSS_YES, false, 0x100 },
	{ "[a*=q]", CSS_NO, false, 0x100 },
	{ "[a^='']", CSS_NO, false, 0x100 },
	{ "[lang|=en]", CSS_YES, false, 0x100 },
	{ "i:nth-child(2)", CSS_YES, false, 0x101 },
	{ "i:nth-child(even)", CSS_YES, false, 0x101 },
	{ "i:nth-child( -n + 2 )", CSS_YES, false, 0x101 },
	{ "i:nth-child(2n+1)", CSS_NO, false, 0x101 },
	{ "i:first-child", CSS_NO, false, 0x101 },
	{ "i:last-child", CSS_MAYBE, false, 0x101 },
	{ "i:not(.x)", CSS_NO, false, 0x101 },
	{ "i:not(.z)", CSS_YES, false, 0x101 },
	{ "i:not(:hover, b)", CSS_YES, false, 0x101 },
	{ "i:is(.x)", CSS_YES, false, 0x101 },
	{ "i:is(div .x, #z)", CSS_YES, false, 0x10001 },
	{ "i:is(:nosuch, .x)", CSS_YES, false, 0x101 },
	{ "i:is()", CSS_NO, false, 0x1 },
	{ ":where(.x)", CSS_YES, false, 0 },
	{ ":where(.z)", CSS_NO, false, 0 },
	{ ":lang(en)", CSS_YES, false, 0x100 },
	{ ":lang(de)", CSS_NO, false, 0x100 },
	{ ":link", CSS_NO, false, 0x100 },
	{ ":checked", CSS_NO, false, 0x100 },
	{ ":has(b)", CSS_MAYBE, false, 0x1 },
	{ "b:has(b)", CSS_NO, false, 0x2 },
	{ "i:hover", CSS_NO, false, 0x101 },
	{ "i::before", CSS_YES, true, 0x2 },
	{ "i::-webkit-nosuch", CSS_YES, true, 0x2 },
	{ "i::first-line", CSS_MAYBE, false, 0x2 },
	{ "a b c d e f g i", CSS_NO, false, 0x8 },
};

static void
selectors_match(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct css_element div = { .tag = "div", .nth = 1 },
			   p = { .tag = "p",
				   .class = S("q"),
				   .up = &div,
				   .nth = 1 },
			   u = { .tag = "u", .up = &p, .nth = 1 },
			   i = { .tag = "i",
				   .class = S("x y"),
				   .id = S("n"),
				   .raw = S(" class='x y' id=n a=\"one two\""
					    " lang=en-GB"),
				   .up = &p,
				   .prev = &u,
				   .nth = 2 };

	(void)state;
	for (size_t k = 0; k < sizeof(selectors) / sizeof(selectors[0]); k++) {
		struct css_reader r = { .a = a };
		const struct css_selector *s;
		size_t work = 10000;

		if (css_select_read(&r, str_of(selectors[k].selector), &s) !=
			CSS_READ_GOOD ||
		    s->never != selectors[k].never ||
		    css_match_selector(s, &i, NULL, &work) !=
			selectors[k].match)
			fail_msg("%s", selectors[k].selector);
		if (s->specificity != selectors[k].specificity)
			fail_msg("%s: %llx", selectors[k].selector,
			    (unsigned long long)s->specificity);
	}
}

/* Selectors that no browser accepts, and some that one might. */
static const struct {
	const char *selector;
	enum css_read is;
} lists[] = {
	{ "p, b", CSS_READ_GOOD },
	{ "p,, b", CSS_READ_BAD },
	{ "", CSS_READ_BAD },
	{ "p >", CSS_READ_BAD },
	{ "> p", CSS_READ_BAD },
	{ "p > > b", CSS_READ_BAD },
	{ "p !b", CSS_READ_BAD },
	{ ".1x", CSS_READ_BAD },
	{ ".-1x", CSS_READ_BAD },
	{ ".\x01x", CSS_READ_GOOD },
	{ "#1", CSS_READ_BAD },
	{ "x|p", CSS_READ_BAD },
	{ ".a p.b", CSS_READ_GOOD },
	{ "[a]p", CSS_READ_BAD },
	{ "[a=1]", CSS_READ_BAD },
	{ "[a=b c]", CSS_READ_BAD },
	{ "[a!=b]", CSS_READ_BAD },
	{ "p:not(b,)", CSS_READ_BAD },
	{ "p:not(:nosuch)", CSS_READ_OTHER },
	{ "p:has(:has(b))", CSS_READ_BAD },
	{ "p:is(::before)", CSS_READ_GOOD },
	{ "p:not(::before)", CSS_READ_BAD },
	{ "p:nth-child(x)", CSS_READ_BAD },
	{ "p:nosuch", CSS_READ_OTHER },
	{ "p::-moz-nosuch, b", CSS_READ_OTHER },
	{ ":-moz-any(p)", CSS_READ_OTHER },
	{ "::", CSS_READ_BAD },
};

static void
lists_are_read_or_dropped(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		struct css_reader r = { .a = a };
		const struct css_selector *s;

		if (css_select_read(&r, str_of(lists[k].selector), &s) !=
		    lists[k].is)
			fail_msg("%s", lists[k].selector);
	}
}

/* Sums; unknown or invalid ones have no number. */
static const struct {
	const char *text;
	enum css_kind kind;
	double n;
} sums[] = {
	{ "calc(12px + 1vw)", CSS_PX, 20 },
	{ "calc(1em - 16px)", CSS_PX, 4 },
	{ "calc(100% - 40px)", CSS_PX, 60 },
	{ "calc((1px + 2px) * 5)", CSS_PX, 15 },
	{ "calc(2 * 3 - 1)", CSS_NUMBER, 5 },
	{ "calc(1px / 0)", CSS_PX, 1e9 },
	{ "min(3px, 1em, 9px)", CSS_PX, 3 },
	{ "max(3px, 1em)", CSS_PX, 20 },
	{ "clamp(1px, 5px, 3px)", CSS_PX, 3 },
	{ "abs(-3px)", CSS_PX, 3 },
	{ "calc(infinity)", CSS_NUMBER, 1e9 },
	{ "round(1px, 2px)", CSS_UNKNOWN, 0 },
	{ "calc(1px+2px)", CSS_INVALID, 0 },
	{ "calc(1px + 2)", CSS_INVALID, 0 },
	{ "calc(1px * 2px)", CSS_INVALID, 0 },
	{ "calc(1px / 2px)", CSS_INVALID, 0 },
	{ "calc()", CSS_INVALID, 0 },
	{ "calc(3pxl)", CSS_INVALID, 0 },
	{ "clamp(1px, 2px)", CSS_INVALID, 0 },
	{ "nosuch(1px)", CSS_INVALID, 0 },
};

static void
sums_are_computed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		struct str s = str_of(sums[i].text);
		struct css_token t = css_token_next(&s);
		struct css_calc c = { 20, 100, false };
		double n = 0;

		if (css_calc_read(&c, &t, &n) != sums[i].kind ||
		    n < sums[i].n - 0.001 || n > sums[i].n + 0.001)
			fail_msg("%s: %f", sums[i].text, n);
	}
}

static void
brackets_are_bounded(void **state)
{
	static const char *const open[] = { ":is(", ":not(", ":has(", "calc(",
		"(" };
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		struct css_reader r = { .a = a };
		struct css_calc c = { 16, 800, false };
		struct css_block block = { .n = 0 };
		const struct css_selector *s;
		struct css_token t;
		struct buf b;
		struct str text;
		double n;

		buf_init(&b, a, 1 << 20);
		for (int k = 0; k < 20000; k++)
			buf_text(&b, open[i]);
		text = buf_view(&b);
		(void)css_select_read(&r, text, &s);
		(void)css_media_supports(&block, text);
		t = css_token_next(&text);
		(void)css_calc_read(&c, &t, &n);
	}
}

static void
text_is_made_plain(void **state)
{
	static const struct {
		const char *text, *plain;
	} rows[] = {
		{ "a:b", "a:b" },
		{ "dis\\70 lay", "display" },
		{ "dis\\000070lay", "display" },
		{ "\\64 isplay", "display" },
		{ "d/**/isplay", "d isplay" },
		{ "a\\3a b",
		    "a\x01"
		    "b" },
		{ "'/*'x", "'/*'x" },
		{ "url(/*x)y", "url(/*x)y" },
		{ "a/*", "a " },
		{ "a\\", "a" },
		/* No name begins with a digit, unless it is escaped. */
		{ ".\\31 a",
		    ".\x01"
		    "a" },
		{ ".a\\31", ".a1" },
	};
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(str_c(a,
					css_text_plain(a,
					    str_of(rows[i].text))),
		    rows[i].plain);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_are_read),
		cmocka_unit_test(old_colours_are_read),
		cmocka_unit_test(close_colours_are_near),
		cmocka_unit_test(queries_hold),
		cmocka_unit_test(selectors_match),
		cmocka_unit_test(lists_are_read_or_dropped),
		cmocka_unit_test(sums_are_computed),
		cmocka_unit_test(brackets_are_bounded),
		cmocka_unit_test(text_is_made_plain),
	};

	return cmocka_run_group_tests_name("html/css", tests, NULL, NULL);
}
