/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"

#define DEPTH_MAX (2UL * LIMIT_JSON_DEPTH)
#define BLOCK 12288 /* raw bytes encoded at a time; divides by 3 */

/* The base64 of raw comes after the first `at` bytes of the text. */
struct cut {
	size_t at;
	struct str raw;
};

struct json {
	struct arena *a;
	struct buf text;
	struct cut *cut;
	size_t cuts;
	char open[DEPTH_MAX]; /* '{' or '[' */
	size_t depth;
	bool some; /* the innermost open value has a member */
};

struct json *
json_new(struct arena *a)
{
	struct json *j = arena_new(a, struct json);

	j->a = a;
	buf_init(&j->text, a, LIMIT_ARENA);
	return j;
}

/* Bytes that need no escape in a string, if they are ASCII. */
static bool
json_is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void
json_escape(struct buf *b, uint32_t c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at =
	    c < 0x80 ? memchr(from, (int)c, sizeof(from) - 1) : NULL;

	if (at != NULL) {
		buf_char(b, '\\');
		buf_char(b, to[at - from]);
	} else {
		buf_fmt(b, "\\u%04" PRIx32, c);
	}
}

/*
 * Characters escaped without need: U+2028 and U+2029, which some parsers read
 * as line ends; DEL and C1, which control terminals; and those that change the
 * direction of writing (UAX 9, section 2), so that a line shown to a person
 * keeps its order.
 */
static bool
is_shown_otherwise(uint32_t c)
{
	return (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e ||
	    c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069);
}

/* RFC 8259, section 7. */
static void
json_put_string(struct buf *b, struct str s)
{
	size_t i = 0, done = 0, at;
	uint32_t c;
	bool ok;

	buf_char(b, '"');
	while (i < s.n) {
		if (json_is_plain((unsigned char)s.p[i])) {
			i++;
			continue;
		}
		at = i;
		c = utf8_next(s, &i, &ok);
		if (ok && c >= 0x80 && !is_shown_otherwise(c))
			continue;
		buf_add(b, s.p + done, at - done);
		done = i;
		if (ok)
			json_escape(b, c);
		else
			buf_utf8(b, 0xFFFD);
	}
	if (done < s.n)
		buf_add(b, s.p + done, s.n - done);
	buf_char(b, '"');
}

struct str
json_shown(struct arena *a, struct str text)
{
	size_t i = 0, done = 0, at;
	struct buf b;
	uint32_t c;
	bool ok;

	buf_init(&b, a, 6 * text.n + 1);
	while (i < text.n) {
		at = i;
		c = utf8_next(text, &i, &ok);
		if (!ok || !is_shown_otherwise(c))
			continue;
		buf_add(&b, text.p + done, at - done);
		json_escape(&b, c);
		done = i;
	}
	buf_add(&b, text.p + done, text.n - done);
	return buf_view(&b);
}

/* What comes before every value: the comma, and the key in an object. */
static void
json_begin(struct json *j, const char *key)
{
	bool in_object = j->depth > 0 && j->open[j->depth - 1] == '{';

	if (in_object != (key != NULL))
		err_bug("json: a %s key", key != NULL ? "stray" : "missing");
	if (j->depth == 0 && j->some)
		err_bug("json: a second value at the top");
	if (j->some)
		buf_char(&j->text, ',');
	j->some = true;
	if (key != NULL) {
		json_put_string(&j->text, str_of(key));
		buf_char(&j->text, ':');
	}
}

static void
json_open_one(struct json *j, const char *key, char c)
{
	json_begin(j, key);
	if (j->depth == DEPTH_MAX)
		err_bug("json: deeper than %lu", DEPTH_MAX);
	j->open[j->depth++] = c;
	j->some = false;
	buf_char(&j->text, c);
}

static void
json_close_one(struct json *j, char opened, char c)
{
	if (j->depth == 0 || j->open[j->depth - 1] != opened)
		err_bug("json: %c closes nothing", c);
	j->depth--;
	j->some = true;
	buf_char(&j->text, c);
}

void
json_open_object(struct json *j, const char *key)
{
	json_open_one(j, key, '{');
}

void
json_close_object(struct json *j)
{
	json_close_one(j, '{', '}');
}

void
json_open_array(struct json *j, const char *key)
{
	json_open_one(j, key, '[');
}

void
json_close_array(struct json *j)
{
	json_close_one(j, '[', ']');
}

void
json_put_str(struct json *j, const char *key, struct str s)
{
	json_begin(j, key);
	json_put_string(&j->text, s);
}

void
json_put_int(struct json *j, const char *key, int64_t n)
{
	json_begin(j, key);
	buf_fmt(&j->text, "%" PRId64, n);
}

