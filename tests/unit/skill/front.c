/* SPDX-License-Identifier: Apache-2.0 */
/* The front matter of a SKILL.md: valid ones, and the errors of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/limits.h"
#include "skill/skill.h"

#define HEAD "---\nname: mail-x\ndescription: Does it.\n"
#define TAIL "---\nbody\n"

/* With the folder "mail-x"; why NULL: good. */
static const struct {
	const char *text, *why;
} rows[] = {
	{ HEAD TAIL, NULL },
	{ HEAD "license: MIT\ncompatibility: any\nallowed-tools: a b\n" TAIL,
	    NULL },
	{ HEAD "metadata:\n  label: Mail\n  whole: \"yes\"\n" TAIL, NULL },
	{ HEAD "metadata:\n  a.b/c: x\n" TAIL, NULL },
	{ "---\nname: \"mail-x\"\ndescription: 'a: b # c'\n" TAIL, NULL },
	{ "---\nname: mail-x\ndescription: \"a \\\"b\\\" \\\\ c\"\n" TAIL,
	    NULL },
	{ HEAD "---\n\n\nbody", NULL },
	/* Shape. */
	{ "", "line 1: a skill must begin with a line ---" },
	{ "name: mail-x\n", "line 1: a skill must begin with a line ---" },
	{ "---\r\nname: mail-x\r\n",
	    "line 1: the line has a control character" },
	{ HEAD, "line 3: the front matter has no end: add a line ---" },
	{ HEAD "---\n", "line 4: there is no text after the front matter" },
	{ HEAD "---\n \n\n",
	    "line 4: there is no text after the front matter" },
	{ HEAD "colour: red\n" TAIL, "line 4: unknown field" },
	{ HEAD "Name: x\n" TAIL, "line 4: unknown field" },
	{ HEAD "name: mail-x\n" TAIL, "line 4: the field is given twice" },
	{ HEAD "\n" TAIL, "line 4: expected a key and its value" },
	{ HEAD "license\n" TAIL, "line 4: expected a key and its value" },
	{ HEAD "license:MIT\n" TAIL, "line 4: a space must follow the colon" },
	{ HEAD "license:\n" TAIL, "line 4: the value is missing" },
	{ HEAD "  label: x\n" TAIL, "line 4: this line must not be indented" },
	{ HEAD "metadata: x\n" TAIL,
	    "line 4: metadata is a map, indented "
	    "below" },
	{ HEAD "metadata:\n  label\n" TAIL,
	    "line 5: expected a key and its value" },
	{ HEAD "metadata:\n  io.modelcontextprotocol/x: y\n" TAIL,
	    "line 5: that key is reserved" },
	/* Text that YAML reads differently from its appearance. */
	{ HEAD "license: [a]\n" TAIL,
	    "line 4: quote a value that begins with this character" },
	{ HEAD "license: >-\n" TAIL,
	    "line 4: quote a value that begins with this character" },
	{ HEAD "license: *a\n" TAIL,
	    "line 4: quote a value that begins with this character" },
	{ HEAD "license: a: b\n" TAIL,
	    "line 4: quote a value that contains \": \" or \" #\"" },
	{ HEAD "license: a #b\n" TAIL,
	    "line 4: quote a value that contains \": \" or \" #\"" },
	{ HEAD "license: true\n" TAIL,
	    "line 4: quote a value that YAML does not read as text" },
	{ HEAD "license: 12\n" TAIL,
	    "line 4: quote a value that YAML does not read as text" },
	{ HEAD "license: \"a\n" TAIL,
	    "line 4: the quotes must close at the end of the line" },
	{ HEAD "license: \"a\" b\n" TAIL,
	    "line 4: the quotes must close at the end of the line" },
	{ HEAD "license: \"a\\n\"\n" TAIL,
	    "line 4: in quotes only \\\" and \\\\ are allowed" },
	/* Names and descriptions. */
	{ "---\ndescription: d\n" TAIL, "line 3: the name is missing" },
	{ "---\nname: mail-x\n" TAIL, "line 3: the description is missing" },
	{ "---\nname: mail-x\ndescription: \"\"\n" TAIL,
	    "line 4: the description is missing" },
	{ "---\nname: mail-y\ndescription: d\n" TAIL,
	    "line 2: the name must be the folder's" },
#define NAME                                                                   \
	"line 2: a name has lower-case letters, digits and single hyphens "    \
	"between them"
	{ "---\nname: Mail\ndescription: d\n" TAIL, NAME },
	{ "---\nname: mail_x\ndescription: d\n" TAIL, NAME },
	{ "---\nname: mail-\ndescription: d\n" TAIL, NAME },
	{ "---\nname: mail--x\ndescription: d\n" TAIL, NAME },
	{ "---\nname: mail x\ndescription: d\n" TAIL, NAME },
	{ "---\nname: \xc3\xa4\ndescription: d\n" TAIL, NAME },
	{ "---\nname: \xc3\ndescription: d\n" TAIL, "the file is not UTF-8" },
	{ HEAD "---\nbody\x1b[2J\n",
	    "line 5: the line has a control character" },
};

static void
all_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
		struct skill_front f;
		struct err e = { 0 };
		int r = skill_front_read(str_of(rows[i].text), S("mail-x"), a,
		    &f, &e);

		if (r != (rows[i].why == NULL ? 0 : -1))
			fail_msg("row %zu: %d %s", i, r, e.say);
		if (r < 0)
			assert_string_equal(e.say, rows[i].why);
		else
			assert_true(str_eq(f.body, S("body")));
	}
}

static void
values(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const char text[] =
	    "---\ndescription: \"a \\\"b\\\" \\\\ c\"\nname: 'mail-x'\n"
	    "metadata:\n  label: \"Mail: x\"\n  whole: \"yes\"\n---\n# B\n";
	struct skill_front f;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(skill_front_read(str_of(text), S(""), a, &f, &e), 0);
	assert_true(str_eq(f.name, S("mail-x")));
	assert_true(str_eq(f.description, S("a \"b\" \\ c")));
	assert_true(str_eq(f.label, S("Mail: x")));
	assert_true(f.whole);
	assert_true(str_eq(f.body, S("# B")));
}

/* Of so many characters, each two bytes long. */
static int
described(struct arena *a, size_t n, struct err *e)
{
	struct skill_front f;
	char *d = arena_alloc(a, 2 * n + 1);

	for (size_t i = 0; i < 2 * n; i += 2)
		memcpy(d + i, "\xc3\xa4", 2);
	return skill_front_read(str_fmt(a,
				    "---\nname: mail-x\ndescription: %s\n" TAIL,
				    d),
	    S("mail-x"), a, &f, e);
}

static int
named(struct arena *a, size_t n, struct err *e)
{
	struct skill_front f;
	char *name = arena_alloc(a, n + 1);

	memset(name, 'a', n);
	return skill_front_read(str_fmt(a,
				    "---\nname: %s\ndescription: d\n" TAIL,
				    name),
	    S(""), a, &f, e);
}

static void
lengths(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str big = { arena_alloc(a, LIMIT_SKILL + 1), LIMIT_SKILL + 1 };
	struct skill_front f;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(described(a, 1024, &e), 0);
	assert_int_equal(described(a, 1025, &e), -1);
	assert_int_equal(named(a, 64, &e), 0);
	assert_int_equal(named(a, 65, &e), -1);
	assert_int_equal(skill_front_read(big, S(""), a, &f, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rows),
		cmocka_unit_test(values),
		cmocka_unit_test(lengths),
	};

	return cmocka_run_group_tests_name("skill/front", tests, NULL, NULL);
}
