/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools of a request: its own stay unchanged and in place; ours are those
 * of this turn, once each.  If another tool has the name, ours is NAME__dup1: a
 * call of that means ours.
 */
#include "base/limits.h"
#include "door/skills/internal.h"

void
filter_tools_read(struct skills_call *c, struct filter_tools *out)
{
	struct strs texts = { 0 };
	struct str one;
	size_t at = 0;

	while (span_next(c->theirs, &at, &one))
		str_push(c->arena, &texts, one);
	*out = (struct filter_tools){
		arena_array(c->arena, texts.n, sizeof(*out->v)), texts.n
	};
	for (size_t i = 0; i < texts.n; i++)
		out->v[i] = (struct filter_tool){ texts.v[i],
			tools_name(c, texts.v[i]), known_op(c, texts.v[i]) };
}

static bool
filter_tools_is_name_taken(const struct filter_tools *there, struct str name)
{
	for (size_t i = 0; i < there->n; i++)
		if (there->v[i].op == NULL && str_eq(there->v[i].name, name))
			return true;
	return false;
}

/* The first of NAME__dup1, NAME__dup2 ... that no other tool has. */
static struct str
filter_tools_free_name(struct skills_call *c, const struct filter_tools *there,
    struct str name)
{
	bool *taken = arena_array(c->arena, there->n + 2, sizeof(*taken));
	uint32_t k;

	for (size_t i = 0; i < there->n; i++) {
		const struct filter_tool *t = &there->v[i];
		struct str tool = turn_tool(t->name), number;

		if (t->op != NULL || tool.n == t->name.n || !str_eq(tool, name))
			continue;
		number = str_from(t->name, name.n + S("__dup").n);
		if (number.p[0] != '0' &&
		    str_to_u32(number, (uint32_t)there->n, &k))
			taken[k] = true;
	}
	for (k = 1; taken[k]; k++)
		continue;
	return str_fmt(c->arena, "%.*s__dup%u", STR_ARG(name), k);
}

/* The position of ours in the request; n: none. */
static size_t
filter_tools_find_ours(const struct filter_tools *there, const struct op *op)
{
	size_t i = 0;

	while (i < there->n && there->v[i].op != op)
		i++;
	return i;
}

static void
filter_tools_put_name(struct skills_call *c, const struct filter_tools *there,
    struct tool *t, size_t at)
{
	/* Keeps its earlier name, which a model may have called. */
	if (at < there->n)
		t->name = there->v[at].name;
	if (filter_tools_is_name_taken(there, t->name))
		t->name = filter_tools_free_name(c, there, str_of(t->op->name));
	t->text = tools_text(c, t->op, t->name);
}

/* Sets the whole member, if it is missing or holds no tools. */
static struct splice
filter_tools_put_whole(struct skills_call *c, struct str items)
{
	struct str value = str_fmt(c->arena, "[%.*s]", STR_ARG(items)), old;

	if (span_member(c->request, "tools", &old))
		return (
		    struct splice){ (size_t)(old.p - c->text.p), old.n, value };
	return splice_member(c->text,
	    str_fmt(c->arena, "\"tools\":%.*s", STR_ARG(value)), c->arena);
}

bool
filter_tools_put(struct skills_call *c, const struct filter_tools *there,
    struct tools *ours, struct splice *out)
{
	struct str *with = arena_array(c->arena, there->n + 1, sizeof(*with));
	bool changed = false;
	struct buf b;

	buf_init(&b, c->arena, LIMIT_MESSAGE);
	for (size_t i = 0; i < there->n; i++)
		if (there->v[i].op == NULL)
			with[i] = there->v[i].text;
	for (size_t i = 0; i < ours->n; i++) {
		struct tool *t = &ours->v[i];
		size_t at = filter_tools_find_ours(there, t->op);

		filter_tools_put_name(c, there, t, at);
		if (at < there->n) {
			bool same = known_same(c, there->v[at].text, t->text);

			with[at] = same ? there->v[at].text : t->text;
			changed = changed || !same;
			continue;
		}
		buf_fmt(&b, b.n > 0 ? ",%.*s" : "%.*s", STR_ARG(t->text));
	}
	for (size_t i = 0; i < there->n; i++)
		changed = changed || with[i].n == 0;
	if (!changed && b.n == 0)
		return false;
	*out = c->theirs.n > 0
	    ? splice_list(c->text, c->theirs, with, buf_view(&b), c->arena)
	    : filter_tools_put_whole(c, buf_view(&b));
	return true;
}
