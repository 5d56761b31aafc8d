/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches selectors from right to left.  A work budget limits backtracking;
 * when it is used up, the answer is maybe.
 */
#include <string.h>

#include "base/utf8.h"
#include "html/css_select.h"

#define WORK_ATTR 8
#define VALUE_MAX 2048

static enum css_match
css_match_worse(enum css_match x, enum css_match y)
{
	return x < y ? x : y;
}

/* The same, except that a sign in a name matches any character. */
static bool
css_match_is_like(struct str want, struct str have)
{
	size_t i = 0;

	while (i < want.n && i < have.n &&
	    (want.p[i] == have.p[i] || want.p[i] == CSS_SIGN))
		i++;
	return i == want.n && i == have.n;
}

/* With a doctype, case matters. */
enum css_match
css_match_same(struct str want, struct str have)
{
	if (want.n != have.n)
		return CSS_NO;
	if (str_eq(want, have))
		return CSS_YES;
	return str_eq_case(want, have) || css_match_is_like(want, have)
	    ? CSS_MAYBE
	    : CSS_NO;
}

static enum css_match
css_match_has_class(struct str want, struct str list, size_t *work)
{
	enum css_match best = CSS_NO;
	size_t i = 0;

	while (i < list.n && best != CSS_YES) {
		size_t from;
		enum css_match it;

		while (i < list.n && css_text_is_space(list.p[i]))
			i++;
		from = i;
		while (i < list.n && !css_text_is_space(list.p[i]))
			i++;
		it = css_match_same(want,
		    (struct str){ list.p + from, i - from });
		best = it > best ? it : best;
		*work -= *work > 0;
	}
	return best;
}

/*
 * References are decoded: "&#97;" is a letter.  Decoding never lengthens much:
 * the shortest, "&lt", is nearly as long as the longest result.
 */
static bool
css_match_plain_value(struct str s, char *room, size_t n, struct str *out)
{
	size_t used = 0, i = 0;

	if (2 * s.n + 8 > n)
		return false;
	while (i < s.n) {
		uint32_t cp[2] = { 0, 0 };
		size_t step =
		    s.p[i] == '&' ? html_entity_read(s, i, true, cp) : 0;

		if (step == 0) {
			room[used++] = s.p[i++];
			continue;
		}
		i += step;
		for (size_t k = 0; k < 2 && cp[k] != 0; k++)
			used += utf8_put(room + used, cp[k]);
	}
	*out = (struct str){ room, used };
	return true;
}

bool
css_match_value(const struct css_element *e, struct str name, char *room,
    size_t n, struct str *value, size_t *work)
{
	*work -= *work > e->raw.n / WORK_ATTR ? e->raw.n / WORK_ATTR : *work;
	*value = S("");
	if (!html_token_attr(e->raw, name, value))
		return false;
	if (str_has_char(*value, '&') &&
	    !css_match_plain_value(*value, room, n, value))
		*value = str_first(*value, 0);
	return true;
}

/* Is one a prefix, a suffix or a part of the other? */
static bool
css_match_is_part(const struct css_attr *a, struct str value)
{
	if (a->value.n == 0)
		return false;
	switch (a->op) {
	case '^':
		return a->no_case ? str_starts_case(value, a->value)
				  : str_starts(value, a->value);
	case '$':
		return a->no_case ? str_ends_case(value, a->value)
				  : str_ends(value, a->value);
	case '*':
		return (a->no_case ? str_find_case(value, a->value)
				   : str_find(value, a->value)) >= 0;
	default: /* "|=": the whole value, or the part before a "-" */
		return str_starts(value, a->value) &&
		    (value.n == a->value.n || value.p[a->value.n] == '-');
	}
}

static enum css_match
css_match_has_attr(const struct css_attr *a, const struct css_element *e,
    size_t *work)
{
	char room[VALUE_MAX];
	struct str value;

	if (!css_match_value(e, a->name, room, sizeof(room), &value, work))
		return CSS_NO;
	switch (a->op) {
	case '\0':
		return CSS_YES;
	case '=':
		if (a->no_case)
			return str_eq_case(a->value, value) ? CSS_YES : CSS_NO;
		return css_match_same(a->value, value);
	case '~':
		return css_match_has_class(a->value, value, work);
	default:
		if (css_match_is_part(a, value))
			return CSS_YES;
		/* In the values of some attributes case does not matter. */
		return str_has_char(a->value, CSS_SIGN) ||
			(a->value.n > 0 && a->op != '|' &&
			    str_find_case(value, a->value) >= 0)
		    ? CSS_MAYBE
		    : CSS_NO;
	}
}

