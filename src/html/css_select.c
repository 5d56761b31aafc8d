/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads selectors, Selectors 4: types, classes, ids, attributes, their
 * combinators, and "&".  A selector that no browser accepts drops the whole
 * list, as in browsers.
 */
#include <string.h>

#include "base/ascii.h"
#include "html/css_select.h"

size_t
css_select_name(struct str s, size_t i)
{
	while (i < s.n && css_text_is_name(s.p[i]))
		i++;
	return i;
}

/* An identifier, CSS Syntax 3 section 4.3.9, after its escapes became signs. */
static bool
is_ident(struct str s)
{
	if (s.n == 0 || ascii_is_digit(s.p[0]) || css_select_name(s, 0) != s.n)
		return false;
	return s.p[0] != '-' || (s.n > 1 && !ascii_is_digit(s.p[1]));
}

/* "i" or "s" after a value. */
static bool
css_select_read_flag(struct css_attr *a, struct str s)
{
	s = css_text_trim(s);
	a->no_case = str_eq_case(s, S("i"));
	return s.n == 0 || a->no_case || str_eq_case(s, S("s"));
}

/* The part after an attribute's name: "~=value", "= 'value' i". */
static bool
css_select_read_value(struct css_attr *a, struct str in)
{
	size_t end;

	a->op = in.p[0];
	if (a->op != '=') {
		if (strchr("~|^$*", a->op) == NULL || in.n < 2 ||
		    in.p[1] != '=')
			return false;
		in = str_from(in, 1);
	}
	in = css_text_trim(str_from(in, 1));
	if (in.n == 0)
		return false;
	if (in.p[0] != '"' && in.p[0] != '\'') {
		end = css_select_name(in, 0);
		a->value = str_first(in, end);
		return is_ident(a->value) &&
		    css_select_read_flag(a, str_from(in, end));
	}
	for (end = 1; end < in.n && in.p[end] != in.p[0]; end++)
		;
	a->value = (struct str){ in.p + 1, end - 1 };
	return css_select_read_flag(a, str_from(in, end + 1));
}

/* "[name~=value]"; *i moves after it. */
static enum css_read
css_select_read_attr(struct css_reader *r, struct css_selector *sel,
    struct css_compound *c, struct str s, size_t *i)
{
	size_t end = css_text_span(s, *i + 1, "]"), k;
	struct str in = { s.p + *i + 1, end - *i - 1 };
	struct css_attr a = { 0 };

	*i = end < s.n ? end + 1 : end;
	in = css_text_trim(in);
	if (str_starts(in, S("*|")) || str_starts(in, S("|")))
		in = str_from(in, in.p[0] == '*' ? 2 : 1);
	k = css_select_name(in, 0);
	a.name = str_first(in, k);
	in = css_text_trim(str_from(in, k));
	if (!is_ident(a.name) || (in.n > 0 && !css_select_read_value(&a, in)))
		return CSS_READ_BAD;
	a.next = c->attr;
	c->attr = arena_new(r->a, struct css_attr);
	*c->attr = a;
	sel->specificity += 1U << 8;
	return CSS_READ_GOOD;
}

/* A class or an id. */
static enum css_read
css_select_read_named(struct css_compound *c, struct str s, size_t *i)
{
	bool is_class = s.p[*i] == '.';
	size_t end = css_select_name(s, *i + 1);
	struct str name = { s.p + *i + 1, end - *i - 1 };

	*i = end;
	if (!is_ident(name))
		return CSS_READ_BAD;
	if (!is_class) {
		c->maybe |= c->id.n > 0 && !str_eq(c->id, name);
		c->id = name;
	} else if (c->classes < CSS_CLASSES) {
		c->class[c->classes++] = name;
	} else {
		c->maybe = true;
	}
	return CSS_READ_GOOD;
}

