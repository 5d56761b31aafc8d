/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was read, written again: for files of other programs' of which we know
 * some members and keep all.
 */
#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"

#define INDENT 2

struct copy_level {
	const struct json_value *v; /* an object or an array */
	struct str *keys;           /* of an object, sorted */
	size_t n, at;
};

static int
copy_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static struct copy_level
copy_open(struct json *j, struct arena *a, const char *key,
    const struct json_value *v)
{
	struct copy_level l = { .v = v, .n = json_parse_count(v) };
	struct str name = { 0 };

	if (!json_parse_is_object(v)) {
		json_open_array(j, key);
		return l;
	}
	json_open_object(j, key);
	l.keys = arena_array(a, l.n, sizeof(*l.keys));
	for (size_t i = 0; i < l.n; i++) {
		(void)json_parse_next(v, &name);
		l.keys[i] = name;
	}
	if (l.n > 1)
		qsort(l.keys, l.n, sizeof(*l.keys), copy_compare);
	return l;
}

static void
copy_scalar(struct json *j, const char *key, const struct json_value *v)
{
	struct str s;
	int64_t n;
	double x;
	bool b;

	if (json_parse_str(v, &s))
		json_put_str(j, key, s);
	else if (json_parse_int(v, &n))
		json_put_int(j, key, n);
	else if (json_parse_real(v, &x))
		json_put_real(j, key, x);
	else if (json_parse_bool(v, &b))
		json_put_bool(j, key, b);
	else
		json_put_null(j, key);
}

void
json_copy_put(struct json *j, const char *key, const struct json_value *v)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct copy_level *level = NULL, *l;
	size_t depth = 0, room = 0;

	for (;;) {
		if (json_parse_is_object(v) || json_parse_is_array(v)) {
			if (depth == room) {
				level =
				    arena_grow(a, level, room * sizeof(*level),
					(room + 16) * sizeof(*level));
				room += 16;
			}
			level[depth++] = copy_open(j, a, key, v);
		} else {
			copy_scalar(j, key, v);
		}
		while (depth > 0 && level[depth - 1].at == level[depth - 1].n)
			if (level[--depth].keys != NULL)
				json_close_object(j);
			else
				json_close_array(j);
		if (depth == 0)
			return;
		l = &level[depth - 1];
		key = l->keys != NULL ? l->keys[l->at].p : NULL;
		v = key != NULL ? json_parse_member(l->v, key)
				: json_parse_item(l->v, l->at);
		l->at++;
	}
}

/* A character of a string; what is not ASCII as RFC 8259, section 7 has it. */
static void
copy_char(struct buf *b, uint32_t c)
{
	if (c < 0x80)
		buf_char(b, (char)c);
	else if (c < 0x10000)
		buf_fmt(b, "\\u%04" PRIx32, c);
	else
		buf_fmt(b, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xD7C0 + (c >> 10),
		    0xDC00 + (c & 0x3FF));
}

static void
copy_break(struct buf *b, size_t depth)
{
	buf_char(b, '\n');
	for (size_t i = 0; i < depth * INDENT; i++)
		buf_char(b, ' ');
}

/* Puts the string at s.p[i]; what follows it. */
static size_t
copy_string(struct buf *b, struct str s, size_t i)
{
	bool ok;

	buf_char(b, s.p[i++]);
	while (s.p[i] != '"') {
		if (s.p[i] == '\\') {
			buf_add(b, s.p + i, 2);
			i += 2;
		} else {
			copy_char(b, utf8_next(s, &i, &ok));
		}
	}
	buf_char(b, '"');
	return i + 1;
}

/* Compact JSON of ours with line ends and blanks. */
static void
copy_indent(struct buf *b, struct str s)
{
	size_t depth = 0, i = 0;
	char c;

	while (i < s.n) {
		c = s.p[i];
		if (c == '"') {
			i = copy_string(b, s, i);
			continue;
		}
		i++;
		if (c == '}' || c == ']')
			copy_break(b, --depth);
		buf_char(b, c);
		if (c == ':')
			buf_char(b, ' ');
		else if (c == ',')
			copy_break(b, depth);
		else if ((c == '{' || c == '[') &&
		    (s.p[i] == '}' || s.p[i] == ']'))
			buf_char(b, s.p[i++]);
		else if (c == '{' || c == '[')
			copy_break(b, ++depth);
	}
}

struct str
json_copy_text(struct arena *a, const struct json_value *v)
{
	struct json *j = json_new(a);
	struct buf b;

	json_copy_put(j, NULL, v);
	buf_init(&b, a, LIMIT_ARENA);
	copy_indent(&b, json_text(j, a));
	buf_char(&b, '\n');
	return buf_view(&b);
}
