/* SPDX-License-Identifier: Apache-2.0 */
/* libyaml's events as nodes. */
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
	struct yaml_nodes out;
	size_t max; /* nodes, keys counted */
	struct yaml_level {
		bool map;
		size_t node; /* its own */
		struct str
		    key;     /* the value that comes next is its; or p NULL */
		size_t line; /* of that key */
		struct yaml_key *keys;
		size_t n, room;
	} level[LIMIT_YAML_DEPTH];
	size_t depth, count, documents, line;
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

/* A node for the value that comes now, below its key. */
static struct yaml_node *
yaml_add_node(struct yaml_walk *w, enum yaml_kind kind)
{
	struct yaml_level *l = yaml_top(w);
	struct yaml_nodes *out = &w->out;
	struct yaml_node *x;

	out->v = arena_more(w->a, out->v, out->n, sizeof(*out->v));
	x = &out->v[out->n++];
	*x = (struct yaml_node){ .kind = kind, .line = w->line, .end = out->n };
	if (l != NULL && l->key.p != NULL) {
		x->line = l->line;
		x->key = l->key;
		l->key = (struct str){ 0 };
	}
	return x;
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
	/* Each is compared with all before it. */
	if (l->n == LIMIT_YAML_KEYS)
		return err_set(e, ERR_LIMIT,
		    "the YAML has a map with more than %d keys, at line %zu",
		    LIMIT_YAML_KEYS, w->line);
	if (l->n == l->room) {
		l->keys = arena_grow(w->a, l->keys, l->room * size,
		    (l->room * 2 + 8) * size);
		l->room = l->room * 2 + 8;
	}
	k.name.p = str_c(w->a, name);
	l->key = k.name;
	l->line = w->line;
	l->keys[l->n++] = k;
	return 0;
}

static int
yaml_take_scalar(struct yaml_walk *w, const yaml_event_t *ev, struct err *e)
{
	struct str s = { (const char *)ev->data.scalar.value,
		ev->data.scalar.length };
	bool plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	struct yaml_level *l = yaml_top(w);
	struct yaml_node *x;

	if (l == NULL)
		return yaml_refuse(w, "neither a map nor a list", e);
	if (str_has_char(s, '\0'))
		return yaml_refuse(w, "a NUL", e);
	if (l->map && l->key.p == NULL) {
		if (plain && yaml_scalar_plain(s).type != YAML_TYPE_STR)
			return yaml_refuse(w, "a key that is not a string", e);
		return yaml_add_key(w, l, s, e);
	}
	if (plain && yaml_scalar_plain(s).type == YAML_TYPE_REFUSED)
		return yaml_refuse(w, "\"<<\" or \"=\" without quotes", e);
	x = yaml_add_node(w, YAML_KIND_TEXT);
	x->text = str_of(str_c(w->a, s));
	x->plain = plain;
	return 0;
}

static int
yaml_take_open(struct yaml_walk *w, bool map, struct err *e)
{
	const struct yaml_level *l = yaml_top(w);

	if (l != NULL && l->map && l->key.p == NULL)
		return yaml_refuse(w, "a key that is not a string", e);
	if (w->depth == LIMIT_YAML_DEPTH)
		return err_set(e, ERR_LIMIT,
		    "the YAML is nested deeper than %d levels, at line %zu",
		    LIMIT_YAML_DEPTH, w->line);
	(void)yaml_add_node(w, map ? YAML_KIND_MAP : YAML_KIND_LIST);
	w->level[w->depth++] =
	    (struct yaml_level){ .map = map, .node = w->out.n - 1 };
	return 0;
}

static void
yaml_take_close(struct yaml_walk *w)
{
	size_t node = w->level[--w->depth].node;

	/* It is open, so there are nodes. */
	if (w->out.v != NULL)
		w->out.v[node].end = w->out.n;
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
	if (++w->count > w->max)
		return err_set(e, ERR_LIMIT,
		    "the YAML has more than %zu keys and values", w->max);
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
yaml_nodes(struct arena *a, struct str text, const struct yaml_caps *caps,
    struct yaml_nodes *out, struct err *e)
{
	CLEANUP(yaml_parser_delete) yaml_parser_t p = { 0 };
	struct yaml_walk w = { .a = a, .max = caps->nodes };

	if (yaml_check_text(text, caps->bytes, e) < 0)
		return -1;
	if (!yaml_parser_initialize(&p))
		err_bug("out of memory");
	/* Else a mark at its beginning could say that it is UTF-16. */
	yaml_parser_set_encoding(&p, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&p,
	    (const unsigned char *)(text.n > 0 ? text.p : ""), text.n);
	if (yaml_walk_events(&w, &p, e) < 0)
		return -1;
	*out = w.out;
	return 0;
}
