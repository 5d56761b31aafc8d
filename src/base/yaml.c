/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include <yaml.h>

#include "base/internal.h"
#include "base/limits.h"
#include "base/utf8.h"

struct yaml_key {
	uint64_t sum;
	struct str name;
};

/* What is open, and how far the events have come. */
struct yaml_walk {
	struct arena *a;
	struct json *out;
	struct yaml_level {
		bool map;
		const char *key; /* the value that comes next is its */
		struct yaml_key *keys;
		size_t n, room;
	} level[LIMIT_YAML_DEPTH];
	size_t depth, nodes, documents, line;
};

static int
yaml_refuse(const struct yaml_walk *w, const char *what, struct err *e)
{
	return err_set(e, ERR_USAGE, "the YAML has %s, at line %zu", what,
	    w->line);
}

/* How many bytes of white space begin at s.p[i], as libyaml gathers it. */
static size_t
yaml_blank(struct str s, size_t i)
{
	struct str rest = str_from(s, i);

	if (str_has_char(S(" \t\r\n"), *rest.p))
		return 1;
	if (str_starts(rest, S("\xC2\x85")))
		return 2;
	if (str_starts(rest, S("\xE2\x80\xA8")) ||
	    str_starts(rest, S("\xE2\x80\xA9")))
		return 3;
	return 0;
}

/*
 * libyaml takes time by the square for two things.  It compares each %TAG with
 * all before it, and after each word of a scalar it clears a buffer as long as
 * the longest run of blanks so far: 1 MiB took a minute, and half of one.
 */
static int
yaml_check_text(struct str s, size_t max, struct err *e)
{
	size_t run = 0, n, line = 1;

	if (s.n > max)
		return err_set(e, ERR_LIMIT,
		    "the YAML is longer than %zu bytes", max);
	if (!utf8_valid(s))
		return err_set(e, ERR_USAGE, "the YAML is not UTF-8");
	for (size_t i = 0; i < s.n; i += n) {
		bool begins = i == 0 || s.p[i - 1] == '\n';

		line += i > 0 && begins;
		if (s.p[i] == '%' && (begins || s.p[i - 1] == '\r'))
			return err_set(e, ERR_USAGE,
			    "the YAML has a directive, at line %zu", line);
		n = yaml_blank(s, i);
		run = n > 0 ? run + n : 0;
		if (run > LIMIT_YAML_BLANKS)
			return err_set(e, ERR_LIMIT,
			    "the YAML has more than %d blanks in a row, at "
			    "line %zu",
			    LIMIT_YAML_BLANKS, line);
		n += n == 0;
	}
	return 0;
}

static struct yaml_level *
yaml_top(struct yaml_walk *w)
{
	return w->depth > 0 ? &w->level[w->depth - 1] : NULL;
}

/* The key of the value that is put now; NULL in a list. */
static const char *
yaml_take_key(struct yaml_walk *w)
{
	struct yaml_level *l = yaml_top(w);
	const char *key = l != NULL ? l->key : NULL;

	if (l != NULL)
		l->key = NULL;
	return key;
}

static int
yaml_add_key(struct yaml_walk *w, struct yaml_level *l, struct str name,
    struct err *e)
{
	struct yaml_key k = { str_hash(STR_HASH, name), name };
	size_t size = sizeof(k);

	for (size_t i = 0; i < l->n; i++)
		if (l->keys[i].sum == k.sum && str_eq(l->keys[i].name, name))
			return yaml_refuse(w, "a key twice in a map", e);
	if (l->n == l->room) {
		l->keys = arena_grow(w->a, l->keys, l->room * size,
		    (l->room * 2 + 8) * size);
		l->room = l->room * 2 + 8;
	}
	l->key = str_c(w->a, name);
	k.name.p = l->key;
	l->keys[l->n++] = k;
	return 0;
}

/* A number or time as an object, so that nobody takes it for a string. */
static void
yaml_put_other(struct json *out, const char *key, const char *type,
    struct str s)
{
	json_open_object(out, key);
	json_put_str(out, type, s);
	json_close_object(out);
}

static int
yaml_take_plain(struct yaml_walk *w, const char *key, struct str s,
    struct err *e)
{
	struct yaml_scalar v = yaml_scalar_plain(s);

	switch (v.type) {
	case YAML_TYPE_STR:
		json_put_str(w->out, key, s);
		return 0;
	case YAML_TYPE_NULL:
		json_put_null(w->out, key);
		return 0;
	case YAML_TYPE_BOOL:
		json_put_bool(w->out, key, v.truth);
		return 0;
	case YAML_TYPE_INT:
		json_put_int(w->out, key, v.n);
		return 0;
	case YAML_TYPE_INT_WIDE:
		yaml_put_other(w->out, key, "!!int", s);
		return 0;
	case YAML_TYPE_FLOAT:
		yaml_put_other(w->out, key, "!!float", s);
		return 0;
	case YAML_TYPE_TIMESTAMP:
		yaml_put_other(w->out, key, "!!timestamp", s);
		return 0;
	case YAML_TYPE_REFUSED:
		break;
	}
	return yaml_refuse(w, "\"<<\" or \"=\" without quotes", e);
}

