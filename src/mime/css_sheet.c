/*
 * Style sheets, CSS Syntax 3 section 5: a rule is kept when it says something
 * that can hide or show, under the id, class or type that its last compound
 * asks for.  At-rules nest; their depth is bounded.
 */
#include <string.h>

#include "base/limits.h"
#include "mime/css.h"

#define DEPTH 16
#define CLASSES_MAX 64

/* One "{": a rule of style, a condition, or something to pass over. */
struct level {
	enum css_match holds;
	struct str selector;
	bool is_rule;
	size_t begin; /* of its declarations in the block */
};

struct reader {
	struct css_sheet *sheet;
	struct css_block *block;
	struct level at[DEPTH];
	size_t depth;
	size_t beyond; /* levels beyond DEPTH */
};

/* What a rule is looked for by: "*", a type, an id or a class. */
static uint32_t
hash(char kind, struct str s)
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

/* Where a rule is looked for: a class or id with a sign in it anywhere. */
static uint32_t
key_of(const struct css_compound *c)
{
	if (c->id.n > 0 && memchr(c->id.p, CSS_SIGN, c->id.n) == NULL)
		return hash('#', c->id);
	for (size_t i = 0; i < c->classes; i++)
		if (c->class[i].n > 0 &&
		    memchr(c->class[i].p, CSS_SIGN, c->class[i].n) == NULL)
			return hash('.', c->class[i]);
	return c->tag.n > 0 ? hash('t', c->tag) : hash('*', S(""));
}

static bool
is_plain(const struct css_compound *c)
{
	return c->classes == 1 && c->tag.n == 0 && c->id.n == 0 &&
	    c->attrs == 0 && c->nth_a == 0 && c->nth_b == 0 && !c->root &&
	    !c->maybe && !str_has_char(c->class[0], CSS_SIGN);
}

static void
keep(struct css_sheet *sheet, const struct css_selector *sel, bool maybe,
    const struct css_decl *d, size_t n)
{
	struct css_rule *r;
	size_t k;

	if (sheet->rules == LIMIT_CSS_RULES) {
		sheet->over = sheet->opaque = true;
		return;
	}
	sheet->rules++;
	sheet->structural |= sel->n > 1 || sel->c[0].maybe ||
	    sel->c[0].nth_a != 0 || sel->c[0].nth_b != 0;
	for (size_t i = 0; i + 1 < sel->n; i++)
		sheet->siblings |=
		    sel->c[i].join == '+' || sel->c[i].join == '~';
	r = arena_new(sheet->a, struct css_rule);
	r->c = arena_array(sheet->a, sel->n, sizeof(*r->c));
	memcpy(r->c, sel->c, sel->n * sizeof(*r->c));
	r->n = sel->n;
	r->maybe = maybe || sel->maybe;
	r->rank = (sel->specificity << 24) + sheet->order + 2;
	r->d = d;
	r->ds = n;
	r->key = key_of(&r->c[0]);
	r->plain = is_plain(&r->c[0]);
	k = r->key % CSS_BUCKETS;
	r->next = sheet->bucket[k];
	sheet->bucket[k] = r;
}

/* Ends the run of declarations of the innermost rule. */
static void
flush(struct reader *r)
{
	struct level *l = &r->at[r->depth - 1];
	size_t n = r->block->n - l->begin, i = 0;
	struct css_selector sel;
	struct css_decl *d;

	r->sheet->opaque |= r->block->over;
	r->block->n = l->begin;
	if (n == 0 || l->holds == CSS_NO)
		return;
	d = arena_array(r->sheet->a, n, sizeof(*d));
	memcpy(d, r->block->d + l->begin, n * sizeof(*d));
	r->sheet->order++;
	while (i < l->selector.n) {
		size_t end = css_text_span(l->selector, i, ",");

		if (css_select_read(&sel,
			(struct str){ l->selector.p + i, end - i }) &&
		    !sel.never)
			keep(r->sheet, &sel, l->holds == CSS_MAYBE, d, n);
		i = end + 1;
	}
}

/* "@media ..." and its like; what it holds is passed over when it is NO. */
static enum css_match
at_rule(struct str head)
{
	static const struct str conditions[] = { SI("@supports"), SI("@layer"),
		SI("@container"), SI("@scope"), SI("@starting-style"),
		SI("@document"), SI("@-moz-document") };

	if (str_starts_case(head, S("@media")))
		return css_media_holds(str_from(head, 6));
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (str_starts_case(head, conditions[i]))
			return CSS_MAYBE;
	return CSS_NO;
}

/* "<!--" and "-->" are nothing in a sheet. */
static struct str
without_comment_marks(struct str s)
{
	for (;;) {
		s = css_text_trim(s);
		if (str_starts(s, S("<!--")))
			s = str_from(s, 4);
		else if (str_starts(s, S("-->")))
			s = str_from(s, 3);
		else
			return s;
	}
}

