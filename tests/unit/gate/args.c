/* SPDX-License-Identifier: Apache-2.0 */
/* What each type of argument accepts and refuses; all doors share it. */
#include "../rows.h"

#include "base/limits.h"
#include "gate/args.h"

static const struct arg_spec table[] = {
	{ "account", ARG_ACCOUNT, 0, "", .def = NULL },
	{ "folder", ARG_FOLDER, 0, "", .def = "INBOX" },
	{ "box", ARG_FOLDER, ARG_BOX, "", .def = "inbox" },
	{ "uid", ARG_UID, 0, "", .def = NULL },
	{ "uids", ARG_UIDS, ARG_MANY, "", .def = NULL },
	{ "limit", ARG_COUNT, 0, "", .min = 1, .max = 500, .def = NULL },
	{ "port", ARG_COUNT, 0, "", .min = 0, .max = UINT32_MAX, .def = NULL },
	{ "since", ARG_DATE, 0, "", .def = NULL },
	{ "mode", ARG_CHOICE, 0, "", .choices = "RO|RW", .def = NULL },
	{ "to", ARG_ADDRESS, ARG_MANY, "", .def = NULL },
	{ "subject", ARG_TEXT, 0, "", .def = NULL },
	{ "body", ARG_LONG_TEXT, 0, "", .def = NULL },
	{ "attach", ARG_PATH, ARG_MANY, "", .def = NULL },
	{ "reply_to", ARG_UID, 0, "", .def = NULL },
	{ "new", ARG_FLAG, 0, "", .def = NULL },
	{ 0 },
};

