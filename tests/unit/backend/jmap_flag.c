/* SPDX-License-Identifier: Apache-2.0 */
/* Flags of Email objects, the folder that is told, and paths in patches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/row.h"

static const struct {
	const char *json;
	unsigned want;
} flags[] = {
	{ "{\"keywords\":{\"$seen\":true}}", FLAG_READ },
	{ "{\"keywords\":{\"$seen\":true,\"$answered\":true,\"x\":true}}",
	    FLAG_READ | FLAG_ANSWERED },
	/* Not standard, and so not set. */
	{ "{\"keywords\":{\"$seen\":false,\"$answered\":1}}", 0 },
	{ "{\"keywords\":[\"$seen\"]}", 0 },
	{ "{\"keywords\":null}", 0 },
	{ "{}", 0 },
};

static void
only_what_is_true_is_a_flag(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct json_doc *d = NULL;
		struct err e = { 0 };

		assert_int_equal(json_parse_open(str_of(flags[i].json), 1 << 16,
				     &d, &e),
		    0);
		assert_int_equal(jmap_flag_read(json_parse_root(d)),
		    flags[i].want);
		json_parse_close(&d);
	}
}

/* Keywords of the registry, and what is no keyword, are no labels. */
static void
other_keywords_are_labels(void **state)
{
	struct arena *a = arena_open(1 << 16);
	struct json_doc *d = NULL;
	struct strs got = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(json_parse_open(S("{\"keywords\":{\"$seen\":true,"
					   "\"todo\":true,\"no\":false,"
					   "\"$junk\":true,\"a b\":true,"
					   "\"a/b\":true}}"),
			     1 << 16, &d, &e),
	    0);
	jmap_flag_read_labels(a, json_parse_root(d), &got);
	assert_int_equal(got.n, 2);
	assert_true(str_among(&got, S("todo")));
	assert_true(str_among(&got, S("a/b")));
	json_parse_close(&d);
	arena_close(&a);
}

static struct jmap_box boxes[] = {
	{ .id = SI("h"), .path = SI(""), .may_read = true },
	{ .id = SI("n"), .path = SI("no"), .may_read = false },
	{ .id = SI("a"),
	    .path = SI("Archive"),
	    .may_read = true,
	    .role = FOLDER_ARCHIVE },
	{ .id = SI("i"),
	    .path = SI("INBOX"),
	    .may_read = true,
	    .role = FOLDER_INBOX },
	{ .id = SI("s"),
	    .path = SI("Sent"),
	    .may_read = true,
	    .role = FOLDER_SENT },
};

static const struct {
	const char *in; /* ids of one letter */
	const char *want;
	bool archived;
} places[] = {
	{ "i", "INBOX", false },
	{ "si", "INBOX", false },
	{ "ai", "INBOX", true },
	{ "sa", "Archive", true },
	{ "hs", "Sent", false },
	{ "hn", NULL, false },
	{ "?", NULL, false },
	{ "", NULL, false },
};

static void
a_message_in_several_folders_is_in_one(void **state)
{
	struct jmap j = { .boxes = { boxes, 5 }, .boxes_known = true };

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct arena *a = arena_open(1 << 16);
		struct jmap_mail m = { 0 };
		const struct jmap_box *at;

		for (const char *c = places[i].in; *c != '\0'; c++)
			str_push(a, &m.boxes, (struct str){ c, 1 });
		at = jmap_flag_place(&j, &m.boxes);
		jmap_flag_add_boxes(&j, &m);
		if (places[i].want == NULL)
			assert_null(at);
		else
			assert_string_equal(str_c(a, at->path), places[i].want);
		assert_int_equal((m.row.flags & FLAG_ARCHIVED) != 0,
		    places[i].archived);
		arena_close(&a);
	}
}

/* RFC 6901 section 3: an id must not become two steps of a path. */
static void
paths_are_escaped(void **state)
{
	static const char *const rows[][2] = {
		{ "b1", "mailboxIds/b1" },
		{ "a/b", "mailboxIds/a~1b" },
		{ "~1", "mailboxIds/~01" },
		{ "~/~", "mailboxIds/~0~1~0" },
	};
	struct arena *a = arena_open(1 << 16);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(jmap_change_path(a, "mailboxIds",
					str_of(rows[i][0])),
		    rows[i][1]);
	arena_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_true_is_a_flag),
		cmocka_unit_test(other_keywords_are_labels),
		cmocka_unit_test(a_message_in_several_folders_is_in_one),
		cmocka_unit_test(paths_are_escaped),
	};

	return cmocka_run_group_tests_name("backend/jmap_flag", tests, NULL,
	    NULL);
}