/* A type, which comes first; any namespace or none. */
static enum css_read
css_select_read_type(struct css_compound *c, struct str s, size_t *i)
{
	size_t end;

	if (s.p[*i] == '*') {
		(*i)++;
		if (*i == s.n || s.p[*i] != '|')
			return CSS_READ_GOOD;
		(*i)++;
		if (*i < s.n && s.p[*i] == '*') {
			(*i)++;
			return CSS_READ_GOOD;
		}
	}
	end = css_select_name(s, *i);
	c->tag = (struct str){ s.p + *i, end - *i };
	*i = end;
	return is_ident(c->tag) && (end == s.n || s.p[end] != '|')
	    ? CSS_READ_GOOD
	    : CSS_READ_BAD;
}

/* "&": the elements of the rule around this one. */
static enum css_read
css_select_read_parent(struct css_reader *r, struct css_selector *sel,
    struct css_compound *c)
{
	struct css_test *t = arena_new(r->a, struct css_test);
	uint64_t most = 0;

	t->kind = r->parent != NULL ? CSS_TEST_IS : CSS_TEST_ROOT;
	t->list = r->parent;
	t->next = c->test;
	c->test = t;
	for (const struct css_selector *k = r->parent; k != NULL; k = k->next)
		most = k->specificity > most ? k->specificity : most;
	sel->specificity += most;
	return CSS_READ_GOOD;
}

/* One compound from *i on; *i moves after it. */
static enum css_read
css_select_read_compound(struct css_reader *r, struct css_selector *sel,
    struct css_compound *c, struct str s, size_t *i)
{
	enum css_read is = CSS_READ_GOOD;
	size_t from = *i;

	if (*i < s.n && (s.p[*i] == '*' || css_text_is_name(s.p[*i])))
		is = css_select_read_type(c, s, i);
	while (is == CSS_READ_GOOD && *i < s.n) {
		switch (s.p[*i]) {
		case '.':
		case '#':
			is = css_select_read_named(c, s, i);
			break;
		case '[':
			is = css_select_read_attr(r, sel, c, s, i);
			break;
		case ':':
			is = css_pseudo_read(r, sel, c, s, i);
			break;
		case '&':
			(*i)++;
			is = css_select_read_parent(r, sel, c);
			break;
		default:
			return *i > from ? is : CSS_READ_BAD;
		}
	}
	return *i > from ? is : CSS_READ_BAD;
}

static bool
is_join(char c)
{
	return c == '>' || c == '+' || c == '~';
}

/* White space and at most one combinator; false if there are more. */
static bool
css_select_read_join(struct str s, size_t *i, char *join)
{
	size_t signs = 0;

	for (*join = ' ';
	     *i < s.n && (css_text_is_space(s.p[*i]) || is_join(s.p[*i]));
	     (*i)++)
		if (is_join(s.p[*i])) {
			*join = s.p[*i];
			signs++;
		}
	return signs <= 1;
}

/* The compounds of one selector as they are read, from the left. */
struct row {
	struct css_compound c[CSS_COMPOUNDS];
	size_t n;
	bool maybe;
};

static struct css_compound *
css_select_add_compound(struct row *w, char join)
{
	struct css_compound *c = w->c;

	if (w->n == CSS_COMPOUNDS) {
		/*
		 * Drops the leftmost compounds: the selector then only may
		 * match.
		 */
		w->maybe = true;
		memmove(c, c + 1, (CSS_COMPOUNDS - 1) * sizeof(*c));
		w->n--;
	}
	memset(&c[w->n], 0, sizeof(*c));
	c[w->n].join = join;
	return &c[w->n++];
}

static uint64_t
css_select_specificity(const struct css_compound *c)
{
	return (c->id.n > 0 ? 1ULL << 16 : 0) + ((uint64_t)c->classes << 8) +
	    (c->tag.n > 0);
}

static void
css_select_note(struct css_reader *r, const struct row *w)
{
	size_t next = 0;

	for (size_t i = 1; i < w->n; i++) {
		next += w->c[i].join == '+';
		r->whole |= w->c[i].join == '~';
	}
	r->structural |= w->n > 1;
	r->siblings |= next > 0;
	r->whole |= next > 1;
}

