/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: YAML that another program or a person wrote. */
#include "check.h"

#include "base/limits.h"
#include "base/yaml.h"

/* Puts what was read, by its types; what is neither is a bug. */
static size_t
put_value(struct yaml_put *y, const char *key, const struct json_value *v)
{
	const struct json_value *one;
	struct str s = { 0 };
	size_t nodes = 1;
	int64_t n;
	bool b;

	if (json_parse_is_object(v)) {
		yaml_put_map(y, key);
		while ((one = json_parse_next(v, &s)) != NULL)
			nodes += 1 + put_value(y, s.p, one);
		yaml_put_end(y);
	} else if (json_parse_is_array(v)) {
		yaml_put_list(y, key);
		for (size_t i = 0; i < json_parse_count(v); i++)
			nodes += put_value(y, NULL, json_parse_item(v, i));
		yaml_put_end(y);
	} else if (json_parse_str(v, &s)) {
		yaml_put_str(y, key, s);
	} else if (json_parse_int(v, &n)) {
		yaml_put_int(y, key, n);
	} else if (json_parse_bool(v, &b)) {
		yaml_put_bool(y, key, b);
	} else {
		check(json_parse_is_null(v), "a type");
		yaml_put_null(y, key);
	}
	return nodes;
}

/* How deep it is nested; an object for a number counts as none. */
static size_t
depth_of(const struct json_value *v)
{
	const struct json_value *one;
	struct str s = { 0 };
	size_t deepest = 0, n;

	if (!json_parse_is_object(v) && !json_parse_is_array(v))
		return 0;
	for (size_t i = 0; i < json_parse_count(v); i++) {
		one = json_parse_is_array(v) ? json_parse_item(v, i)
					     : json_parse_next(v, &s);
		n = depth_of(one);
		deepest = n > deepest ? n : deepest;
	}
	return deepest + 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(json_parse_close) struct json_doc *d = NULL, *back = NULL;
	struct str text = { (const char *)data, size };
	struct err e = { 0 };
	struct buf b;

	if (yaml_read(text, 1UL << 20, &d, &e) < 0) {
		check(e.kind == ERR_USAGE || e.kind == ERR_LIMIT, "a reason");
		check(e.say[0] != '\0', "an error says something");
		return 0;
	}
	check(depth_of(json_parse_root(d)) <= LIMIT_YAML_DEPTH + 1, "depth");
	/* A time or a real number is one object deeper than it was. */
	if (depth_of(json_parse_root(d)) > LIMIT_YAML_DEPTH)
		return 0;
	buf_init(&b, a, LIMIT_ARENA / 4);
	if (put_value(yaml_put_new(a, &b), NULL, json_parse_root(d)) >
	    LIMIT_YAML_NODES)
		return 0;
	check(!b.over, "it fits");
	check(yaml_read(buf_view(&b), LIMIT_ARENA, &back, &e) == 0,
	    "what is written is read");
	check(json_parse_equal(json_parse_root(d), json_parse_root(back)),
	    "and is the same");
	return 0;
}
