/* SPDX-License-Identifier: Apache-2.0 */
/* The command line's syntax: what is accepted, and how the rest is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/argv.h"

enum {
	WORDS = 10,
};

static const struct arg_spec table[] = {
	{ .name = "name", .type = ARG_TEXT, .flags = ARG_POSITIONAL },
	{ .name = "entry",
	    .type = ARG_TEXT,
	    .flags = ARG_POSITIONAL | ARG_MANY },
	{ .name = "account", .type = ARG_ACCOUNT },
	{ .name = "new", .type = ARG_FLAG },
	{ .name = "uid", .type = ARG_UIDS, .flags = ARG_MANY },
	{ .name = "to", .type = ARG_ADDRESS, .flags = ARG_MANY },
	{ .name = "subject", .type = ARG_TEXT },
	{ .name = "body", .type = ARG_LONG_TEXT },
	{ .name = "reply_to", .type = ARG_UID },
	{ 0 },
};

/* The result, as "name=value" with a blank between. */
static struct str
flat(struct arena *a, const struct args *args)
{
	struct str all = S("");

	for (size_t i = 0; i < args->n; i++)
		for (size_t k = 0; k < args->v[i].text.n; k++)
			all = str_fmt(a, "%.*s%s%s=%.*s", STR_ARG(all),
			    all.n > 0 ? " " : "", args->v[i].spec->name,
			    STR_ARG(args->v[i].text.v[k]));
	return all;
}

static struct row {
	const char *why;
	const char *word[WORDS];
	const char *want; /* the whole result; NULL: refused */
	const char *say;  /* a part of the error */
} rows[] = {
	{ "nothing is read from nothing", { NULL }, "", NULL },
	{ "a value stands behind its option", { "--account", "work" },
	    "account=work", NULL },
	{ "a value stands behind an equals sign", { "--account=work" },
	    "account=work", NULL },
	{ "a value may hold an equals sign", { "--subject=a=b" }, "subject=a=b",
	    NULL },
	{ "a value may be empty", { "--subject", "" }, "subject=", NULL },
	{ "a value may be empty behind an equals sign", { "--subject=" },
	    "subject=", NULL },
	{ "a first value may begin with a dash", { "--subject", "-1 degree" },
	    "subject=-1 degree", NULL },
	{ "a first value may begin with two dashes", { "--subject", "--- a" },
	    "subject=--- a", NULL },
	{ "an option's name is no value", { "--subject", "--body", "x" }, NULL,
	    "--subject needs a value; if \"--body\" is meant, put \"=\"" },
	{ "an option's name is a value behind an equals sign",
	    { "--subject=--body" }, "subject=--body", NULL },
	{ "a word behind a flag is a positional one", { "--new", "true" },
	    "name=true new=true", NULL },
	{ "a flag has no equals sign", { "--new=1" }, NULL,
	    "--new takes no value" },
	{ "many values go up to the next option",
	    { "--to", "a@x", "b@x", "--subject", "s" },
	    "to=a@x to=b@x subject=s", NULL },
	{ "an option for many may be repeated",
	    { "--to", "a@x", "--to", "b@x" }, "to=a@x to=b@x", NULL },
	{ "an equals sign gives one value of many", { "--to=a@x", "rest" },
	    "name=rest to=a@x", NULL },
	{ "many uids are handed on as they stand", { "--uid", "1,2,5:9", "3" },
	    "uid=1,2,5:9 uid=3", NULL },
	{ "a second value for one is refused",
	    { "--account", "a", "--account", "b" }, NULL,
	    "--account is given twice" },
	{ "a repeated flag is refused", { "--new", "--new" }, NULL,
	    "--new is given twice" },
	{ "a value that is missing is told of", { "--account" }, NULL,
	    "--account needs a value" },
	{ "a beginning of a name is no name", { "--acc", "work" }, NULL,
	    "unknown option \"--acc\": did you mean --account?" },
	{ "a mistyped option is guessed", { "--subjetc", "x" }, NULL,
	    "did you mean --subject?" },
	{ "a strange option is not guessed", { "--frobnicate" }, NULL,
	    "unknown option \"--frobnicate\"" },
	{ "a refusal shows no control characters", { "--a\033[2Jb" }, NULL,
	    "\"--a?[2Jb\"" },
	{ "names have dashes on the command line", { "--reply-to", "7" },
	    "reply_to=7", NULL },
	{ "names have no underscores on the command line",
	    { "--reply_to", "7" }, NULL, "did you mean --reply-to?" },
	{ "an option's name has two dashes", { "-account", "x" }, NULL,
	    "options begin with --" },
	{ "a positional argument is no option", { "--name", "x" }, NULL,
	    "unknown option" },
	{ "words fill positional arguments in order", { "a", "b", "c" },
	    "name=a entry=b entry=c", NULL },
	{ "behind two dashes all is words", { "--", "--new", "-x" },
	    "name=--new entry=-x", NULL },
	{ "a dash alone is a word", { "-" }, "name=-", NULL },
	{ "only long texts are read from files", { "--subject-file", "x" },
	    NULL, "unknown option" },
};

