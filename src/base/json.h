/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

/*
 * JSON output: a streaming writer.  Keys appear in the order they were put, so
 * equal replies are equal bytes.  Bytes that are not UTF-8 become U+FFFD;
 * characters that control a terminal or the direction of text are escaped.
 * Large binary values are kept as views and encoded during output, which avoids
 * a second copy of a 50 MB attachment.  JSON input: jansson, used by
 * base/json_parse.c only.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct json;

/* An empty document; put exactly one value into it, with key NULL. */
struct json *json_new(struct arena *a);

/* key is NULL inside an array and at the top level, and never otherwise. */
void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);

void json_put_str(struct json *j, const char *key, struct str s);
/* The empty one is null. */
void json_put_str_or_null(struct json *j, const char *key, struct str s);
/* NULL is null. */
void json_put_text(struct json *j, const char *key, const char *c);
void json_put_int(struct json *j, const char *key, int64_t n);
/* A finite number, as short as reads the same, with a point or an exponent. */
void json_put_real(struct json *j, const char *key, double x);
void json_put_bool(struct json *j, const char *key, bool b);
void json_put_null(struct json *j, const char *key);
/* An array of texts. */
void json_put_strs(struct json *j, const char *key, const struct strs *v);
/* An array of the words between blanks; null if words.p is NULL. */
void json_put_words(struct json *j, const char *key, struct str words);
/* The standard base64 of raw, which is borrowed until the output is written. */
void json_put_base64(struct json *j, const char *key, struct str raw);
/* The value, or the members, of another finished document. */
void json_put_json(struct json *j, const char *key, const struct json *sub);
/* Copies the members of `sub`, an object, into the open object. */
void json_put_members(struct json *j, const struct json *sub);

/* Writes the document to a descriptor; -1 with errno when write(2) fails. */
int json_write(const struct json *j, int fd);
/* The whole document as text in the arena. */
struct str json_text(const struct json *j, struct arena *a);

/*
 * JSON that others wrote, made safe for a terminal: DEL, C1 and the direction
 * marks of UAX 9, which can only be in its strings, are escaped.
 */
struct str json_shown(struct arena *a, struct str text);

/* A value read by json_parse(): borrowed from the document. */
struct json_value;
struct json_doc;

/*
 * Reads one object or array: at most max bytes, no duplicate keys, strict
 * UTF-8, no NUL in strings, nothing after it.  ERR_LIMIT or ERR_USAGE.
 */
int json_parse_open(struct str text, size_t max, struct json_doc **out,
    struct err *e);
/*
 * The same with nesting up to `depth`, at most 1000, for data that nests with
 * every answer to an answer.
 */
int json_parse_deep(struct str text, size_t max, size_t depth,
    struct json_doc **out, struct err *e);
void json_parse_close(struct json_doc **d);
const struct json_value *json_parse_root(const struct json_doc *d);
/* NULL if v is not an object or has no such member. */
const struct json_value *json_parse_member(const struct json_value *v,
    const char *key);
/*
 * The members of an object one after another: *key begins as { NULL, 0 } and is
 * the name of the returned member.  NULL after the last, or if it is not an
 * object.
 */
const struct json_value *json_parse_next(const struct json_value *v,
    struct str *key);
/* NULL if v is not an array or is too short. */
const struct json_value *json_parse_item(const struct json_value *v, size_t i);
size_t json_parse_count(const struct json_value *v);
/* The same value; the order of members does not matter. */
bool json_parse_equal(const struct json_value *x, const struct json_value *y);
bool json_parse_is_object(const struct json_value *v);
bool json_parse_is_array(const struct json_value *v);
bool json_parse_is_null(const struct json_value *v);
/* False when v is of another type or NULL. */
bool json_parse_str(const struct json_value *v, struct str *out);
bool json_parse_int(const struct json_value *v, int64_t *out);
bool json_parse_bool(const struct json_value *v, bool *out);
/* A number with a point or an exponent; an integer is none. */
bool json_parse_real(const struct json_value *v, double *out);

/*
 * Puts a value that json_parse_open() read, whatever it holds; the members of
 * its objects are sorted by name.  json_copy.c
 */
void json_copy_put(struct json *j, const char *key, const struct json_value *v);
/*
 * A value as Python's json.dumps(v, indent=2, sort_keys=True) writes it, in
 * ASCII and with a line end.
 */
struct str json_copy_text(struct arena *a, const struct json_value *v);

#endif
