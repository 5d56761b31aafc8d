/* SPDX-License-Identifier: Apache-2.0 */
/* Character references: all names, and where each one ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "html/tree.h"

struct row {
	const char *why;
	const char *text;
	size_t n;
	bool in_attribute;
	uint32_t cp[2];
};

static const struct row rows[] = {
	{ "a name and its semicolon", "&amp;x", 5, false, { '&' } },
	{ "one of those that HTML 5 brought", "&Kopf;", 6, false, { 0x1D542 } },
	{ "names that differ in case", "&lang;", 6, false, { 0x27E8 } },
	{ "and are another", "&Lang;", 6, false, { 0x27EA } },
	{ "two characters", "&NotEqualTilde;", 15, false, { 0x2242, 0x338 } },
	{ "two letters", "&fjlig;", 7, false, { 'f', 'j' } },
	{ "the longest", "&CounterClockwiseContourIntegral;", 33, false,
	    { 0x2233 } },
	{ "the first of its letter", "&Aacute;", 8, false, { 0xC1 } },
	{ "the last of all", "&zwnj;", 6, false, { 0x200C } },
	{ "the longest that fits", "&notinva;", 9, false, { 0x2209 } },
	{ "or the old one within", "&notit;", 4, false, { 0xAC } },
	{ "an old one needs no semicolon", "&copy2", 5, false, { 0xA9 } },
	{ "a new one does", "&Kopf", 0, false, { 7, 7 } },
	{ "in a value an old one does before a letter", "&copy2", 0, true,
	    { 7, 7 } },
	{ "and before an equals sign", "&copy=", 0, true, { 7, 7 } },
	{ "but not at its end", "&copy", 5, true, { 0xA9 } },
	{ "a longer name is not its begin", "&Kopfx;", 0, false, { 7, 7 } },
	{ "nor is a shorter", "&Kop;", 0, false, { 7, 7 } },
	{ "a number", "&#128;", 6, false, { 0x20AC } },
	{ "a number without its semicolon", "&#x41g", 5, false, { 'A' } },
	{ "no name at all", "& ", 0, false, { 7, 7 } },
	{ "a digit begins none", "&1a;", 0, false, { 7, 7 } },
};

static void
reads(void **state)
{
	const struct row *r = *state;
	uint32_t cp[2] = { 7, 7 };

	assert_int_equal(html_entity_read(str_of(r->text), 0, r->in_attribute,
			     cp),
	    r->n);
	assert_int_equal(cp[0], r->cp[0]);
	assert_int_equal(cp[1], r->cp[1]);
}

/*
 * All 2,125 names with a semicolon and the 106 that need none, and their
 * meanings, as HTML 13.5 lists them: the checksum was made from that list.
 */
static void
all_names_are_there(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 22);
	size_t names = 0, old = 0;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	for (size_t k = 0; k < HTML_ENTITY_LETTERS; k++) {
		struct str left = html_entity_table[k], one;

		while (str_cut(left, ' ', &one, &left)) {
			uint32_t cp[2] = { 0 };
			size_t n = 0, from = b.n;

			while (one.p[n] != '=' && one.p[n] != ':')
				n++;
			buf_fmt(&b, "&%c%.*s",
			    (int)(k < 26 ? 'A' : 'a' - 26) + (int)k,
			    STR_ARG(str_first(one, n)));
			if (one.p[n] == ':') {
				assert_int_equal(html_entity_read(buf_view(&b),
						     from, true, cp),
				    n + 2);
				old++;
			}
			buf_char(&b, ';');
			assert_int_equal(html_entity_read(buf_view(&b), from,
					     true, cp),
			    n + 3);
			buf_utf8(&b, cp[0]);
			if (cp[1] != 0)
				buf_utf8(&b, cp[1]);
			names++;
		}
		assert_int_equal(left.n, 0);
	}
	assert_int_equal(names, 2125);
	assert_int_equal(old, 106);
	assert_int_equal(str_hash(STR_HASH, buf_view(&b)),
	    UINT64_C(0x97a384c3e7eccebc));
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 1] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = reads;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(all_names_are_there);
	return cmocka_run_group_tests_name("html/entity", tests, NULL, NULL);
}