/* One value for one argument: the result, or the error. */
static const struct value {
	const char *why;
	const char *name;
	struct str text;
	const char *want; /* "usage: ..." if refused */
} values[] = {
	{ "a uid", "uid", SI("7"), "7" },
	{ "the highest uid", "uid", SI("4294967295"), "4294967295" },
	{ "leading zeros say nothing", "uid", SI("007"), "7" },
	{ "zero is no uid", "uid", SI("0"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "one too high", "uid", SI("4294967296"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "beyond 64 bits", "uid", SI("18446744073709551617"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "a sign is no digit", "uid", SI("+7"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "a minus is none either", "uid", SI("-1"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "space before", "uid", SI(" 7"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "space behind", "uid", SI("7 "),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "hexadecimal", "uid", SI("0x7"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "the star is not for agents", "uid", SI("*"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "an empty uid", "uid", SI(""), "usage: uid is empty" },
	{ "one uid is one", "uid", SI("7,8"), "usage: uid takes a single uid" },
	{ "a range of one is one", "uid", SI("7:7"), "7" },
	{ "twice the same is one", "uid", SI("7,7"), "7" },
	{ "a line end ends nothing", "uid", SI("7\n"),
	    "usage: uid: a uid is a number from 1 to 4294967295" },
	{ "NUL ends nothing", "uid", { "7\0", 2 },
	    "usage: uid contains a NUL byte" },

	{ "uids in order, once each", "uids", SI("9,2:4,3,11"), "2,3,4,9,11" },
	{ "the top range does not run over", "uids",
	    SI("4294967294:4294967295"), "4294967294,4294967295" },
	{ "a range goes upward", "uids", SI("9:5"),
	    "usage: uids: write a range from low to high, such as 5:9" },
	{ "half a range", "uids", SI("5:"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "the other half", "uids", SI(":5"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "a range of three", "uids", SI("1:2:3"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "an empty item", "uids", SI("1,,2"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "a comma at the end", "uids", SI("1,"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "an open range", "uids", SI("5:*"),
	    "usage: uids: a uid is a number from 1 to 4294967295" },
	{ "one uid too many", "uids", SI("1:10001"),
	    "limit: uids: at most 10000 uids per call" },
	{ "all there are", "uids", SI("1:4294967295"),
	    "limit: uids: at most 10000 uids per call" },
	{ "too many in two parts", "uids", SI("1:10000,20000"),
	    "limit: uids: at most 10000 uids per call" },

	{ "the least", "limit", SI("1"), "1" },
	{ "the most", "limit", SI("500"), "500" },
	{ "less than the least", "limit", SI("0"),
	    "usage: limit is a number from 1 to 500" },
	{ "more than the most", "limit", SI("501"),
	    "usage: limit is a number from 1 to 500" },
	{ "a fraction", "limit", SI("1.5"),
	    "usage: limit is a number from 1 to 500" },
	{ "an empty number", "limit", SI(""), "usage: limit is empty" },
	{ "nought where it may be", "port", SI("0"), "0" },
	{ "all 32 bits", "port", SI("4294967295"), "4294967295" },
	{ "33 bits", "port", SI("4294967296"),
	    "usage: port is a number from 0 to 4294967295" },

	{ "a day", "since", SI("2026-06-21"), "1782000000" },
	{ "a moment", "since", SI("2026-06-21T10:00:00+02:00"), "1782028800" },
	{ "a day that never was", "since", SI("2026-02-29"),
	    "usage: since takes a date, such as 2026-06-21 or "
	    "2026-06-21T10:00:00Z" },
	{ "a day the other way", "since", SI("21.06.2026"),
	    "usage: since takes a date, such as 2026-06-21 or "
	    "2026-06-21T10:00:00Z" },
	{ "a word for a day", "since", SI("yesterday"),
	    "usage: since takes a date, such as 2026-06-21 or "
	    "2026-06-21T10:00:00Z" },
	{ "something behind the day", "since", SI("2026-06-21 x"),
	    "usage: since takes a date, such as 2026-06-21 or "
	    "2026-06-21T10:00:00Z" },
	{ "an empty day", "since", SI(""), "usage: since is empty" },

	{ "a choice", "mode", SI("RW"), "RW" },
	{ "case counts in a choice", "mode", SI("rw"),
	    "usage: mode is one of RO|RW" },
	{ "part of a choice", "mode", SI("R"), "usage: mode is one of RO|RW" },
	{ "two choices", "mode", SI("RO|RW"), "usage: mode is one of RO|RW" },
	{ "an empty choice", "mode", SI(""), "usage: mode is empty" },

	{ "a folder in UTF-8", "folder", SI("Entw\xc3\xbcrfe"),
	    "Entw\xc3\xbcrfe" },
	{ "an empty folder", "folder", SI(""), "usage: folder is empty" },
	{ "the inbox has one name", "folder", SI("inBox"), "INBOX" },
	{ "and what begins like it another", "folder", SI("inbox/a"),
	    "inbox/a" },
	{ "a box keeps its own", "box", SI("inbox"), "inbox" },
	{ "a folder with NUL", "folder", { "a\0b", 3 },
	    "usage: folder contains a NUL byte" },
	{ "an empty account", "account", SI(""), "usage: account is empty" },
	{ "an empty address", "to", SI(""), "usage: to is empty" },
	{ "an empty path", "attach", SI(""), "usage: attach is empty" },
	{ "a path with NUL", "attach", { "/etc/passwd\0.txt", 16 },
	    "usage: attach contains a NUL byte" },
	{ "an empty subject is one", "subject", SI(""), "" },
	{ "an empty body is one", "body", SI(""), "" },
	{ "a body with NUL", "body", { "x\0", 2 },
	    "usage: body contains a NUL byte" },
	{ "lines in a body", "body", SI("a\nb"), "a\nb" },
};

static struct str
show(struct arena *a, const struct arg *arg)
{
	struct str out = S("");

	if (arg->spec->type == ARG_COUNT)
		return str_fmt(a, "%u", arg->count);
	if (arg->spec->type == ARG_DATE)
		return str_fmt(a, "%lld", (long long)arg->date_s);
	if (arg->spec->type != ARG_UID && arg->spec->type != ARG_UIDS)
		return arg->text.v[0];
	for (size_t i = 0; i < arg->uids; i++)
		out = str_fmt(a, "%.*s%s%u", STR_ARG(out), i > 0 ? "," : "",
		    arg->uid[i]);
	return out;
}

static void
one_value(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct value *v = *state;
	struct err e = { 0 };
	struct args args;
	struct arg *arg;
	struct str got;

	args_init(&args, table, a);
	arg = args_find(&args, str_of(v->name));
	assert_non_null(arg);
	if (args_add(&args, a, arg, v->text, &e) < 0 ||
	    args_check(&args, a, &e) < 0)
		got = str_fmt(a, "%s: %s", err_code(e.kind), e.say);
	else
		got = show(a, arg);
	rows_same(got, str_of(v->want));
}

static void
names_are_spelt_both_ways(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const char *const unknown[] = { "", "reply", "reply-to-",
		"reply to", "Reply-To", "reply--to", "-reply-to" };
	struct args args;

	(void)state;
	args_init(&args, table, a);
	assert_non_null(args_find(&args, S("reply_to")));
	assert_ptr_equal(args_find(&args, S("reply-to")),
	    args_find(&args, S("reply_to")));
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_null(args_find(&args, str_of(unknown[i])));
	assert_null(args_find(&args, (struct str){ "new\0", 4 }));
}

static void
a_second_value_is_refused_where_one_is_taken(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const char *const once[] = { "account", "uid", "limit", "since",
		"mode", "subject", "new" };
	struct err e = { 0 };
	struct args args;

	(void)state;
	args_init(&args, table, a);
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++) {
		struct arg *arg = args_find(&args, str_of(once[i]));

		assert_int_equal(args_add(&args, a, arg, S("RO"), &e), 0);
		assert_int_equal(args_add(&args, a, arg, S("RO"), &e), -1);
		assert_int_equal(e.kind, ERR_USAGE);
		assert_non_null(strstr(e.say, "given twice"));
	}
}

static void
many_values_have_an_end(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct err e = { 0 };
	struct args args;
	struct arg *to;

	(void)state;
	args_init(&args, table, a);
	to = args_find(&args, S("to"));
	for (size_t i = 0; i < LIMIT_UIDS; i++)
		assert_int_equal(args_add(&args, a, to, S("a@b"), &e), 0);
	assert_int_equal(args_add(&args, a, to, S("a@b"), &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_int_equal(args_list(&args, "to")->n, LIMIT_UIDS);
}

static void
a_value_has_an_end(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	char *big = arena_alloc(a, LIMIT_ARGV + 1);
	struct err e = { 0 };
	struct args args;

	(void)state;
	memset(big, 'x', LIMIT_ARGV + 1);
	args_init(&args, table, a);
	assert_int_equal(args_add(&args, a, args_find(&args, S("subject")),
			     (struct str){ big, LIMIT_ARGV }, &e),
	    0);
	assert_int_equal(args_add(&args, a, args_find(&args, S("body")),
			     (struct str){ big, LIMIT_ARGV + 1 }, &e),
	    -1);
	assert_int_equal(e.kind, ERR_USAGE);

	args_init(&args, table, a);
	assert_int_equal(args_add(&args, a, args_find(&args, S("folder")),
			     (struct str){ big, LIMIT_FOLDER_NAME + 1 }, &e),
	    0);
	assert_int_equal(args_check(&args, a, &e), -1);
	assert_string_equal(e.say, "folder is too long");
}

static void
what_is_required_must_be_there(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const struct arg_spec must[] = {
		{ "account", ARG_ACCOUNT, ARG_REQUIRED, "", .def = NULL },
		{ "new", ARG_FLAG, 0, "", .def = NULL },
		{ 0 },
	};
	struct err e = { 0 };
	struct args args;

	(void)state;
	args_init(&args, must, a);
	assert_int_equal(args_check(&args, a, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_string_equal(e.say, "account is missing");
	assert_int_equal(args_add(&args, a, &args.v[0], S("work"), &e), 0);
	assert_int_equal(args_check(&args, a, &e), 0);
}

static void
what_is_not_given_reads_as_its_default(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct err e = { 0 };
	struct args args;

	(void)state;
	args_init(&args, table, a);
	assert_int_equal(args_check(&args, a, &e), 0);
	assert_false(args_has(&args, "uid"));
	rows_same(args_text(&args, "folder"), S("INBOX"));
	rows_same(args_text(&args, "subject"), S(""));
	assert_int_equal(args_count(&args, "limit", 50), 50);
	assert_int_equal(args_uid(&args, "uid"), 0);
	assert_int_equal(args_date(&args, "since"), 0);
	assert_int_equal(args_list(&args, "to")->n, 0);
}

static void
ask_for_no_such_row(void)
{
	struct arena *a = arena_open(1 << 20);
	struct args args;

	args_init(&args, table, a);
	(void)args_text(&args, "no_such_row");
}

static void
a_row_that_is_not_in_the_table_is_a_bug(void **state)
{
	(void)state;
	assert_true(rows_aborts(ask_for_no_such_row));
}

/* Whatever was in its memory before: a caller's files are another matter. */
static void
a_new_set_is_this_process_s(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct args args;

	(void)state;
	memset(&args, 0xa5, sizeof(args));
	args_init(&args, args_none, a);
	assert_null(args.files);
	assert_int_equal(args.n, 0);
}

int
main(void)
{
	ROWS(values, one_value);
	rows_add("a new set is this process's", a_new_set_is_this_process_s,
	    NULL);
	rows_add("names are spelt both ways", names_are_spelt_both_ways, NULL);
	rows_add("a second value is refused where one is taken",
	    a_second_value_is_refused_where_one_is_taken, NULL);
	rows_add("many values have an end", many_values_have_an_end, NULL);
	rows_add("a value has an end", a_value_has_an_end, NULL);
	rows_add("what is required must be there",
	    what_is_required_must_be_there, NULL);
	rows_add("what is not given reads as its default",
	    what_is_not_given_reads_as_its_default, NULL);
	rows_add("a row that is not in the table is a bug",
	    a_row_that_is_not_in_the_table_is_a_bug, NULL);
	return _cmocka_run_group_tests("gate/args", rows_tests, rows_n, NULL,
	    NULL);
}
