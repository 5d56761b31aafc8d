/* SPDX-License-Identifier: Apache-2.0 */
/* Requests changed in one place, and unchanged in every other byte. */
#include "../rows.h"

#include "door/skills/internal.h"

static const struct found {
	const char *why, *text, *value; /* of "tools"; NULL: none */
} founds[] = {
	{ "alone", "{\"tools\":[]}", "[]" },
	{ "behind others", "{\"a\":{\"tools\":1},\"tools\":[ 1 ]}", "[ 1 ]" },
	{ "before others", "{ \"tools\" : [{}] , \"a\":1}", "[{}]" },
	{ "not inside", "{\"a\":[{\"tools\":[]}]}", NULL },
	{ "not in a text", "{\"a\":\"\\\"tools\\\":[]\"}", NULL },
	{ "a text that ends in a backslash", "{\"a\":\"\\\\\",\"tools\":2}",
	    "2" },
	{ "a text of brackets", "{\"a\":\"}]\",\"b\":[\"]\"],\"tools\":3}",
	    "3" },
	{ "spelt with escapes", "{\"t\\u006fols\":[4]}", "[4]" },
	{ "a longer name", "{\"tools2\":1,\"atools\":2}", NULL },
	{ "an empty object", "{}", NULL },
	{ "null", "{\"tools\":null}", "null" },
	{ "a number at the end", "{\"tools\":-1.5e3}", "-1.5e3" },
};

static void
find(void **state)
{
	const struct found *r = *state;
	struct str value = { 0 };

	assert_int_equal(span_member(str_of(r->text), "tools", &value),
	    r->value != NULL);
	rows_same(value, str_of(r->value));
}

static const struct change {
	const char *why, *text, *append, *member, *want;
} changes[] = {
	{ "into an empty array", "{\"tools\":[ ]}", "7", NULL,
	    "{\"tools\":[7 ]}" },
	{ "behind the last", "{ \"tools\":[1, {\"a\":[2]} ],\"x\":1.10}\n",
	    "7,8", NULL, "{ \"tools\":[1, {\"a\":[2]},7,8 ],\"x\":1.10}\n" },
	{ "a first member", " {\n} ", NULL, "\"a\":1", " {\"a\":1\n} " },
	{ "a last member", "{\"b\": \"}\" \n}\n", NULL, "\"a\":1",
	    "{\"b\": \"}\",\"a\":1 \n}\n" },
	{ "both", "{\"tools\":[1]}", "2", "\"a\":1",
	    "{\"tools\":[1,2],\"a\":1}" },
};

static void
change(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct change *r = *state;
	struct str text = str_of(r->text), array;
	static const struct str kept[] = { SI("1"), SI("{\"a\":[2]}") };
	struct splice v[2];
	struct buf b;
	size_t n = 0;

	/* In any order. */
	if (r->member != NULL)
		v[n++] = splice_member(text, str_of(r->member), a);
	if (r->append != NULL) {
		assert_true(span_member(span_root(text), "tools", &array));
		v[n++] = splice_list(text, array, kept, str_of(r->append), a);
	}
	buf_init(&b, a, 1 << 16);
	splice_apply(&b, text, v, n);
	rows_same(buf_view(&b), str_of(r->want));
}

/* "1", "2", "3" are kept, "-" is removed; text after a colon is inserted. */
static const struct list {
	const char *why, *array, *with, *items, *want;
} lists[] = {
	{ "nothing to do", "[ 1 ,2,\n3 ]", "123", "", "[ 1 ,2,\n3 ]" },
	{ "none is there", "[ ]", "", "7", "[7 ]" },
	{ "the first goes", "[ 1 , 2,3]", "-23", "", "[ 2,3]" },
	{ "one in between goes", "[1, 2 ,\t3]", "1-3", "", "[1 ,\t3]" },
	{ "the last goes", "[1, 2 , 3 ]", "12-", "", "[1, 2 ]" },
	{ "all go", "[ 1, 2, 3 ]", "---", "", "[ ]" },
	{ "all go and one comes", "[ 1, 2, 3 ]", "---", "7", "[7 ]" },
	{ "one goes and one comes", "[1,2,3\n]", "1-3", "7", "[1,3,7\n]" },
	{ "one is another", "[1,2,3]", "1x3", "", "[1,x,3]" },
};

static void
list(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct list *r = *state;
	struct str with[3] = { 0 };
	struct splice s;

	for (size_t i = 0; r->with[i] != '\0'; i++)
		if (r->with[i] != '-')
			with[i] = (struct str){ &r->with[i], 1 };
	s = splice_list(str_of(r->array), str_of(r->array), with,
	    str_of(r->items), a);
	rows_same(s.with, str_of(r->want));
}

static void
elements(void **state)
{
	static const char *const want[] = { "1", "\"],\"", "{\"a\":[1,2]}",
		"[]" };
	struct str array = S("[ 1,\"],\" , {\"a\":[1,2]},[] ]"), one;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_true(span_next(array, &at, &one));
		rows_same(one, str_of(want[i]));
	}
	assert_false(span_next(array, &at, &one));
	at = 0;
	assert_false(span_next(S("[ ]"), &at, &one));
}

int
main(void)
{
	ROWS(founds, find);
	ROWS(changes, change);
	ROWS(lists, list);
	rows_add("elements of an array", elements, NULL);
	return cmocka_run_group_tests_name("splice", rows_tests, NULL, NULL);
}
