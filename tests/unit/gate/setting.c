/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of an account: each row alone, and all of them together. */
#include "../store/fixture.h"

#include "gate/setting.h"

static const struct setting *
row_of(const char *name)
{
	for (int i = 0; i < SETTINGS; i++)
		if (strcmp(account_setting[i].name, name) == 0)
			return &account_setting[i];
	fail_msg("there is no setting %s", name);
	return NULL;
}

/* A valid value of that type that differs from a new account's. */
static struct str
value_of(struct arena *a, const struct setting *s)
{
	struct str word, rest;

	if (s->choices != NULL && s->type != SETTING_BACKEND) {
		(void)str_cut(str_of(s->choices), '|', &word, &rest);
		return s->def != NULL && str_eq(word, str_of(s->def)) ? rest
								      : word;
	}
	if (s->type >= SETTING_PORT)
		return str_fmt(a, "%d", 17);
	if (s->type == SETTING_ADDRESS)
		return S("dev@lists.example");
	return S("");
}

static void
what_is_put_is_told(void **state)
{
	struct fx *x = *state;

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct store_account v = setting_new(S("work"));
		struct str want = value_of(x->a, s);
		struct str rest;

		if (want.n == 0)
			continue;
		/* The first of the other choices. */
		(void)str_cut(want, '|', &want, &rest);
		assert_ok(x, setting_put(x->a, s, want, &v, &x->e));
		if (!str_eq(setting_text(x->a, s, &v), want))
			fail_msg("%s", s->name);
	}
}

/* Each row's default is a new account's value. */
static void
a_new_account_has_the_defaults(void **state)
{
	struct fx *x = *state;
	struct store_account v = setting_new(S("work"));
	uint32_t n;

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct str is = setting_text(x->a, s, &v);
		struct str def = str_of(s->def);

		if (s->type == SETTING_SECURITY || s->type == SETTING_FLAG)
			continue;
		/* A number that is none is shown as nothing. */
		if (s->type >= SETTING_PORT &&
		    (!str_to_u32(def, UINT32_MAX, &n) || n == 0))
			def = S("");
		if (!str_eq(is, def))
			fail_msg("%s: %.*s", s->name, STR_ARG(is));
	}
	assert_int_equal(v.mode, MODE_RO);
	assert_int_equal(v.outbound, OUTBOUND_SEND);
	assert_true(v.out_on);
	assert_false(v.in_on || v.no_secrets_check || v.no_unfinished_check);
}

/* Every value of every row is read back from the store. */
static void
the_store_keeps_each(void **state)
{
	struct fx *x = *state;
	struct store_account v = setting_new(S("work")), got;

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct str want = value_of(x->a, s), rest;

		(void)str_cut(want, '|', &want, &rest);
		if (want.n > 0)
			assert_ok(x, setting_put(x->a, s, want, &v, &x->e));
	}
	assert_ok(x, store_account_add(x->s, &v, NULL, &x->e));
	assert_ok(x, store_account_get(x->s, x->a, v.name, &got, &x->e));
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];

		if (!str_eq(setting_text(x->a, s, &v),
			setting_text(x->a, s, &got)))
			fail_msg("%s", s->name);
	}
}

/* Two rows of one column, member or position would overwrite each other. */
static void
no_two_rows_share_what_is_theirs(void **state)
{
	(void)state;
	for (int i = 0; i < SETTINGS; i++) {
		for (int k = 0; k < i; k++) {
			const struct setting *s = &account_setting[i],
					     *t = &account_setting[k];

			assert_true(strcmp(s->name, t->name) != 0);
			assert_true(strcmp(s->column, t->column) != 0);
			assert_int_not_equal(s->member, t->member);
		}
	}
}

static const struct {
	const char *name, *value;
	const char *want; /* NULL: refused */
} values[] = {
	{ "imap_port", "993", "993" },
	{ "imap_port", "65536", NULL },
	{ "limit_bytes", "4294967295", "4294967295" },
	{ "limit_bytes", "4294967296", NULL },
	{ "limit_bytes", "-1", NULL },
	{ "taint", "off", "" },
	{ "taint", "10080", "10080" },
	{ "taint", "10081", NULL },
	{ "outbound", "draft", "draft" },
	{ "outbound", "Send", NULL },
	{ "mode", "", NULL },
	{ "process_backlog", "true", "on" },
	{ "whitelist_in", "true", NULL },
	{ "from", "Me@B.Example", "me@b.example" },
	{ "from", "", "" },
	{ "list", "nobody", NULL },
	{ "path", "/nowhere/at/all", NULL },
	{ "attach_dir", "/dev/null", NULL },
	{ "ca", "/", NULL },
	{ "attach_dir", "/../", "/" },
	{ "attach_dir", "/dev/:/dev/./:/", "/dev/:/" },
	{ "attach_dir", "/dev/:/dev/null/", NULL },
	{ "organise_folders", "INBOX, A b/c,INBOX", "INBOX,A b/c" },
	{ "organise_folders", "", "" },
	{ "organise_folders", "INBOX,,Old", NULL },
	{ "organise_folders", ",", NULL },
	{ "organise_folders", "a\tb", NULL },
};

static void
values_are_taken_or_refused(void **state)
{
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct setting *s = row_of(values[i].name);
		struct store_account v = setting_new(S("work"));
		struct err e = { 0 };
		int r = setting_put(x->a, s, str_of(values[i].value), &v, &e);

		if ((r == 0) != (values[i].want != NULL) ||
		    (r == 0 &&
			!str_eq(setting_text(x->a, s, &v),
			    str_of(values[i].want))))
			fail_msg("%s %s: %s", values[i].name, values[i].value,
			    e.say);
		if (r < 0 && e.kind != ERR_USAGE)
			fail_msg("%s: another kind of error", values[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("what is put is told", what_is_put_is_told),
		TEST("a new account has the defaults",
		    a_new_account_has_the_defaults),
		TEST("the store keeps each", the_store_keeps_each),
		TEST("no two rows share what is theirs",
		    no_two_rows_share_what_is_theirs),
		TEST("values are taken or refused",
		    values_are_taken_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
