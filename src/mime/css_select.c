/*
 * Selectors, Selectors 4: types, classes, ids, attributes, nth-child, and the
 * descendants, children and next siblings of such.  What is beyond that may
 * match.  Backtracking is bounded by the work that may be spent.
 */
#include <string.h>

#include "mime/css.h"

#define WORK_ATTR 8

static size_t
name_end(struct str s, size_t i)
{
	while (i < s.n && css_text_is_name(s.p[i]))
		i++;
	return i;
}

/* "2n+1", "odd", "3": what is in the parentheses of :nth-child(). */
static bool
read_nth(struct css_compound *c, struct str s)
{
	int v[2] = { 0, 0 }, sign = 1;
	bool n = false, digits = false;

	s = css_text_trim(s);
	if (str_eq_case(s, S("odd")))
		s = S("2n+1");
	else if (str_eq_case(s, S("even")))
		s = S("2n");
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (ch >= '0' && ch <= '9' && v[n] < 10000) {
			v[n] = v[n] * 10 + (ch - '0');
			digits = true;
		} else if ((ch == 'n' || ch == 'N') && !n) {
			v[0] = sign * (digits ? v[0] : 1);
			n = true;
			sign = 1;
			digits = false;
		} else if (ch == '-' || ch == '+') {
			sign = ch == '-' ? -1 : 1;
		} else if (!css_text_is_space(ch)) {
			return false;
		}
	}
	c->nth_a = n ? v[0] : 0;
	c->nth_b = sign * (n ? v[1] : v[0]);
	return c->nth_a != 0 || c->nth_b != 0;
}

static bool
is_in(struct str s, const struct str *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_case(s, list[i]))
			return true;
	return false;
}

/* ":hover", "::before", ":nth-child(2)"; returns what follows it. */
static size_t
read_pseudo(struct css_selector *sel, struct css_compound *c, struct str s,
    size_t i)
{
	static const struct str asleep[] = { SI("hover"), SI("active"),
		SI("focus"), SI("focus-within"), SI("focus-visible"),
		SI("visited"), SI("target"), SI("before"), SI("after"),
		SI("selection"), SI("placeholder"), SI("marker"),
		SI("backdrop"), SI("fullscreen"), SI("file-selector-button"),
		SI("-webkit-scrollbar") };
	static const struct str always[] = { SI("link"), SI("any-link"),
		SI("visited-link") };
	size_t end;
	struct str name;

	while (i < s.n && s.p[i] == ':')
		i++;
	end = name_end(s, i);
	name = (struct str){ s.p + i, end - i };
	i = end;
	if (i < s.n && s.p[i] == '(') {
		struct str args;

		end = css_text_span(s, i + 1, ")");
		args = (struct str){ s.p + i + 1, end - i - 1 };
		if (!str_eq_case(name, S("nth-child")) || !read_nth(c, args))
			c->maybe = true;
		return end < s.n ? end + 1 : end;
	}
	if (is_in(name, asleep, sizeof(asleep) / sizeof(asleep[0]))) {
		sel->never = true;
	} else if (str_eq_case(name, S("first-child"))) {
		c->nth_b = 1;
	} else if (str_eq_case(name, S("root"))) {
		c->root = true;
	} else if (!is_in(name, always, sizeof(always) / sizeof(always[0]))) {
		c->maybe = true;
	}
	return i;
}

/* "[name~=value]"; returns what follows it. */
static size_t
read_attr(struct css_compound *c, struct str s, size_t i)
{
	size_t end = css_text_span(s, i + 1, "]");
	struct str in = { s.p + i + 1, end - i - 1 };
	struct css_attr a = { 0 };
	size_t k;

	in = css_text_trim(in);
	k = name_end(in, 0);
	a.name = str_first(in, k);
	in = css_text_trim(str_from(in, k));
	if (in.n > 0) {
		a.op = in.p[0];
		in = str_from(in, in.p[0] == '=' ? 1 : 2);
		in = css_text_trim(in);
		if (in.n >= 2 && (in.p[0] == '"' || in.p[0] == '\'') &&
		    in.p[in.n - 1] == in.p[0])
			in = (struct str){ in.p + 1, in.n - 2 };
		else if (name_end(in, 0) != in.n)
			c->maybe = true; /* "i" behind it, or invalid */
		a.value = in;
	}
	if (a.name.n == 0 || c->attrs == CSS_ATTRS ||
	    (a.op != '\0' && strchr("=~|^$*", a.op) == NULL))
		c->maybe = true;
	else
		c->attr[c->attrs++] = a;
	return end < s.n ? end + 1 : end;
}

