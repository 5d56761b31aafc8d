/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pseudo-classes of an element.  The content after an element is known if the
 * whole page was read first; else the answer is maybe.
 */
#include <string.h>

#include "html/css_select.h"

static enum css_match
css_test_not(enum css_match m)
{
	return m == CSS_MAYBE ? CSS_MAYBE : m == CSS_YES ? CSS_NO : CSS_YES;
}

static enum css_match
css_test_yes(bool is)
{
	return is ? CSS_YES : CSS_NO;
}

static enum css_match
css_test_is_nth(const struct css_test *t, unsigned nth)
{
	long rest = (long)nth - t->b;

	if (t->a == 0)
		return css_test_yes(rest == 0);
	return css_test_yes(rest % t->a == 0 && rest / t->a >= 0);
}

/* Does a sibling count in the numbering of e? */
static enum css_match
css_test_counts(const struct css_test *t, const struct css_element *e,
    const struct css_element *k, const struct css_element *anchor, size_t *work)
{
	if (t->kind == CSS_TEST_NTH_TYPE || t->kind == CSS_TEST_NTH_LAST_TYPE)
		return css_test_yes(strcmp(e->tag, k->tag) == 0);
	return t->list == NULL ? CSS_YES
			       : css_match_list(t->list, k, anchor, work);
}

/* The index of e among those that count, from the start or the end. */
static enum css_match
css_test_index_of(const struct css_test *t, const struct css_element *e,
    const struct css_element *anchor, size_t *work)
{
	bool last =
	    t->kind == CSS_TEST_NTH_LAST || t->kind == CSS_TEST_NTH_LAST_TYPE;
	const struct css_element *k;
	unsigned nth = 1;

	if (t->kind == CSS_TEST_NTH && t->list == NULL)
		return css_test_is_nth(t, e->nth);
	if (e->whole == NULL)
		return CSS_MAYBE;
	if (t->kind == CSS_TEST_NTH_LAST && t->list == NULL)
		return e->up == NULL
		    ? CSS_MAYBE
		    : css_test_is_nth(t, e->up->children - e->nth + 1);
	if (t->list != NULL) {
		enum css_match it = css_match_list(t->list, e, anchor, work);

		if (it != CSS_YES)
			return it;
	}
	for (k = last ? e->next : e->prev; k != NULL;
	     k = last ? k->next : k->prev) {
		enum css_match it = css_test_counts(t, e, k, anchor, work);

		*work -= *work > 0;
		if (it == CSS_MAYBE || *work == 0)
			return CSS_MAYBE;
		nth += it == CSS_YES;
	}
	return css_test_is_nth(t, nth);
}

/* The next element after k in document order, within `top`. */
static const struct css_element *
css_test_next_of(const struct css_element *k, const struct css_element *top,
    bool deep)
{
	if (deep && k->first != NULL)
		return k->first;
	while (k != top && k->next == NULL && deep)
		k = k->up;
	return k == top ? NULL : k->next;
}

/*
 * One selector of :css_test_has(), tried on the elements within e or after it.
 */
static enum css_match
css_test_has_one(const struct css_selector *s, const struct css_element *e,
    size_t *work)
{
	char join = s->c[s->n - 2].join;
	bool behind = join == '+' || join == '~';
	bool deep = join == ' ' || s->n > 2;
	const struct css_element *k = behind ? e->next : e->first;
	const struct css_element *top = behind ? e->up : e;
	enum css_match best = CSS_NO;

	while (k != NULL && best != CSS_YES) {
		enum css_match it;

		if (*work == 0)
			return CSS_MAYBE;
		it = css_match_selector(s, k, e, work);
		best = it > best ? it : best;
		k = css_test_next_of(k, top, deep);
	}
	return best;
}