static void
open_level(struct reader *r, struct str head)
{
	struct level *up = r->depth > 0 ? &r->at[r->depth - 1] : NULL;
	struct level *l = &r->at[r->depth];
	enum css_match holds = up != NULL ? up->holds : CSS_YES, it;

	if (r->depth == DEPTH) {
		r->beyond++;
		r->sheet->opaque |= holds != CSS_NO;
		return;
	}
	head = without_comment_marks(head);
	if (up != NULL && up->is_rule)
		flush(r);
	*l = (struct level){ .begin = r->block->n };
	if (head.n > 0 && head.p[0] == '@') {
		it = at_rule(head);
		/* Within a rule it speaks of the rule's elements. */
		l->is_rule = up != NULL && up->is_rule;
		l->selector = l->is_rule ? up->selector : S("");
	} else {
		it = up != NULL && up->is_rule ? CSS_MAYBE : CSS_YES;
		l->is_rule = true;
		l->selector = head;
	}
	l->holds = it < holds ? it : holds;
	r->depth++;
}

static void
close_level(struct reader *r)
{
	if (r->beyond > 0) {
		r->beyond--;
		return;
	}
	if (r->depth == 0)
		return;
	if (r->at[r->depth - 1].is_rule)
		flush(r);
	r->depth--;
}

/* What stands before a ";" or "}". */
static void
statement(struct reader *r, struct str s)
{
	if (r->beyond > 0)
		return;
	if (r->depth > 0) {
		if (r->at[r->depth - 1].is_rule)
			css_decl_read_one(r->block, s);
		return;
	}
	s = without_comment_marks(s);
	/* A sheet that comes with the mail is not looked for. */
	if (str_starts_case(s, S("@import")) &&
	    str_find_case(s, S("data:")) >= 0)
		r->sheet->opaque = true;
}

void
css_sheet_add(struct css_sheet *sheet, struct str text, struct str media)
{
	struct reader r = { .sheet = sheet };
	enum css_match holds = css_media_holds(media);
	size_t i = 0;

	if (holds == CSS_NO)
		return;
	if (text.n > LIMIT_CSS - sheet->bytes) {
		sheet->over = sheet->opaque = true;
		return;
	}
	sheet->bytes += text.n;
	text = css_text_plain(sheet->a, text);
	if (sheet->block == NULL)
		sheet->block = arena_new(sheet->a, struct css_block);
	r.block = sheet->block;
	r.block->n = 0;
	r.block->over = false;
	if (holds == CSS_MAYBE) {
		r.at[0].holds = CSS_MAYBE;
		r.depth = 1;
	}
	while (i < text.n) {
		size_t end = css_text_span(text, i, ";{}");
		struct str chunk = { text.p + i, end - i };
		bool ends = end == text.n || text.p[end] == '}';

		if (!ends && text.p[end] == '{') {
			open_level(&r, chunk);
		} else {
			statement(&r, chunk);
			if (ends && r.depth > (holds == CSS_MAYBE))
				close_level(&r);
		}
		i = end + 1;
	}
	while (r.depth > 0)
		close_level(&r);
}

static void
apply_rule(const struct css_rule *r, struct css_set *set,
    const struct css_element *e, size_t *work)
{
	enum css_match m = css_select_match(r, e, work);

	for (size_t i = 0; m != CSS_NO && i < r->ds; i++) {
		struct css_decl d = r->d[i];

		d.maybe |= m == CSS_MAYBE;
		css_set_put(set, &d, r->rank);
		*work -= *work > 0;
	}
}

/* What an element is looked for by. */
struct keys {
	uint32_t key[CLASSES_MAX + 3];
	size_t n;
	uint64_t bits;  /* a bit of each key, by what tells it in its bucket */
	size_t classes; /* how many steps its list of classes takes */
};

static void
add_key(struct keys *k, uint32_t key)
{
	k->key[k->n++] = key;
	k->bits |= 1ULL << (key >> 26);
}

/* False: there are more than we count. */
static bool
add_classes(struct keys *k, struct str list)
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
		add_key(k, hash('.', (struct str){ list.p + from, i - from }));
	}
	return true;
}

/*
 * The rules of one bucket: others share it, and most of them ask for a class
 * that the element has not, which its bits tell at once.  It costs the same.
 */
static void
apply_bucket(const struct css_rule *r, const struct keys *k,
    struct css_set *set, const struct css_element *e, size_t *work)
{
	for (; r != NULL && *work > 0; r = r->next)
		if (!r->plain || (k->bits >> (r->key >> 26) & 1))
			apply_rule(r, set, e, work);
		else
			*work -= *work > k->classes ? k->classes + 1 : *work;
}

void
css_sheet_apply(const struct css_sheet *sheet, struct css_set *set,
    const struct css_element *e, size_t *work)
{
	struct keys k;

	k.n = k.classes = 0;
	k.bits = 0;
	add_key(&k, hash('*', S("")));
	add_key(&k, hash('t', str_of(e->tag)));
	if (e->id.n > 0)
		add_key(&k, hash('#', e->id));
	if (!add_classes(&k, e->class)) {
		set->unknown = true;
		k.bits = UINT64_MAX;
	}
	/* "&#97;" is a letter: it may be any class. */
	if (str_has_char(e->class, '&'))
		k.bits = UINT64_MAX;
	/* No bucket twice: their order does not count, rank does. */
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