void
json_put_real(struct json *j, const char *key, double x)
{
	char text[40] = "";

	/* 17 digits always read the same, RFC 8259 section 6. */
	for (int n = 1; n <= 17; n++) {
		(void)snprintf(text, sizeof(text), "%.*g", n, x);
		if (strtod(text, NULL) == x)
			break;
	}
	if (strchr(text, 'e') != NULL && x < 1e16 && x > -1e16 &&
	    x == (double)(int64_t)x)
		(void)snprintf(text, sizeof(text), "%.0f", x);
	json_begin(j, key);
	buf_text(&j->text, text);
	if (strpbrk(text, ".en") == NULL)
		buf_text(&j->text, ".0");
}

void
json_put_bool(struct json *j, const char *key, bool b)
{
	json_begin(j, key);
	buf_text(&j->text, b ? "true" : "false");
}

void
json_put_null(struct json *j, const char *key)
{
	json_begin(j, key);
	buf_text(&j->text, "null");
}

void
json_put_str_or_null(struct json *j, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(j, key, s);
	else
		json_put_null(j, key);
}

void
json_put_text(struct json *j, const char *key, const char *c)
{
	if (c != NULL)
		json_put_str(j, key, str_of(c));
	else
		json_put_null(j, key);
}

void
json_put_strs(struct json *j, const char *key, const struct strs *v)
{
	json_open_array(j, key);
	for (size_t i = 0; i < v->n; i++)
		json_put_str(j, NULL, v->v[i]);
	json_close_array(j);
}

void
json_put_words(struct json *j, const char *key, struct str words)
{
	struct str one;

	if (words.p == NULL) {
		json_put_null(j, key);
		return;
	}
	json_open_array(j, key);
	while (words.n > 0) {
		(void)str_cut(words, ' ', &one, &words);
		if (one.n > 0)
			json_put_str(j, NULL, one);
	}
	json_close_array(j);
}

static void
json_add_cut(struct json *j, size_t at, struct str raw)
{
	j->cut = arena_more(j->a, j->cut, j->cuts, sizeof(*j->cut));
	j->cut[j->cuts++] = (struct cut){ at, raw };
}

void
json_put_base64(struct json *j, const char *key, struct str raw)
{
	json_begin(j, key);
	buf_char(&j->text, '"');
	if (raw.n > 0)
		json_add_cut(j, j->text.n, raw);
	buf_char(&j->text, '"');
}

/* Copies the text of a finished document from byte `from` up to `to`. */
static void
json_copy(struct json *j, const struct json *sub, size_t from, size_t to)
{
	size_t base = j->text.n - from;

	for (size_t i = 0; i < sub->cuts; i++)
		json_add_cut(j, base + sub->cut[i].at, sub->cut[i].raw);
	buf_add(&j->text, sub->text.p + from, to - from);
}

static void
json_must_be_done(const struct json *j)
{
	if (j->depth > 0 || !j->some)
		err_bug("json: the document is not finished");
	if (j->text.over)
		err_bug("json: the document is too long");
}

void
json_put_json(struct json *j, const char *key, const struct json *sub)
{
	json_must_be_done(sub);
	json_begin(j, key);
	json_copy(j, sub, 0, sub->text.n);
}

void
json_put_members(struct json *j, const struct json *sub)
{
	json_must_be_done(sub);
	if (j->depth == 0 || j->open[j->depth - 1] != '{' ||
	    sub->text.p[0] != '{')
		err_bug("json: members outside an object");
	if (sub->text.n == 2)
		return;
	if (j->some)
		buf_char(&j->text, ',');
	j->some = true;
	json_copy(j, sub, 1, sub->text.n - 1);
}

static int
json_write_base64(int fd, struct str raw)
{
	char block[BLOCK / 3 * 4];

	while (raw.n > 0) {
		struct str part = str_first(raw, BLOCK);

		if (path_write(fd,
			(struct str){ block,
			    base64_encode(block, part.p, part.n) }) < 0)
			return -1;
		raw = str_from(raw, part.n);
	}
	return 0;
}

int
json_write(const struct json *j, int fd)
{
	size_t at = 0;

	json_must_be_done(j);
	for (size_t i = 0; i < j->cuts; i++) {
		if (path_write(fd,
			(struct str){ j->text.p + at, j->cut[i].at - at }) <
			0 ||
		    json_write_base64(fd, j->cut[i].raw) < 0)
			return -1;
		at = j->cut[i].at;
	}
	return path_write(fd, str_from(buf_view(&j->text), at));
}

struct str
json_text(const struct json *j, struct arena *a)
{
	struct buf b;
	size_t at = 0, n;

	json_must_be_done(j);
	n = j->text.n;
	for (size_t i = 0; i < j->cuts; i++)
		n += base64_size(j->cut[i].raw.n);
	buf_init(&b, a, n);
	(void)buf_reserve(&b, n);
	for (size_t i = 0; i < j->cuts; i++) {
		buf_add(&b, j->text.p + at, j->cut[i].at - at);
		base64_put(&b, j->cut[i].raw);
		at = j->cut[i].at;
	}
	buf_add(&b, j->text.p + at, j->text.n - at);
	return buf_view(&b);
}