static enum css_match
css_test_has(const struct css_test *t, const struct css_element *e,
    size_t *work)
{
	enum css_match best = CSS_NO;

	if (e->whole == NULL)
		return CSS_MAYBE;
	for (const struct css_selector *s = t->list;
	     s != NULL && best != CSS_YES; s = s->next) {
		enum css_match it =
		    s->n < 2 ? CSS_MAYBE : css_test_has_one(s, e, work);

		best = it > best ? it : best;
	}
	return best;
}

/* The attribute of the nearest element that has it. */
static enum css_match
css_test_inherited(const struct css_test *t, const struct css_element *e,
    size_t *work)
{
	bool is_lang = t->kind == CSS_TEST_LANG;
	struct str want = t->text, value;
	char room[64];

	if (want.n > 1 && (want.p[0] == '"' || want.p[0] == '\''))
		want = (struct str){ want.p + 1, want.n - 2 };
	if (str_has_char(want, ',') || str_has_char(want, '*'))
		return CSS_MAYBE;
	for (; e != NULL && *work > 0; e = e->up) {
		if (!css_match_value(e, is_lang ? S("lang") : S("dir"), room,
			sizeof(room), &value, work))
			continue;
		if (!is_lang)
			return str_eq_case(value, S("auto"))
			    ? CSS_MAYBE
			    : css_test_yes(str_eq_case(want, value));
		return css_test_yes(str_starts_case(value, want) &&
		    (value.n == want.n || value.p[want.n] == '-'));
	}
	return css_test_yes(!is_lang && str_eq_case(want, S("ltr")));
}

static enum css_match
css_test_is_link(const struct css_element *e, size_t *work)
{
	struct str value;
	char room[16];

	if (strcmp(e->tag, "a") != 0 && strcmp(e->tag, "area") != 0)
		return CSS_NO;
	return css_test_yes(
	    css_match_value(e, S("href"), room, sizeof(room), &value, work));
}

/* Is "a" one of the words of " a b "? */
static enum css_match
css_test_is_of(struct str tags, const char *tag)
{
	struct str name = str_of(tag);

	for (size_t i = 1; i + name.n < tags.n; i++)
		if (tags.p[i - 1] == ' ' && tags.p[i + name.n] == ' ' &&
		    str_starts(str_from(tags, i), name))
			return name.n > 0 ? CSS_MAYBE : CSS_NO;
	return CSS_NO;
}

static enum css_match
css_test_is_empty(const struct css_element *e)
{
	return e->whole == NULL ? CSS_MAYBE
				: css_test_yes(e->first == NULL && !e->text);
}

enum css_match
css_test_match(const struct css_test *t, const struct css_element *e,
    const struct css_element *anchor, size_t *work)
{
	switch (t->kind) {
	case CSS_TEST_IS:
		return css_match_list(t->list, e, anchor, work);
	case CSS_TEST_NOT:
		return css_test_not(css_match_list(t->list, e, anchor, work));
	case CSS_TEST_HAS:
		return css_test_has(t, e, work);
	case CSS_TEST_NTH:
	case CSS_TEST_NTH_LAST:
	case CSS_TEST_NTH_TYPE:
	case CSS_TEST_NTH_LAST_TYPE:
		return css_test_index_of(t, e, anchor, work);
	case CSS_TEST_EMPTY:
		return css_test_is_empty(e);
	case CSS_TEST_ROOT:
		return css_test_yes(strcmp(e->tag, "html") == 0);
	case CSS_TEST_LINK:
		return css_test_is_link(e, work);
	case CSS_TEST_LANG:
	case CSS_TEST_DIR:
		return css_test_inherited(t, e, work);
	case CSS_TEST_DEFINED:
		return css_test_yes(strchr(e->tag, '-') == NULL);
	case CSS_TEST_TAGS:
		return css_test_is_of(t->text, e->tag);
	case CSS_TEST_NEVER:
		return CSS_NO;
	case CSS_TEST_MAYBE:
		break;
	}
	return CSS_MAYBE;
}
