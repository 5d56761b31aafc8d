/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as a document of JSON. */
#include "base/internal.h"
#include "base/limits.h"
#include "base/yaml.h"

/* A number or time as an object, so that nobody takes it for a string. */
static void
yaml_read_put_other(struct json *out, const char *key, const char *type,
    struct str s)
{
	json_open_object(out, key);
	json_put_str(out, type, s);
	json_close_object(out);
}

static void
yaml_read_put_plain(struct json *out, const char *key, struct str s)
{
	struct yaml_scalar v = yaml_scalar_plain(s);

	switch (v.type) {
	case YAML_TYPE_STR:
	case YAML_TYPE_REFUSED:
		json_put_str(out, key, s);
		return;
	case YAML_TYPE_NULL:
		json_put_null(out, key);
		return;
	case YAML_TYPE_BOOL:
		json_put_bool(out, key, v.truth);
		return;
	case YAML_TYPE_INT:
		json_put_int(out, key, v.n);
		return;
	case YAML_TYPE_INT_WIDE:
		yaml_read_put_other(out, key, "!!int", s);
		return;
	case YAML_TYPE_FLOAT:
		yaml_read_put_other(out, key, "!!float", s);
		return;
	case YAML_TYPE_TIMESTAMP:
		yaml_read_put_other(out, key, "!!timestamp", s);
		return;
	}
}

static void
yaml_read_put(struct json *out, const struct yaml_node *x)
{
	if (x->kind == YAML_KIND_MAP)
		json_open_object(out, x->key.p);
	else if (x->kind == YAML_KIND_LIST)
		json_open_array(out, x->key.p);
	else if (x->plain)
		yaml_read_put_plain(out, x->key.p, x->text);
	else
		json_put_str(out, x->key.p, x->text);
}

static void
yaml_read_close(struct json *out, const struct yaml_node *x)
{
	if (x->kind == YAML_KIND_MAP)
		json_close_object(out);
	else
		json_close_array(out);
}

int
yaml_read(struct str text, size_t max, struct json_doc **out, struct err *e)
{
	const struct yaml_caps caps = { max, LIMIT_YAML_NODES };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct yaml_node *open[LIMIT_YAML_DEPTH];
	struct json *j = json_new(a);
	struct yaml_nodes nodes;
	size_t depth = 0;

	if (yaml_nodes(a, text, &caps, &nodes, e) < 0)
		return -1;
	for (size_t i = 0; i < nodes.n; i++) {
		yaml_read_put(j, &nodes.v[i]);
		if (nodes.v[i].kind != YAML_KIND_TEXT)
			open[depth++] = &nodes.v[i];
		while (depth > 0 && open[depth - 1]->end == i + 1)
			yaml_read_close(j, open[--depth]);
	}
	return json_parse_open(json_text(j, a), SIZE_MAX, out, e);
}