static int
parse(const struct arg_spec *t, const char *const *word, struct arena *a,
    struct args *args, bool *help, struct err *e)
{
	int argc = 0;

	while (argc < WORDS && word[argc] != NULL)
		argc++;
	return argv_parse(t, argc, (char **)(uintptr_t)word, a, args, help, e);
}

static void
read_row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct args args;
	bool help;
	int res = parse(table, r->word, a, &args, &help, &e);

	assert_false(help);
	if (r->want != NULL) {
		assert_string_equal(e.say, "");
		assert_int_equal(res, 0);
		assert_string_equal(str_c(a, flat(a, &args)), r->want);
		return;
	}
	assert_int_equal(res, -1);
	if (strstr(e.say, r->say) == NULL)
		assert_string_equal(e.say, r->say);
	assert_null(strstr(e.say, "/nowhere"));
}

static void
stray_word(void **state)
{
	const char *flag[WORDS] = { "--new", "yes" };
	const char *text[WORDS] = { "--subject", "hello", "world" };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct arg_spec *no_words = &table[2];
	struct err e = { 0 };
	struct args args;
	bool help;

	(void)state;
	assert_int_equal(parse(no_words, flag, a, &args, &help, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_string_equal(e.say,
	    "unexpected word \"yes\": --new takes no value");
	assert_int_equal(parse(no_words, text, a, &args, &help, &e), -1);
	assert_string_equal(e.say,
	    "unexpected word \"world\": --subject takes one value, quoted as "
	    "one word");
}

static void
help_ends_reading(void **state)
{
	const char *word[WORDS] = { "--account", "a", "--help", "--nonsense" };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct args args;
	bool help;

	(void)state;
	assert_int_equal(parse(table, word, a, &args, &help, &e), 0);
	assert_true(help);
}

static void
help_is_a_value_behind_equals(void **state)
{
	const char *word[WORDS] = { "--subject=--help" };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	struct args args;
	bool help;

	(void)state;
	assert_int_equal(parse(table, word, a, &args, &help, &e), 0);
	assert_false(help);
}

/* The gate opens it, because there are rules about files. */
static void
file_is_noted(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const char *word[WORDS] = { "--body-file", "/etc/hostname" };
	const char *both[WORDS] = { "--body", "x", "--body-file", "y" };
	const char *plain[WORDS] = { "--body", "x" };
	struct err e = { 0 };
	struct args args;
	bool help;

	(void)state;
	assert_int_equal(parse(table, word, a, &args, &help, &e), 0);
	assert_true(args_find(&args, S("body"))->file);
	assert_true(str_eq(args_text(&args, "body"), S("/etc/hostname")));
	assert_int_equal(parse(table, both, a, &args, &help, &e), -1);
	assert_string_equal(e.say, "--body is given twice");
	assert_int_equal(parse(table, plain, a, &args, &help, &e), 0);
	assert_false(args_find(&args, S("body"))->file);
}

static void
all_words_are_capped(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	char *big = calloc(1, LIMIT_ARGV + 1);
	const char *word[WORDS] = { "--subject", big };
	struct err e = { 0 };
	struct args args;
	bool help;

	(void)state;
	assert_non_null(big);
	memset(big, 'x', LIMIT_ARGV);
	assert_int_equal(parse(table, word, a, &args, &help, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	free(big);
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 5] = {
		[N] = cmocka_unit_test(stray_word),
		cmocka_unit_test(help_ends_reading),
		cmocka_unit_test(help_is_a_value_behind_equals),
		cmocka_unit_test(file_is_noted),
		cmocka_unit_test(all_words_are_capped),
	};

	for (size_t i = 0; i < N; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = read_row;
		tests[i].initial_state = &rows[i];
	}
	return cmocka_run_group_tests_name("door/argv", tests, NULL, NULL);
}
