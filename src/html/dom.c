/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of the tree: making, inserting and removing them. */
#include "base/limits.h"
#include "html/build.h"

#define CHUNK_MIN 64
#define CHUNK_MAX 700 /* with more, each arena chunk is a system call */
#define KEPT_CHUNK 64

struct html_dom *
html_dom_new(struct html_build *b)
{
	if (b->free_n == 0) {
		/* As many as exist already: few for a small page. */
		b->free_n = b->nodes < CHUNK_MIN ? CHUNK_MIN
		    : b->nodes > CHUNK_MAX       ? CHUNK_MAX
						 : b->nodes;
		b->free = arena_array(b->h->a, b->free_n, sizeof(*b->free));
	}
	/* The one over the limit is still made, so that each step can end. */
	if (++b->nodes >= LIMIT_HTML_NODES)
		b->lost = true;
	b->free_n--;
	return b->free++;
}

static void
dom_keep(struct html_build *b, struct html_dom *n, const struct html_tag *t)
{
	unsigned k = 0;

	if (b->kept_n < HTML_ATTRS) {
		b->kept_n = KEPT_CHUNK;
		b->kept = arena_array(b->h->a, b->kept_n, sizeof(*b->kept));
	}
	n->kept = b->kept;
	for (uint32_t left = t->has; left != 0; left &= left - 1) {
		enum html_attr which = (enum html_attr)__builtin_ctz(left);

		n->kept[k].which = (unsigned char)which;
		n->kept[k++].value = t->attr[which];
	}
	n->kepts = (unsigned char)k;
	b->kept += k;
	b->kept_n -= k;
}

void
html_dom_tag(const struct html_dom *n, struct html_tag *t)
{
	if (n->merged) {
		html_token_attrs(n->s, t);
	} else {
		html_token_clear(t);
		for (unsigned i = 0; i < n->kepts; i++) {
			t->attr[n->kept[i].which] = n->kept[i].value;
			t->has |= UINT32_C(1) << n->kept[i].which;
		}
	}
	t->raw = n->s;
	t->kind = n->kind;
	t->said = n->kepts > 0 ? &n->kept[0].said : NULL;
}

struct html_dom *
html_dom_element(struct html_build *b, const struct html_token *t,
    enum html_ns ns)
{
	struct html_dom *n = html_dom_new(b);

	n->kind = t->kind;
	n->s = t->s;
	n->name_n = (unsigned)t->name_n;
	n->ns = (unsigned char)ns;
	if (t->tag != NULL && t->tag->has != 0)
		dom_keep(b, n, t->tag);
	if (ns != HTML_NS_HTML)
		n->is = html_foreign_is(t, ns);
	else if (t->kind != NULL)
		n->is = html_rule[t->kind - html_element_table].is;
	return n;
}

/*
 * Each copy has its attributes parsed again, and there may be as many copies as
 * tags.
 */
struct html_dom *
html_dom_copy(struct html_build *b, const struct html_dom *n)
{
	struct html_dom *copy = html_dom_new(b);

	if (b->copied < n->s.n)
		b->lost = true;
	else
		b->copied -= n->s.n;
	copy->kind = n->kind;
	copy->s = n->s;
	copy->name_n = n->name_n;
	copy->ns = n->ns;
	copy->is = n->is;
	copy->kept = n->kept;
	copy->kepts = n->kepts;
	return copy;
}

void
html_dom_put(struct html_dom *up, struct html_dom *before, struct html_dom *n)
{
	struct html_dom *prev = before != NULL ? before->prev : up->last;

	n->up = up;
	n->prev = prev;
	n->next = before;
	if (prev != NULL)
		prev->next = n;
	else
		up->first = n;
	if (before != NULL)
		before->prev = n;
	else
		up->last = n;
}

void
html_dom_take(struct html_dom *n)
{
	struct html_dom *up = n->up;

	if (up == NULL)
		return;
	if (n->prev != NULL)
		n->prev->next = n->next;
	else
		up->first = n->next;
	if (n->next != NULL)
		n->next->prev = n->prev;
	else
		up->last = n->prev;
	n->up = n->prev = n->next = NULL;
}

/* Each child has a pointer to its parent, so each costs a step. */
void
html_dom_move_all(struct html_build *b, struct html_dom *from,
    struct html_dom *to)
{
	for (struct html_dom *n = from->first; n != NULL; n = n->next) {
		n->up = to;
		html_build_pay(b, 1);
	}
	if (from->first == NULL)
		return;
	from->first->prev = to->last;
	if (to->last != NULL)
		to->last->next = from->first;
	else
		to->first = from->first;
	to->last = from->last;
	from->first = from->last = NULL;
}

/* The name as written is directly before the attributes. */
struct str
html_dom_name(const struct html_dom *n)
{
	if (n->name_n == 0 && n->kind != NULL)
		return str_of(n->kind->name);
	return (struct str){ n->s.p - n->name_n, n->name_n };
}

bool
html_dom_named(const struct html_dom *n, const struct html_token *t)
{
	if (n->kind != NULL || t->kind != NULL)
		return n->kind == t->kind;
	return str_eq_case(html_dom_name(n),
	    (struct str){ t->s.p - t->name_n, t->name_n });
}
