/* Values, selectors and conditions, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mime/css.h"

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
	/* As bright as each other, and plain to see. */
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
 * Selectors for <i class="x y" id=n a="one two">, the second child of a
 * <p class=q> whose elder sibling is a <u>, in a <div>.
 */
static const struct {
	const char *selector;
	enum css_match match;
	bool never;
} selectors[] = {
	{ "i", CSS_YES, false },
	{ "I", CSS_YES, false },
	{ "*", CSS_YES, false },
	{ "b", CSS_NO, false },
	{ ".x", CSS_YES, false },
	{ ".X", CSS_MAYBE, false },
	{ "i.x.y#n", CSS_YES, false },
	{ ".x.z", CSS_NO, false },
	{ "p .x", CSS_YES, false },
	{ "div .x", CSS_YES, false },
	{ "div > .x", CSS_NO, false },
	{ "div>p>.x", CSS_YES, false },
	{ "div > div .x", CSS_NO, false },
	{ "u + .x", CSS_YES, false },
	{ "b + .x", CSS_NO, false },
	{ ".q u+i", CSS_YES, false },
	{ "b ~ .x", CSS_MAYBE, false },
	{ "[a]", CSS_YES, false },
	{ "[b]", CSS_NO, false },
	{ "[a='one two']", CSS_YES, false },
	{ "[a~=two]", CSS_YES, false },
	{ "[a^=one]", CSS_YES, false },
	{ "[a$=\"wo\"]", CSS_YES, false },
	{ "[a*=q]", CSS_NO, false },
	{ "i:nth-child(2)", CSS_YES, false },
	{ "i:nth-child(even)", CSS_YES, false },
	{ "i:nth-child(2n+1)", CSS_NO, false },
	{ "i:first-child", CSS_NO, false },
	{ "i:not(.x)", CSS_MAYBE, false },
	{ ".1x", CSS_NO, false },
	{ "i:hover", CSS_YES, true },
	{ "i::before", CSS_YES, true },
	{ "a b c d e f g i", CSS_NO, false },
};

static void
selectors_match(void **state)
{
	struct css_element div = { .tag = "div", .nth = 1 },
			   p = { .tag = "p",
				   .class = S("q"),
				   .up = &div,
				   .nth = 1 },
			   u = { .tag = "u", .up = &p },
			   i = { .tag = "i",
				   .class = S("x y"),
				   .id = S("n"),
				   .raw = S(" class='x y' id=n a=\"one two\""),
				   .up = &p,
				   .prev = &u,
				   .nth = 2 };

	(void)state;
	for (size_t k = 0; k < sizeof(selectors) / sizeof(selectors[0]); k++) {
		struct css_selector s;
		struct css_rule r = { 0 };
		size_t work = 10000;

		assert_true(css_select_read(&s, str_of(selectors[k].selector)));
		r.c = s.c;
		r.n = s.n;
		r.maybe = s.maybe;
		if (s.never != selectors[k].never ||
		    css_select_match(&r, &i, &work) != selectors[k].match)
			fail_msg("%s", selectors[k].selector);
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
		cmocka_unit_test(text_is_made_plain),
	};

	return cmocka_run_group_tests_name("mime/css", tests, NULL, NULL);
}