/* One compound from i on; returns what follows it. */
static size_t
read_compound(struct css_selector *sel, struct css_compound *c, struct str s,
    size_t i)
{
	while (i < s.n) {
		size_t end = name_end(s, i + 1);
		struct str name = { s.p + i + 1, end - i - 1 };

		switch (s.p[i]) {
		case '.':
			if (c->classes < CSS_CLASSES)
				c->class[c->classes++] = name;
			else
				c->maybe = true;
			/* ".1a" is none. */
			c->maybe |= name.n == 0 ||
			    (name.p[0] >= '0' && name.p[0] <= '9');
			i = end;
			break;
		case '#':
			c->maybe |= c->id.n > 0 || name.n == 0;
			c->id = name;
			i = end;
			break;
		case '*':
			i++;
			break;
		case ':':
			i = read_pseudo(sel, c, s, i);
			break;
		case '[':
			i = read_attr(c, s, i);
			break;
		default:
			end = name_end(s, i);
			if (end == i)
				return i;
			c->tag = (struct str){ s.p + i, end - i };
			i = end;
			break;
		}
	}
	return i;
}

static uint64_t
specificity(const struct css_compound *c)
{
	return (c->id.n > 0 ? 1ULL << 16 : 0) +
	    ((uint64_t)(c->classes + c->attrs + c->root +
		 (c->nth_a != 0 || c->nth_b != 0))
		<< 8) +
	    (c->tag.n > 0);
}

/* Compounds are read from the left and turned round. */
bool
css_select_read(struct css_selector *out, struct str text)
{
	struct css_compound *c = out->c, swap;
	size_t i = 0;
	char join = 0;

	out->n = 0;
	out->specificity = 0;
	out->never = out->maybe = false;
	text = css_text_trim(text);
	while (i < text.n) {
		size_t from = i;

		if (out->n == CSS_COMPOUNDS) {
			/* Those on the left are forgotten: it may match. */
			out->maybe = true;
			memmove(c, c + 1, (CSS_COMPOUNDS - 1) * sizeof(*c));
			out->n--;
		}
		memset(&c[out->n], 0, sizeof(*c));
		i = read_compound(out, &c[out->n], text, i);
		if (i == from) {
			out->maybe = true; /* a sign we do not know */
			i++;
		}
		c[out->n].join = join;
		out->specificity += specificity(&c[out->n]);
		out->n++;
		join = ' ';
		while (i < text.n &&
		    (css_text_is_space(text.p[i]) || text.p[i] == '>' ||
			text.p[i] == '+' || text.p[i] == '~')) {
			if (!css_text_is_space(text.p[i]))
				join = text.p[i];
			i++;
		}
	}
	for (i = 0; i < out->n / 2; i++) {
		swap = c[i];
		c[i] = c[out->n - 1 - i];
		c[out->n - 1 - i] = swap;
	}
	return out->n > 0;
}

static enum css_match
worse(enum css_match x, enum css_match y)
{
	return x < y ? x : y;
}

/* Are they the same?  Case counts where there is a doctype. */
static enum css_match
same(struct str want, struct str have)
{
	if (want.n == have.n && str_eq(want, have))
		return CSS_YES;
	if (want.n > 0 && memchr(want.p, CSS_SIGN, want.n) != NULL)
		return CSS_MAYBE;
	return str_eq_case(want, have) ? CSS_MAYBE : CSS_NO;
}

static enum css_match
has_class(struct str want, struct str list, size_t *work)
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
		it = same(want, (struct str){ list.p + from, i - from });
		best = it > best ? it : best;
		*work -= *work > 0;
	}
	/* "&#97;" is a letter. */
	if (best == CSS_NO && list.n > 0 && memchr(list.p, '&', list.n) != NULL)
		return CSS_MAYBE;
	return best;
}