/* The name of an element is already in lower case. */
static bool
css_match_is_tag(struct str want, const char *tag)
{
	size_t i = 0;

	while (i < want.n && tag[i] != '\0' &&
	    (want.p[i] == tag[i] ||
		(want.p[i] >= 'A' && want.p[i] <= 'Z' &&
		    want.p[i] + 32 == tag[i])))
		i++;
	return i == want.n && tag[i] == '\0';
}

static enum css_match
css_match_compound(const struct css_compound *c, const struct css_element *e,
    const struct css_element *anchor, size_t *work)
{
	enum css_match m = c->maybe ? CSS_MAYBE : CSS_YES;

	*work -= *work > 0;
	if (c->anchor)
		return e == anchor ? CSS_YES : CSS_NO;
	if (c->tag.n > 0 && !css_match_is_tag(c->tag, e->tag))
		return CSS_NO;
	if (c->id.n > 0)
		m = css_match_worse(m, css_match_same(c->id, e->id));
	for (size_t i = 0; i < c->classes && m != CSS_NO; i++)
		m = css_match_worse(m,
		    css_match_has_class(c->class[i], e -> class, work));
	for (const struct css_attr *a = c->attr; a != NULL && m != CSS_NO;
	     a = a->next)
		m = css_match_worse(m, css_match_has_attr(a, e, work));
	for (const struct css_test *t = c->test; t != NULL && m != CSS_NO;
	     t = t->next)
		m = css_match_worse(m, css_test_match(t, e, anchor, work));
	return m;
}

/*
 * The next candidate for compound i, after i - 1 matched e: an ancestor, the
 * parent or a previous sibling.  NULL: none.  If siblings are unknown, *maybe
 * says that there are some.
 */
static const struct css_element *
css_match_step(char join, const struct css_element *e, bool *maybe)
{
	if (join == ' ' || join == '>')
		return e->up;
	*maybe |= e->nth > 1 && e->prev == NULL;
	return e->prev;
}

/*
 * The compounds from right to left.  If one does not match, the search
 * continues at the nearest descendant's next ancestor, or at an earlier
 * sibling; each step is paid from *work.
 */
enum css_match
css_match_selector(const struct css_selector *s, const struct css_element *e,
    const struct css_element *anchor, size_t *work)
{
	const struct css_element *at[CSS_COMPOUNDS];
	enum css_match all = css_match_compound(&s->c[0], e, anchor, work);
	bool maybe = false;
	size_t i = 1;

	if (all == CSS_NO)
		return CSS_NO;
	at[0] = e;
	if (s->n > 1)
		at[1] = css_match_step(s->c[0].join, e, &maybe);
	while (i < s->n) {
		char join;
		enum css_match it = CSS_NO;

		if (*work == 0)
			return CSS_MAYBE;
		if (at[i] != NULL)
			it = css_match_compound(&s->c[i], at[i], anchor, work);
		if (it != CSS_NO) {
			all = css_match_worse(all, it);
			i++;
			if (i < s->n)
				at[i] = css_match_step(s->c[i - 1].join,
				    at[i - 1], &maybe);
			continue;
		}
		if (s->c[i - 1].join != ' ' && maybe && at[i] == NULL)
			return CSS_MAYBE;
		/* Back to a compound that has other candidates. */
		for (join = s->c[i - 1].join; i > 0; i--) {
			join = s->c[i - 1].join;
			if ((join == ' ' || join == '~') && at[i] != NULL)
				break;
		}
		if (i == 0)
			return maybe ? CSS_MAYBE : CSS_NO;
		at[i] = join == ' ' ? at[i]->up : at[i]->prev;
	}
	return maybe || s->maybe ? CSS_MAYBE : all;
}

enum css_match
css_match_list(const struct css_selector *s, const struct css_element *e,
    const struct css_element *anchor, size_t *work)
{
	enum css_match best = CSS_NO;

	for (; s != NULL && best != CSS_YES; s = s->next) {
		enum css_match it = css_match_selector(s, e, anchor, work);

		best = it > best ? it : best;
	}
	return best;
}
