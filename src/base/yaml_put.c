/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include <inttypes.h>
#include <string.h>

#include "base/clean.h"
#include "base/internal.h"
#include "base/limits.h"
#include "base/utf8.h"

#define KEY_MAX 1000  /* bytes as written: a reader looks 1024 ahead for ":" */
#define ESCAPE_MAX 10 /* of them for one byte of a key */

struct yaml_put {
	struct arena *a;
	struct buf *b;
	struct yaml_put_level {
		bool map;
		size_t indent;
		size_t n; /* entries so far */
	} level[LIMIT_YAML_DEPTH];
	size_t depth;
	bool after_key, after_note, done;
};

struct yaml_put *
yaml_put_new(struct arena *a, struct buf *b)
{
	struct yaml_put *y = arena_new(a, struct yaml_put);

	y->a = a;
	y->b = b;
	return y;
}

/* The escapes of YAML 1.1, section 5.6, as PyYAML writes them. */
static void
yaml_put_char(struct buf *b, uint32_t c)
{
	static const char from[] = "\0\a\b\t\n\v\f\r\x1b\"\\",
			  to[] = "0abtnvfre\"\\";
	const char *at =
	    c < 0x80 ? memchr(from, (int)c, sizeof(from) - 1) : NULL;

	if (at != NULL)
		buf_fmt(b, "\\%c", to[at - from]);
	else if (c >= 0x20 && c < 0x7f)
		buf_char(b, (char)c);
	else if (c <= 0xff)
		buf_fmt(b, "\\x%02" PRIX32, c);
	else if (c <= 0xffff)
		buf_fmt(b, "\\u%04" PRIX32, c);
	else
		buf_fmt(b, "\\U%08" PRIX32, c);
}

/* If all of it is seen, only those ASCII characters are escaped that must be.
 */
static void
yaml_put_quoted(struct buf *b, struct str s, bool seen)
{
	size_t i = 0;

	buf_char(b, '"');
	while (i < s.n) {
		size_t at = i;
		bool ok;
		uint32_t c = utf8_next(s, &i, &ok);

		if (seen && c >= 0x80)
			buf_str(b, (struct str){ s.p + at, i - at });
		else
			yaml_put_char(b, c);
	}
	buf_char(b, '"');
}

