/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_YAML_H
#define BASE_YAML_H

/*
 * YAML 1.1 as PyYAML reads and writes it.
 * In: libyaml's events become a document of base/json.h.  Anchors, aliases,
 * tags, directives, merge keys and a second document are refused, and so is
 * what takes libyaml longer than its length is worth.
 * Out: block style with every string in double quotes on one line, in ASCII.
 * libyaml is seen by base/yaml.c alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/*
 * Reads one map or list: at most max bytes of strict UTF-8, LIMIT_YAML_DEPTH
 * levels and LIMIT_YAML_NODES keys and values; keys are strings, and none
 * occurs twice in a map.  A quoted or folded scalar is a string.  A plain one
 * is what PyYAML's safe loader makes of it: null, a boolean, an integer, or a
 * string.  A plain number or time that JSON's integers do not hold is an object
 * of one member, "!!float", "!!int" or "!!timestamp", and the text; so it is
 * never taken for a string.  Close with json_parse_close().  ERR_LIMIT or
 * ERR_USAGE.
 */
int yaml_read(struct str text, size_t max, struct json_doc **out,
    struct err *e);

/*
 * A writer that appends to b, which is borrowed.  Put one map or list, with key
 * NULL; key is NULL inside a list, and never inside a map.  At most
 * LIMIT_YAML_DEPTH levels.  Bytes that are not UTF-8 become U+FFFD.  What does
 * not fit sets b->over.
 */
struct yaml_put;
struct yaml_put *yaml_put_new(struct arena *a, struct buf *b);
void yaml_put_map(struct yaml_put *y, const char *key);
void yaml_put_list(struct yaml_put *y, const char *key);
/* Ends the innermost open map or list; an empty one is "{}" or "[]". */
void yaml_put_end(struct yaml_put *y);
void yaml_put_str(struct yaml_put *y, const char *key, struct str s);
void yaml_put_int(struct yaml_put *y, const char *key, int64_t n);
void yaml_put_bool(struct yaml_put *y, const char *key, bool b);
void yaml_put_null(struct yaml_put *y, const char *key);

#endif
