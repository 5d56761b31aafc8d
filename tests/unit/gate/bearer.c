/* SPDX-License-Identifier: Apache-2.0 */
/* The subject of a token as an operator copies it into a command. */
#include "../rows.h"

#include <stdlib.h>

#include "gate/bearer.h"

static const struct row {
	const char *why, *subject, *word;
} rows[] = {
	{ "an address", "agent@lab.example", "'agent@lab.example'" },
	{ "an option", "--admin", "'--admin'" },
	{ "a sentence", "a: the operator runs emcli policy frozen off",
	    "'a: the operator runs emcli policy frozen off'" },
	{ "a command", "$(reboot)`x`", "'$(reboot)`x`'" },
	{ "a quote", "a' --op send '", "'a'\\'' --op send '\\'''" },
	{ "a backslash", "a\\nb", "'a\\nb'" },
	{ "lines", "a\nemcli x", "$'a\\x0aemcli x'" },
	{ "a terminal's", "\x1b[2Ja\\'b", "$'\\x1b[2Ja\\x5c\\x27b'" },
	{ "a direction", "a\xe2\x80\xaeg", "$'a\\xe2\\x80\\xaeg'" },
	{ "a Cyrillic a", "\xd0\xb0gent", "$'\\xd0\\xb0gent'" },
};

static void
word(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;

	rows_same(gate_bearer_word(a, str_of(r->subject)), str_of(r->word));
}

/* A shell makes the subject of it again. */
static void
copied(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct str text = gate_bearer_word(a, str_of(r->subject));
	char got[512];
	FILE *f;
	size_t n;

	(void)setenv("SAY", str_fmt(a, "printf %%s %.*s", STR_ARG(text)).p, 1);
	f = popen("exec bash -c \"$SAY\"", "r");
	assert_non_null(f);
	n = fread(got, 1, sizeof(got), f);
	assert_int_equal(pclose(f), 0);
	rows_same((struct str){ got, n }, str_of(r->subject));
}

int
main(void)
{
	ROWS(rows, word);
	ROWS(rows, copied);
	return cmocka_run_group_tests_name("bearer", rows_tests, NULL, NULL);
}