/* Reverses the compounds and copies them into the arena. */
static void
css_select_keep(struct css_reader *r, const struct row *w,
    struct css_selector *out)
{
	out->c = arena_array(r->a, w->n, sizeof(*out->c));
	out->n = w->n;
	out->maybe |= w->maybe;
	for (size_t i = 0; i < w->n; i++)
		out->c[i] = w->c[w->n - 1 - i];
	css_select_note(r, w);
}

/* The implied start of a selector: the element of :has(), or "&". */
static enum css_read
css_select_read_begin(struct css_reader *r, struct css_selector *out,
    struct row *w, struct str s, bool relative, size_t *i, char *join)
{
	bool leads = s.n > 0 && is_join(s.p[0]);

	*join = 0;
	if (relative) {
		css_select_add_compound(w, 0)->anchor = true;
		r->whole = true;
	} else if (r->parent != NULL && (leads || !str_has_char(s, '&'))) {
		(void)css_select_read_parent(r, out,
		    css_select_add_compound(w, 0));
	} else {
		return leads ? CSS_READ_BAD : CSS_READ_GOOD;
	}
	return css_select_read_join(s, i, join) ? CSS_READ_GOOD : CSS_READ_BAD;
}

/* One selector. */
static enum css_read
css_select_read_one(struct css_reader *r, struct str s, bool relative,
    struct css_selector *out)
{
	struct row w;
	enum css_read is;
	size_t i = 0;
	char join;

	w.n = 0;
	w.maybe = false;
	s = css_text_trim(s);
	if (s.n == 0)
		return CSS_READ_BAD;
	is = css_select_read_begin(r, out, &w, s, relative, &i, &join);
	while (is == CSS_READ_GOOD) {
		struct css_compound *c = css_select_add_compound(&w, join);

		is = css_select_read_compound(r, out, c, s, &i);
		out->specificity += css_select_specificity(c);
		if (is != CSS_READ_GOOD || i == s.n)
			break;
		if (!css_text_is_space(s.p[i]) && !is_join(s.p[i]))
			return CSS_READ_BAD;
		if (!css_select_read_join(s, &i, &join) || i == s.n)
			return CSS_READ_BAD;
	}
	if (is == CSS_READ_GOOD)
		css_select_keep(r, &w, out);
	return is;
}

/*
 * A list, at commas.  One invalid selector makes the whole list invalid, except
 * in a forgiving list.
 */
static enum css_read
css_select_read_list(struct css_reader *r, struct str s, bool relative,
    bool forgive, const struct css_selector **out)
{
	enum css_read worst = CSS_READ_GOOD;
	size_t i = 0;

	*out = NULL;
	for (;;) {
		size_t end = css_text_span(s, i, ",");
		struct css_selector *one = arena_new(r->a, struct css_selector);
		enum css_read is;

		is = css_select_read_one(r, (struct str){ s.p + i, end - i },
		    relative, one);
		worst = is < worst ? is : worst;
		if (is == CSS_READ_GOOD) {
			*out = one;
			out = &one->next;
		} else if (is == CSS_READ_BAD && !forgive) {
			return is;
		}
		if (end == s.n)
			break;
		i = end + 1;
	}
	return forgive ? CSS_READ_GOOD : worst;
}

enum css_read
css_select_read(struct css_reader *r, struct str text,
    const struct css_selector **out)
{
	return css_select_read_list(r, text, false, false, out);
}

enum css_read
css_select_forgive(struct css_reader *r, struct str text,
    const struct css_selector **out)
{
	return css_select_read_list(r, text, false, true, out);
}

enum css_read
css_select_relative(struct css_reader *r, struct str text,
    const struct css_selector **out)
{
	return css_select_read_list(r, text, true, false, out);
}