static int
yaml_take_scalar(struct yaml_walk *w, const yaml_event_t *ev, struct err *e)
{
	struct str s = { (const char *)ev->data.scalar.value,
		ev->data.scalar.length };
	bool plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	struct yaml_level *l = yaml_top(w);

	if (l == NULL)
		return yaml_refuse(w, "neither a map nor a list", e);
	if (str_has_char(s, '\0'))
		return yaml_refuse(w, "a NUL", e);
	if (l->map && l->key == NULL) {
		if (plain && yaml_scalar_plain(s).type != YAML_TYPE_STR)
			return yaml_refuse(w, "a key that is not a string", e);
		return yaml_add_key(w, l, s, e);
	}
	if (plain)
		return yaml_take_plain(w, yaml_take_key(w), s, e);
	json_put_str(w->out, yaml_take_key(w), s);
	return 0;
}

static int
yaml_take_open(struct yaml_walk *w, bool map, struct err *e)
{
	const struct yaml_level *l = yaml_top(w);
	const char *key;

	if (l != NULL && l->map && l->key == NULL)
		return yaml_refuse(w, "a key that is not a string", e);
	if (w->depth == LIMIT_YAML_DEPTH)
		return err_set(e, ERR_LIMIT,
		    "the YAML is nested deeper than %d levels, at line %zu",
		    LIMIT_YAML_DEPTH, w->line);
	key = yaml_take_key(w);
	if (map)
		json_open_object(w->out, key);
	else
		json_open_array(w->out, key);
	w->level[w->depth++] = (struct yaml_level){ .map = map };
	return 0;
}

static void
yaml_take_close(struct yaml_walk *w)
{
	if (w->level[--w->depth].map)
		json_close_object(w->out);
	else
		json_close_array(w->out);
}

/* Anchors and tags, which any node may carry. */
static int
yaml_check_node(struct yaml_walk *w, const yaml_char_t *anchor,
    const yaml_char_t *tag, bool other, struct err *e)
{
	if (anchor != NULL)
		return yaml_refuse(w, "an anchor", e);
	if (tag != NULL || other)
		return yaml_refuse(w, "a tag", e);
	if (++w->nodes > LIMIT_YAML_NODES)
		return err_set(e, ERR_LIMIT,
		    "the YAML has more than %d keys and values",
		    LIMIT_YAML_NODES);
	return 0;
}

static int
yaml_take_event(struct yaml_walk *w, const yaml_event_t *ev, struct err *e)
{
	w->line = ev->start_mark.line + 1;
	switch (ev->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (w->documents++ > 0)
			return yaml_refuse(w, "a second document", e);
		return 0;
	case YAML_ALIAS_EVENT:
		return yaml_refuse(w, "an alias", e);
	case YAML_SCALAR_EVENT:
		if (yaml_check_node(w, ev->data.scalar.anchor,
			ev->data.scalar.tag,
			ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
			    !ev->data.scalar.plain_implicit,
			e) < 0)
			return -1;
		return yaml_take_scalar(w, ev, e);
	case YAML_SEQUENCE_START_EVENT:
		if (yaml_check_node(w, ev->data.sequence_start.anchor,
			ev->data.sequence_start.tag, false, e) < 0)
			return -1;
		return yaml_take_open(w, false, e);
	case YAML_MAPPING_START_EVENT:
		if (yaml_check_node(w, ev->data.mapping_start.anchor,
			ev->data.mapping_start.tag, false, e) < 0)
			return -1;
		return yaml_take_open(w, true, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		yaml_take_close(w);
		return 0;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		break;
	}
	return 0;
}

/* What libyaml says is wrong; it never repeats the text. */
static int
yaml_say_problem(const yaml_parser_t *p, struct err *e)
{
	if (p->error == YAML_MEMORY_ERROR)
		err_bug("out of memory");
	if (p->error == YAML_READER_ERROR)
		(void)err_set(e, ERR_USAGE,
		    "the YAML has a character that is not allowed, at byte "
		    "%zu",
		    p->problem_offset + 1);
	else
		(void)err_set(e, ERR_USAGE,
		    "the YAML is not valid, at line %zu, column %zu",
		    p->problem_mark.line + 1, p->problem_mark.column + 1);
	return err_because(e, "%s", p->problem != NULL ? p->problem : "");
}

static int
yaml_walk_events(struct yaml_walk *w, yaml_parser_t *p, struct err *e)
{
	bool more = true;
	yaml_event_t ev;
	int r;

	while (more) {
		if (!yaml_parser_parse(p, &ev))
			return yaml_say_problem(p, e);
		r = yaml_take_event(w, &ev, e);
		more = ev.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&ev);
		if (r < 0)
			return -1;
	}
	if (w->documents == 0)
		return err_set(e, ERR_USAGE, "the YAML is empty");
	return 0;
}

int
yaml_read(struct str text, size_t max, struct json_doc **out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(yaml_parser_delete) yaml_parser_t p = { 0 };
	struct yaml_walk w = { .a = a, .out = json_new(a) };

	if (yaml_check_text(text, max, e) < 0)
		return -1;
	if (!yaml_parser_initialize(&p))
		err_bug("out of memory");
	/* Else a mark at its beginning could say that it is UTF-16. */
	yaml_parser_set_encoding(&p, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&p,
	    (const unsigned char *)(text.n > 0 ? text.p : ""), text.n);
	if (yaml_walk_events(&w, &p, e) < 0)
		return -1;
	return json_parse_open(json_text(w.out, a), SIZE_MAX, out, e);
}