static enum css_match
has_attr(const struct css_attr *a, const struct css_element *e, size_t *work)
{
	struct str value = S("");
	bool hit;

	*work -= *work > e->raw.n / WORK_ATTR ? e->raw.n / WORK_ATTR : *work;
	if (!html_token_attr(e->raw, a->name, &value))
		return CSS_NO;
	switch (a->op) {
	case '\0':
		return CSS_YES;
	case '=':
		return same(a->value, value);
	case '~':
		return has_class(a->value, value, work);
	case '^':
		hit = str_starts(value, a->value);
		break;
	case '$':
		hit = str_ends(value, a->value);
		break;
	case '*':
		hit = str_find(value, a->value) >= 0;
		break;
	default:
		return CSS_MAYBE;
	}
	return hit                                ? CSS_YES
	    : str_find_case(value, a->value) >= 0 ? CSS_MAYBE
						  : CSS_NO;
}

static bool
is_nth(const struct css_compound *c, unsigned nth)
{
	long rest = (long)nth - c->nth_b;

	if (c->nth_a == 0)
		return rest == 0;
	return rest % c->nth_a == 0 && rest / c->nth_a >= 0;
}

/* The name of an element is in lower case already. */
static bool
is_tag(struct str want, const char *tag)
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
compound(const struct css_compound *c, const struct css_element *e,
    size_t *work)
{
	enum css_match m = c->maybe ? CSS_MAYBE : CSS_YES;

	*work -= *work > 0;
	if (c->tag.n > 0 && !is_tag(c->tag, e->tag))
		return CSS_NO;
	if (c->root && strcmp(e->tag, "html") != 0)
		return CSS_NO;
	if ((c->nth_a != 0 || c->nth_b != 0) && !is_nth(c, e->nth))
		return CSS_NO;
	if (c->id.n > 0) {
		enum css_match it = same(c->id, e->id);

		if (it == CSS_NO && e->id.n > 0 &&
		    memchr(e->id.p, '&', e->id.n) != NULL)
			it = CSS_MAYBE;
		m = worse(m, it);
	}
	for (size_t i = 0; i < c->classes && m != CSS_NO; i++)
		m = worse(m, has_class(c->class[i], e -> class, work));
	for (size_t i = 0; i < c->attrs && m != CSS_NO; i++)
		m = worse(m, has_attr(&c->attr[i], e, work));
	return m;
}

/*
 * Where compound i is looked for, once i - 1 was found at e: an ancestor, the
 * parent or the sibling before.  NULL: nowhere.  Of siblings only the last is
 * known; *maybe says that there are others.
 */
static const struct css_element *
step(char join, const struct css_element *e, bool *maybe)
{
	if (join == ' ' || join == '>')
		return e->up;
	*maybe |= e->nth > 1 && (join == '~' || e->prev == NULL);
	return e->prev;
}

/*
 * The compounds from right to left.  Where one is not found the nearest
 * descendant's ancestor is looked for further up; what that costs is paid.
 */
enum css_match
css_select_match(const struct css_rule *r, const struct css_element *e,
    size_t *work)
{
	const struct css_element *at[CSS_COMPOUNDS] = { e };
	enum css_match all = compound(&r->c[0], e, work);
	bool maybe = false;
	size_t i = 1;

	if (all == CSS_NO)
		return CSS_NO;
	if (r->n > 1)
		at[1] = step(r->c[0].join, e, &maybe);
	while (i < r->n) {
		char join = r->c[i - 1].join;
		enum css_match it = CSS_NO;

		if (*work == 0)
			return CSS_MAYBE;
		if (at[i] != NULL)
			it = compound(&r->c[i], at[i], work);
		if (it != CSS_NO) {
			all = worse(all, it);
			i++;
			if (i < r->n)
				at[i] =
				    step(r->c[i - 1].join, at[i - 1], &maybe);
			continue;
		}
		if (join != ' ' && maybe && at[i] == NULL)
			return CSS_MAYBE;
		/* Back to a descendant that has ancestors left. */
		while (i > 0 && (r->c[i - 1].join != ' ' || at[i] == NULL))
			i--;
		if (i == 0)
			return maybe ? CSS_MAYBE : CSS_NO;
		at[i] = at[i]->up;
	}
	return maybe || r->maybe ? CSS_MAYBE : all;
}