/* Does it begin with one of these, and is the rest of these or of those? */
static bool
yaml_put_is_of(struct str s, struct str begins, struct str more)
{
	if (s.n == 0 || !str_has_char(begins, s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (!str_has_char(begins, s.p[i]) &&
		    !str_has_char(more, s.p[i]))
			return false;
	return true;
}

static bool
yaml_put_key_is_word(struct str key)
{
	static const char first[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

	return key.n <= KEY_MAX &&
	    yaml_put_is_of(key, S(first), S("0123456789-")) &&
	    yaml_scalar_plain(key).type == YAML_TYPE_STR;
}

/* A key that is too long for a reader to look ahead is announced by "?". */
static void
yaml_put_key(struct yaml_put *y, size_t indent, struct str key)
{
	if (yaml_put_key_is_word(key)) {
		buf_str(y->b, key);
	} else if (key.n <= KEY_MAX / ESCAPE_MAX) {
		yaml_put_quoted(y->b, key, false);
	} else {
		buf_text(y->b, "? ");
		yaml_put_quoted(y->b, key, false);
		buf_char(y->b, '\n');
		for (size_t i = 0; i < indent; i++)
			buf_char(y->b, ' ');
	}
	buf_char(y->b, ':');
	y->after_key = true;
}

static void
yaml_put_indent(struct yaml_put *y, size_t n)
{
	while (n-- > 0)
		buf_char(y->b, ' ');
}

/* What comes before a value: the end of the line above, the key or "- ". */
static void
yaml_put_begin(struct yaml_put *y, const char *key)
{
	struct yaml_put_level *l = NULL;

	if (y->depth > 0)
		l = &y->level[y->depth - 1];
	if ((l != NULL && l->map) != (key != NULL))
		err_bug("yaml: a %s key", key != NULL ? "stray" : "missing");
	if (l == NULL) {
		if (y->done)
			err_bug("yaml: a second value at the top");
		y->done = true;
		return;
	}
	if (l->n == 0 && y->after_key)
		buf_char(y->b, '\n');
	/* The first entry of what is in a list follows its "- ". */
	if (l->n > 0 || y->after_key || y->after_note)
		yaml_put_indent(y, l->indent);
	y->after_key = y->after_note = false;
	l->n++;
	if (key != NULL)
		yaml_put_key(y, l->indent, str_of(key));
	else
		buf_text(y->b, "- ");
}

static void
yaml_put_open(struct yaml_put *y, const char *key, bool map)
{
	size_t indent = 0;

	yaml_put_begin(y, key);
	if (y->depth == LIMIT_YAML_DEPTH)
		err_bug("yaml: deeper than %d", LIMIT_YAML_DEPTH);
	if (y->depth > 0) {
		/* A list is written at the indentation of its key. */
		indent = y->level[y->depth - 1].indent;
		if (map || !y->level[y->depth - 1].map)
			indent += 2;
	}
	y->level[y->depth++] =
	    (struct yaml_put_level){ .map = map, .indent = indent };
}

void
yaml_put_map(struct yaml_put *y, const char *key)
{
	yaml_put_open(y, key, true);
}

void
yaml_put_list(struct yaml_put *y, const char *key)
{
	yaml_put_open(y, key, false);
}

static void
yaml_put_gap(struct yaml_put *y)
{
	if (y->after_key)
		buf_char(y->b, ' ');
	y->after_key = false;
}

void
yaml_put_end(struct yaml_put *y)
{
	const struct yaml_put_level *l;

	if (y->depth == 0)
		err_bug("yaml: an end of nothing");
	l = &y->level[--y->depth];
	if (l->n > 0)
		return;
	yaml_put_gap(y);
	buf_text(y->b, l->map ? "{}\n" : "[]\n");
}

void
yaml_put_str(struct yaml_put *y, const char *key, struct str s)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	yaml_put_quoted(y->b, s, false);
	buf_char(y->b, '\n');
}

void
yaml_put_int(struct yaml_put *y, const char *key, int64_t n)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	buf_fmt(y->b, "%" PRId64 "\n", n);
}

void
yaml_put_bool(struct yaml_put *y, const char *key, bool b)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	buf_text(y->b, b ? "true\n" : "false\n");
}

void
yaml_put_null(struct yaml_put *y, const char *key)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	buf_text(y->b, "null\n");
}

/* Does every reader of YAML take it for this string, without quotes? */
static bool
yaml_put_is_plain(struct str s)
{
	static const char begins[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ/_";

	/* "y" and "n" are booleans of YAML 1.1, though not of PyYAML. */
	return s.n >= 2 && !str_ends(s, S(":")) && !str_ends(s, S(" ")) &&
	    str_find(s, S(": ")) < 0 &&
	    yaml_put_is_of(s, S(begins), S("0123456789.-@+: ")) &&
	    yaml_scalar_plain(s).type == YAML_TYPE_STR;
}

/* Is all of it visible, and no character of it a line end? */
static bool
yaml_put_is_seen(struct arena *a, struct str s)
{
	size_t unseen = 0;

	(void)clean_text(a, s, &unseen);
	return unseen == 0 && utf8_valid(s) &&
	    str_find(s, S("\xE2\x80\xA8")) < 0 &&
	    str_find(s, S("\xE2\x80\xA9")) < 0;
}

void
yaml_put_plain(struct yaml_put *y, const char *key, struct str s)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	if (yaml_put_is_plain(s))
		buf_str(y->b, s);
	else
		yaml_put_quoted(y->b, s, yaml_put_is_seen(y->a, s));
	buf_char(y->b, '\n');
}

void
yaml_put_word(struct yaml_put *y, const char *key, struct str s)
{
	yaml_put_begin(y, key);
	yaml_put_gap(y);
	buf_str(y->b, s);
	buf_char(y->b, '\n');
}

void
yaml_put_note(struct yaml_put *y, struct str text)
{
	if (y->after_key)
		buf_char(y->b, '\n');
	y->after_key = false;
	y->after_note = true;
	if (y->depth > 0)
		yaml_put_indent(y, y->level[y->depth - 1].indent);
	buf_text(y->b, "# ");
	text = clean_text(y->a, text, NULL);
	for (size_t i = 0; i < text.n; i++) {
		bool control = (unsigned char)text.p[i] < ' ';

		buf_str(y->b,
		    control ? S("?") : str_first(str_from(text, i), 1));
	}
	buf_char(y->b, '\n');
}
