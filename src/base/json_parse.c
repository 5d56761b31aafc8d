/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/secret.h"

/* A value is jansson's; only this file knows that. */
struct json_doc {
	json_t *root;
};

static const json_t *
json_parse_inner(const struct json_value *v)
{
	return (const json_t *)(const void *)v;
}

static const struct json_value *
json_parse_ours(const json_t *v)
{
	return (const struct json_value *)(const void *)v;
}

/*
 * jansson recurses to 2048 levels; emcli refuses far earlier, before it runs.
 */
static bool
json_parse_is_too_deep(struct str s, size_t max)
{
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			if (++depth > max)
				return true;
		} else if ((c == '}' || c == ']') && depth > 0) {
			depth--;
		}
	}
	return false;
}

int
json_parse_open(struct str text, size_t max, struct json_doc **out,
    struct err *e)
{
	return json_parse_deep(text, max, LIMIT_JSON_DEPTH, out, e);
}

int
json_parse_deep(struct str text, size_t max, size_t depth,
    struct json_doc **out, struct err *e)
{
	struct json_doc *d;
	json_error_t je;
	const char *near;
	json_t *root;

	if (text.n > max)
		return err_set(e, ERR_LIMIT,
		    "the JSON is longer than %zu bytes", max);
	if (depth > 1000)
		err_bug("json: a depth of %zu", depth);
	if (json_parse_is_too_deep(text, depth))
		return err_set(e, ERR_LIMIT,
		    "the JSON is nested deeper than %zu levels", depth);
	json_set_alloc_funcs(malloc, secret_free);
	root = json_loadb(text.n > 0 ? text.p : "", text.n,
	    JSON_REJECT_DUPLICATES, &je);
	if (root == NULL) {
		if (json_error_code(&je) == json_error_out_of_memory)
			err_bug("out of memory");
		(void)err_set(e, ERR_USAGE,
		    "the JSON is not valid, at line %d, column %d", je.line,
		    je.column);
		/* After it, jansson quotes the text, or half a word of it. */
		near = strstr(je.text, " near '");
		return err_because(e, "%.*s",
		    (int)(near != NULL ? near - je.text
				       : (ptrdiff_t)strlen(je.text)),
		    je.text);
	}
	d = calloc(1, sizeof(*d));
	if (d == NULL)
		err_bug("out of memory");
	d->root = root;
	*out = d;
	return 0;
}

void
json_parse_close(struct json_doc **d)
{
	if (*d == NULL)
		return;
	json_decref((*d)->root);
	free(*d);
	*d = NULL;
}

const struct json_value *
json_parse_root(const struct json_doc *d)
{
	return json_parse_ours(d->root);
}

const struct json_value *
json_parse_member(const struct json_value *v, const char *key)
{
	return json_parse_ours(json_object_get(json_parse_inner(v), key));
}

const struct json_value *
json_parse_next(const struct json_value *v, struct str *key)
{
	/* jansson's iterators take a pointer to non-const, but do not write. */
	json_t *o = (json_t *)(uintptr_t)json_parse_inner(v);
	void *at;

	if (!json_is_object(o))
		return NULL;
	at = key->p == NULL
	    ? json_object_iter(o)
	    : json_object_iter_next(o, json_object_key_to_iter(key->p));
	if (at == NULL)
		return NULL;
	*key = str_of(json_object_iter_key(at));
	return json_parse_ours(json_object_iter_value(at));
}

const struct json_value *
json_parse_item(const struct json_value *v, size_t i)
{
	return json_parse_ours(json_array_get(json_parse_inner(v), i));
}

size_t
json_parse_count(const struct json_value *v)
{
	return json_is_object(json_parse_inner(v))
	    ? json_object_size(json_parse_inner(v))
	    : json_array_size(json_parse_inner(v));
}

bool
json_parse_equal(const struct json_value *x, const struct json_value *y)
{
	return json_equal(json_parse_inner(x), json_parse_inner(y)) == 1;
}

bool
json_parse_is_object(const struct json_value *v)
{
	return json_is_object(json_parse_inner(v));
}

bool
json_parse_is_array(const struct json_value *v)
{
	return json_is_array(json_parse_inner(v));
}

bool
json_parse_is_null(const struct json_value *v)
{
	return json_is_null(json_parse_inner(v));
}

bool
json_parse_str(const struct json_value *v, struct str *out)
{
	if (!json_is_string(json_parse_inner(v)))
		return false;
	*out = (struct str){ json_string_value(json_parse_inner(v)),
		json_string_length(json_parse_inner(v)) };
	return true;
}

bool
json_parse_int(const struct json_value *v, int64_t *out)
{
	if (!json_is_integer(json_parse_inner(v)))
		return false;
	*out = json_integer_value(json_parse_inner(v));
	return true;
}

bool
json_parse_bool(const struct json_value *v, bool *out)
{
	if (!json_is_boolean(json_parse_inner(v)))
		return false;
	*out = json_is_true(json_parse_inner(v));
	return true;
}

bool
json_parse_real(const struct json_value *v, double *out)
{
	if (!json_is_real(json_parse_inner(v)))
		return false;
	*out = json_real_value(json_parse_inner(v));
	return true;
}
