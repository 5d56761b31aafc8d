/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor's lines from a child: written safely, read strictly. */
#include "../rows.h"

#include "base/limits.h"
#include "source/internal.h"

static struct arena *a;

static struct sample {
	const char *why, *line;
	bool good, ok, note;
} rows[] = {
	{ "a good line", "imap.tls\tok\t12\tfine\t\t", true, true, false },
	{ "a note", "x\tnote\t0\tfine\tdo\tmore", true, true, true },
	{ "a bad one", "x.y_1\tbad\t999999999\tno\tdo\tmore", true, false,
	    false },
	{ "UTF-8 is text", "x\tok\t1\t\xC3\xA4\t\t", true, true, false },
	{ "nothing", "", false, false, false },
	{ "a field too few", "x\tok\t1\tfine\t", false, false, false },
	{ "a field too many", "x\tok\t1\tfine\t\t\t", false, false, false },
	{ "no such mark", "x\tgood\t1\tfine\t\t", false, false, false },
	{ "an empty mark", "x\t\t1\tfine\t\t", false, false, false },
	{ "no name", "\tok\t1\tfine\t\t", false, false, false },
	{ "a name in capitals", "X\tok\t1\tfine\t\t", false, false, false },
	{ "a name too long",
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\tok\t1\tfine\t\t", false,
	    false, false },
	{ "nothing said", "x\tok\t1\t\t\t", false, false, false },
	{ "a time that is none", "x\tok\t-1\tfine\t\t", false, false, false },
	{ "a time too long", "x\tok\t1000000000\tfine\t\t", false, false,
	    false },
	{ "a control character", "x\tok\t1\tfi\x1bne\t\t", false, false,
	    false },
	{ "a CR", "x\tok\t1\tfine\t\t\r", false, false, false },
	{ "bytes that are no UTF-8", "x\tok\t1\tfi\xffne\t\t", false, false,
	    false },
};

static void
row(void **state)
{
	const struct sample *r = *state;
	struct probe p = { 0 };

	assert_int_equal(probe_line_read(a, str_of(r->line), &p), r->good);
	if (!r->good)
		return;
	assert_int_equal(p.ok, r->ok);
	assert_int_equal(p.note, r->note);
}

static void
too_long(void **state)
{
	char line[PROBE_LINE + 1];
	struct probe p = { 0 };

	(void)state;
	memset(line, 'x', sizeof(line));
	memcpy(line, "x\tok\t1\t", 7);
	line[sizeof(line) - 1] = '\t';
	assert_false(
	    probe_line_read(a, (struct str){ line, sizeof(line) }, &p));
}

/* Any contents come back as one readable line. */
static void
there_and_back(void **state)
{
	static const char *const texts[] = { "plain", "tab\there", "line\nend",
		"\x1b]0;owned\x07", "\xff\xfe", "\xC3\xA4\xE2\x82\xAC",
		"\xC2\x9b"
		"31m" };
	char long_text[3000];
	struct probe in = { .what = S("imap.login"), .ms = 77 }, out;
	struct str line, head, rest;

	(void)state;
	memset(long_text, 'y', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	for (size_t i = 0; i <= sizeof(texts) / sizeof(texts[0]); i++) {
		const char *t =
		    i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : long_text;

		in.say = in.next = in.detail = str_of(t);
		line = probe_line_put(a, &in);
		assert_true(str_cut(line, '\n', &head, &rest));
		assert_int_equal(rest.n, 0);
		assert_true(probe_line_read(a, head, &out));
		assert_int_equal(out.ms, 77);
		assert_false(out.ok);
		rows_same(out.what, in.what);
		rows_same(out.say, out.detail);
		if (i == 0 || i == 5)
			rows_same(out.say, in.say);
	}
}

int
main(void)
{
	int r;

	a = arena_open(LIMIT_ARENA);
	ROWS(rows, row);
	rows_add("a line that is too long", too_long, NULL);
	rows_add("what is written can be read", there_and_back, NULL);
	r = cmocka_run_group_tests_name("source/probe_line", rows_tests, NULL,
	    NULL);
	arena_close(&a);
	return r;
}
