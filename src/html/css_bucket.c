/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of all sheets by what their last compound requires: an id, a class,
 * a type or nothing.  An element tries only the rules that may match it.
 */
#include <string.h>

#include "html/css_select.h"

#define CLASSES_MAX 64

/* The key of a rule: "*", a type, an id or a class. */
static uint32_t
css_bucket_hash(char kind, struct str s)
{
	uint32_t h = 2166136261U ^ (unsigned char)kind;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + 32);
		h = (h ^ c) * 16777619U;
	}
	return h ^ h >> 15;
}

/* The key of a rule; a class or id that contains a sign is not a key. */
static uint32_t
css_bucket_key_of(const struct css_compound *c)
{
	if (c->id.n > 0 && memchr(c->id.p, CSS_SIGN, c->id.n) == NULL)
		return css_bucket_hash('#', c->id);
	for (size_t i = 0; i < c->classes; i++)
		if (c->class[i].n > 0 &&
		    memchr(c->class[i].p, CSS_SIGN, c->class[i].n) == NULL)
			return css_bucket_hash('.', c->class[i]);
	return c->tag.n > 0 ? css_bucket_hash('t', c->tag)
			    : css_bucket_hash('*', S(""));
}

static bool
css_bucket_is_plain(const struct css_compound *c)
{
	return c->classes == 1 && c->tag.n == 0 && c->id.n == 0 &&
	    c->attr == NULL && c->test == NULL && !c->maybe &&
	    !str_has_char(c->class[0], CSS_SIGN);
}

void
css_bucket_put(struct css_sheet *sheet, struct css_rule *r)
{
	size_t k;

	r->key = css_bucket_key_of(&r->s->c[0]);
	r->plain = css_bucket_is_plain(&r->s->c[0]);
	k = r->key % CSS_BUCKETS;
	r->next = sheet->bucket[k];
	sheet->bucket[k] = r;
}

static void
css_bucket_apply_rule(const struct css_rule *r, struct css_set *set,
    const struct css_element *e, size_t *work)
{
	enum css_match m = css_match_selector(r->s, e, NULL, work);

	for (size_t i = 0; m != CSS_NO && i < r->ds; i++) {
		struct css_decl d = r->d[i];
		/* Custom properties are found by name. */
		size_t cost = d.prop == CSS_CUSTOM ? 2 * set->customs + 1 : 1;

		d.maybe |= m == CSS_MAYBE || r->maybe;
		css_set_put(set, &d, r->rank);
		*work -= *work > cost ? cost : *work;
	}
}

/* The keys under which an element finds rules. */
struct keys {
	uint32_t key[CLASSES_MAX + 3];
	size_t n;
	uint64_t bits;  /* a bit for each key, from the key's top bits */
	size_t classes; /* the number of steps to read its list of classes */
};

static void
add_key(struct keys *k, uint32_t key)
{
	k->key[k->n++] = key;
	k->bits |= 1ULL << (key >> 26);
}

/* False: there are more than CLASSES_MAX. */
static bool
css_bucket_add_classes(struct keys *k, struct str list)
{
	size_t i = 0;

	while (i < list.n) {
		size_t from;

		while (i < list.n && css_text_is_space(list.p[i]))
			i++;
		from = i;
		while (i < list.n && !css_text_is_space(list.p[i]))
			i++;
		k->classes++;
		if (i == from)
			break;
		if (k->n == sizeof(k->key) / sizeof(k->key[0]))
			return false;
		add_key(k,
		    css_bucket_hash('.',
			(struct str){ list.p + from, i - from }));
	}
	return true;
}

/*
 * The rules of one bucket: other keys share it, and most rules require a class
 * that the element does not have, as their bits show.  The cost is the same.
 */
static void
apply_bucket(const struct css_rule *r, const struct keys *k,
    struct css_set *set, const struct css_element *e, size_t *work)
{
	for (; r != NULL && *work > 0; r = r->next)
		if (!r->plain || (k->bits >> (r->key >> 26) & 1))
			css_bucket_apply_rule(r, set, e, work);
		else
			*work -= *work > k->classes ? k->classes + 1 : *work;
}

void
css_bucket_apply(const struct css_sheet *sheet, struct css_set *set,
    const struct css_element *e, size_t *work)
{
	struct keys k;

	if (e->whole != NULL)
		e = e->whole;
	k.n = k.classes = 0;
	k.bits = 0;
	add_key(&k, css_bucket_hash('*', S("")));
	add_key(&k, css_bucket_hash('t', str_of(e->tag)));
	if (e->id.n > 0)
		add_key(&k, css_bucket_hash('#', e->id));
	if (!css_bucket_add_classes(&k, e->class)) {
		set->unknown = true;
		k.bits = UINT64_MAX;
	}
	/* "&#97;" is a letter: the name may be any class. */
	if (str_has_char(e->class, '&'))
		k.bits = UINT64_MAX;
	/* No bucket twice: their order does not matter, only rank. */
	for (size_t i = 0; i < k.n; i++) {
		size_t b = k.key[i] % CSS_BUCKETS;
		bool again = sheet->bucket[b] == NULL;

		for (size_t m = 0; m < i && !again; m++)
			again = k.key[m] % CSS_BUCKETS == b;
		if (!again)
			apply_bucket(sheet->bucket[b], &k, set, e, work);
	}
	set->unknown |= sheet->opaque || *work == 0;
}
