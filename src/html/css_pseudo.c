/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads pseudo-classes and pseudo-elements.  A name that is in no table makes
 * the selector invalid, which drops the rule as in browsers; another browser
 * may know the name, and then it is unknown what is seen.
 */
#include <string.h>

#include "html/css_select.h"

#define DEPTH 8 /* of nested brackets */

/* Meanings of names, in addition to the kinds of tests. */
enum {
	YES = CSS_TEST_MAYBE + 1, /* matches every element */
	LAST,                     /* both first and last, and similar */
	ONLY,
	FIRST_TYPE,
	LAST_TYPE,
	ONLY_TYPE,
	FIRST,
	WHERE,
	ELEMENT, /* a legacy pseudo-element */
	PART,    /* the first line or letter */
};

static const struct {
	struct str name;
	int kind;
	struct str tags;
} plain[] = {
	{ SI("link"), CSS_TEST_LINK, SI("") },
	{ SI("any-link"), CSS_TEST_LINK, SI("") },
	{ SI("-webkit-any-link"), CSS_TEST_LINK, SI("") },
	{ SI("first-child"), FIRST, SI("") },
	{ SI("last-child"), LAST, SI("") },
	{ SI("only-child"), ONLY, SI("") },
	{ SI("first-of-type"), FIRST_TYPE, SI("") },
	{ SI("last-of-type"), LAST_TYPE, SI("") },
	{ SI("only-of-type"), ONLY_TYPE, SI("") },
	{ SI("empty"), CSS_TEST_EMPTY, SI("") },
	{ SI("root"), CSS_TEST_ROOT, SI("") },
	{ SI("scope"), CSS_TEST_ROOT, SI("") },
	{ SI("defined"), CSS_TEST_DEFINED, SI("") },
	{ SI("read-only"), YES, SI("") },
	{ SI("before"), ELEMENT, SI("") },
	{ SI("after"), ELEMENT, SI("") },
	{ SI("first-line"), PART, SI("") },
	{ SI("first-letter"), PART, SI("") },
	/* Depends on actions of a person or a script. */
	{ SI("hover"), CSS_TEST_NEVER, SI("") },
	{ SI("active"), CSS_TEST_NEVER, SI("") },
	{ SI("focus"), CSS_TEST_NEVER, SI("") },
	{ SI("focus-within"), CSS_TEST_NEVER, SI("") },
	{ SI("focus-visible"), CSS_TEST_NEVER, SI("") },
	{ SI("visited"), CSS_TEST_NEVER, SI("") },
	{ SI("target"), CSS_TEST_NEVER, SI("") },
	{ SI("target-current"), CSS_TEST_NEVER, SI("") },
	{ SI("fullscreen"), CSS_TEST_NEVER, SI("") },
	{ SI("-webkit-full-screen"), CSS_TEST_NEVER, SI("") },
	{ SI("picture-in-picture"), CSS_TEST_NEVER, SI("") },
	{ SI("popover-open"), CSS_TEST_NEVER, SI("") },
	{ SI("modal"), CSS_TEST_NEVER, SI("") },
	{ SI("autofill"), CSS_TEST_NEVER, SI("") },
	{ SI("-webkit-autofill"), CSS_TEST_NEVER, SI("") },
	{ SI("user-valid"), CSS_TEST_NEVER, SI("") },
	{ SI("user-invalid"), CSS_TEST_NEVER, SI("") },
	{ SI("host"), CSS_TEST_NEVER, SI("") },
	{ SI("active-view-transition"), CSS_TEST_NEVER, SI("") },
	{ SI("current"), CSS_TEST_NEVER, SI("") },
	{ SI("past"), CSS_TEST_NEVER, SI("") },
	{ SI("future"), CSS_TEST_NEVER, SI("") },
	{ SI("playing"), CSS_TEST_TAGS, SI(" audio video ") },
	{ SI("paused"), CSS_TEST_TAGS, SI(" audio video ") },
	{ SI("muted"), CSS_TEST_TAGS, SI(" audio video ") },
	/* States of form fields. */
	{ SI("checked"), CSS_TEST_TAGS, SI(" input option ") },
	{ SI("default"), CSS_TEST_TAGS, SI(" input option button ") },
	{ SI("indeterminate"), CSS_TEST_TAGS, SI(" input progress ") },
	{ SI("enabled"), CSS_TEST_TAGS,
	    SI(" input button select textarea option optgroup fieldset ") },
	{ SI("disabled"), CSS_TEST_TAGS,
	    SI(" input button select textarea option optgroup fieldset ") },
	{ SI("required"), CSS_TEST_TAGS, SI(" input select textarea ") },
	{ SI("optional"), CSS_TEST_TAGS, SI(" input select textarea ") },
	{ SI("read-write"), CSS_TEST_MAYBE, SI("") },
	{ SI("valid"), CSS_TEST_TAGS,
	    SI(" input select textarea button form fieldset output object ") },
	{ SI("invalid"), CSS_TEST_TAGS,
	    SI(" input select textarea form fieldset ") },
	{ SI("in-range"), CSS_TEST_TAGS, SI(" input ") },
	{ SI("out-of-range"), CSS_TEST_TAGS, SI(" input ") },
	{ SI("placeholder-shown"), CSS_TEST_TAGS, SI(" input textarea ") },
	{ SI("open"), CSS_TEST_TAGS, SI(" details dialog select input ") },
};

static const struct {
	struct str name;
	int kind;
} calls[] = {
	{ SI("is"), CSS_TEST_IS },
	{ SI("-webkit-any"), CSS_TEST_IS },
	{ SI("where"), WHERE },
	{ SI("not"), CSS_TEST_NOT },
	{ SI("has"), CSS_TEST_HAS },
	{ SI("nth-child"), CSS_TEST_NTH },
	{ SI("nth-last-child"), CSS_TEST_NTH_LAST },
	{ SI("nth-of-type"), CSS_TEST_NTH_TYPE },
	{ SI("nth-last-of-type"), CSS_TEST_NTH_LAST_TYPE },
	{ SI("lang"), CSS_TEST_LANG },
	{ SI("dir"), CSS_TEST_DIR },
	{ SI("host"), CSS_TEST_NEVER },
	{ SI("host-context"), CSS_TEST_NEVER },
	{ SI("state"), CSS_TEST_NEVER },
	{ SI("active-view-transition-type"), CSS_TEST_NEVER },
};

static const struct css_words elements[] = {
	{ SI("before"), 0 },
	{ SI("after"), 0 },
	{ SI("selection"), 0 },
	{ SI("placeholder"), 0 },
	{ SI("marker"), 0 },
	{ SI("backdrop"), 0 },
	{ SI("file-selector-button"), 0 },
	{ SI("cue"), 0 },
	{ SI("target-text"), 0 },
	{ SI("spelling-error"), 0 },
	{ SI("grammar-error"), 0 },
	{ SI("search-text"), 0 },
	{ SI("details-content"), 0 },
	{ SI("view-transition"), 0 },
	{ SI("checkmark"), 0 },
	{ SI("picker-icon"), 0 },
	{ SI("column"), 0 },
	{ SI("scroll-marker"), 0 },
	{ SI("scroll-marker-group"), 0 },
	{ SI("first-line"), 1 },
	{ SI("first-letter"), 1 },
	{ SI(""), 0 },
};

static const struct css_words element_calls[] = { CSS_W("slotted"),
	CSS_W("part"), CSS_W("cue"), CSS_W("highlight"), CSS_W("picker"),
	CSS_W("scroll-button"), CSS_W("view-transition-group"),
	CSS_W("view-transition-image-pair"), CSS_W("view-transition-old"),
	CSS_W("view-transition-new"), CSS_W("") };

static struct css_test *
css_pseudo_add(struct css_reader *r, struct css_compound *c,
    enum css_test_kind kind)
{
	struct css_test *t = arena_new(r->a, struct css_test);

	t->kind = kind;
	t->next = c->test;
	c->test = t;
	return t;
}

static void
add_nth(struct css_reader *r, struct css_compound *c, enum css_test_kind kind)
{
	css_pseudo_add(r, c, kind)->b = 1;
	r->structural = true;
	r->whole |= kind != CSS_TEST_NTH;
}

static size_t
nth_space(struct str s, size_t i)
{
	while (i < s.n && css_text_is_space(s.p[i]))
		i++;
	return i;
}

/* Digits from *i on; *i moves after them; false: there are none. */
static bool
css_pseudo_nth_digits(struct str s, size_t *i, int *out)
{
	size_t from = *i;

	for (*out = 0; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9'; (*i)++)
		if (*out < 100000)
			*out = *out * 10 + (s.p[*i] - '0');
	return *i > from;
}

static int
nth_sign(struct str s, size_t *i)
{
	if (*i == s.n || (s.p[*i] != '-' && s.p[*i] != '+'))
		return 0;
	return s.p[(*i)++] == '-' ? -1 : 1;
}

/* "2n+1", "odd", "3": an+b, CSS Syntax 3 section 6. */
static bool
css_pseudo_read_nth(struct css_test *t, struct str s)
{
	size_t i = 0;
	int sign, v;
	bool digits;

	s = css_text_trim(s);
	if (str_eq_case(s, S("odd")))
		s = S("2n+1");
	else if (str_eq_case(s, S("even")))
		s = S("2n");
	sign = nth_sign(s, &i) < 0 ? -1 : 1;
	digits = css_pseudo_nth_digits(s, &i, &v);
	t->a = 0;
	t->b = sign * v;
	if (i == s.n || (s.p[i] != 'n' && s.p[i] != 'N'))
		return digits && i == s.n;
	t->a = sign * (digits ? v : 1);
	t->b = 0;
	i = nth_space(s, i + 1);
	if (i == s.n)
		return true;
	sign = nth_sign(s, &i);
	i = nth_space(s, i);
	digits = css_pseudo_nth_digits(s, &i, &v);
	t->b = sign * v;
	return sign != 0 && digits && i == s.n;
}

/* "2n+1 of .x": the start of " of", or the end. */
static size_t
css_pseudo_find_of(struct str s)
{
	for (size_t i = 0; i + 3 < s.n; i++)
		if (css_text_is_space(s.p[i]) &&
		    str_starts_case(str_from(s, i + 1), S("of")) &&
		    !css_text_is_name(s.p[i + 3]))
			return i;
	return s.n;
}

static uint64_t
css_pseudo_most(const struct css_selector *s)
{
	uint64_t n = 0;

	for (; s != NULL; s = s->next)
		n = s->specificity > n ? s->specificity : n;
	return n;
}

static enum css_read
css_pseudo_read_index(struct css_reader *r, struct css_selector *sel,
    struct css_test *t, struct str args)
{
	size_t of = css_pseudo_find_of(args);
	enum css_read is = CSS_READ_GOOD;
	bool of_type =
	    t->kind == CSS_TEST_NTH_TYPE || t->kind == CSS_TEST_NTH_LAST_TYPE;

	r->structural = true;
	r->whole |= t->kind != CSS_TEST_NTH || of < args.n;
	sel->specificity += 1U << 8;
	if (!css_pseudo_read_nth(t, str_first(args, of)) ||
	    (of_type && of < args.n))
		return CSS_READ_BAD;
	if (of < args.n) {
		is = css_select_read(r, str_from(args, of + 3), &t->list);
		sel->specificity += css_pseudo_most(t->list);
	}
	return is;
}

/* :has() cannot contain :has(). */
static enum css_read
css_pseudo_read_has(struct css_reader *r, struct str args, struct css_test *t)
{
	enum css_read is = CSS_READ_BAD;

	if (!r->in_has) {
		r->in_has = true;
		is = css_select_relative(r, args, &t->list);
		r->in_has = false;
	}
	return is;
}

/* The list of selectors in a function's brackets. */
static enum css_read
css_pseudo_read_list(struct css_reader *r, struct css_selector *sel,
    struct css_test *t, struct str args, bool counts)
{
	enum css_read is;

	if (r->depth == DEPTH) {
		t->kind = CSS_TEST_MAYBE;
		return CSS_READ_GOOD;
	}
	r->depth++;
	if (t->kind == CSS_TEST_IS)
		is = css_select_forgive(r, args, &t->list);
	else if (t->kind == CSS_TEST_NOT)
		is = css_select_read(r, args, &t->list);
	else
		is = css_pseudo_read_has(r, args, t);
	r->depth--;
	sel->specificity += counts ? css_pseudo_most(t->list) : 0;
	return is;
}

static int
css_pseudo_call_kind(struct str name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (str_eq_case(name, calls[i].name))
			return calls[i].kind;
	return -1;
}

static enum css_read
css_pseudo_read_call(struct css_reader *r, struct css_selector *sel,
    struct css_compound *c, struct str name, struct str args)
{
	/* Within brackets "&" and leading combinators are ordinary. */
	const struct css_selector *parent = r->parent;
	enum css_read is = CSS_READ_GOOD;
	struct css_test *t;
	int kind = css_pseudo_call_kind(name);

	if (kind < 0)
		return CSS_READ_OTHER;
	t = css_pseudo_add(r, c,
	    kind == WHERE ? CSS_TEST_IS : (enum css_test_kind)kind);
	if (!str_has_char(args, '&'))
		r->parent = NULL;
	switch ((int)t->kind) {
	case CSS_TEST_HAS:
		is = css_pseudo_read_list(r, sel, t, args, true);
		break;
	case CSS_TEST_IS:
	case CSS_TEST_NOT:
		is = css_pseudo_read_list(r, sel, t, args, kind != WHERE);
		break;
	case CSS_TEST_LANG:
	case CSS_TEST_DIR:
		t->text = css_text_trim(args);
		sel->specificity += 1U << 8;
		break;
	case CSS_TEST_NEVER:
		sel->specificity += 1U << 8;
		break;
	default:
		is = css_pseudo_read_index(r, sel, t, args);
		break;
	}
	r->parent = parent;
	return is;
}

/* The meaning of a name from the table. */
static enum css_read
css_pseudo_read_kind(struct css_reader *r, struct css_selector *sel,
    struct css_compound *c, int kind, struct str tags)
{
	sel->specificity += 1U << 8;
	switch (kind) {
	case YES:
		break;
	case ELEMENT:
	case PART:
		sel->never |= kind == ELEMENT;
		sel->maybe |= kind == PART;
		return r->depth > 0 ? CSS_READ_BAD : CSS_READ_GOOD;
	case FIRST:
		add_nth(r, c, CSS_TEST_NTH);
		break;
	case LAST:
		add_nth(r, c, CSS_TEST_NTH_LAST);
		break;
	case ONLY:
		add_nth(r, c, CSS_TEST_NTH);
		add_nth(r, c, CSS_TEST_NTH_LAST);
		break;
	case FIRST_TYPE:
		add_nth(r, c, CSS_TEST_NTH_TYPE);
		break;
	case LAST_TYPE:
		add_nth(r, c, CSS_TEST_NTH_LAST_TYPE);
		break;
	case ONLY_TYPE:
		add_nth(r, c, CSS_TEST_NTH_TYPE);
		add_nth(r, c, CSS_TEST_NTH_LAST_TYPE);
		break;
	default:
		css_pseudo_add(r, c, (enum css_test_kind)kind)->text = tags;
		r->whole |= kind == CSS_TEST_EMPTY;
		break;
	}
	return CSS_READ_GOOD;
}

/* "::before"; those with a vendor prefix match no element here. */
static enum css_read
css_pseudo_read_element(struct css_reader *r, struct css_selector *sel,
    struct str name, bool call)
{
	const struct css_words *w =
	    css_words_find(name, call ? element_calls : elements);

	if (r->depth > 0)
		return CSS_READ_BAD;
	sel->specificity++;
	if (w == NULL && !str_starts_case(name, S("-webkit-")))
		return CSS_READ_OTHER;
	if (w != NULL && (int)w->word == 1)
		sel->maybe = true;
	else
		sel->never = true;
	return CSS_READ_GOOD;
}

enum css_read
css_pseudo_read(struct css_reader *r, struct css_selector *s,
    struct css_compound *c, struct str text, size_t *i)
{
	bool element = *i + 1 < text.n && text.p[*i + 1] == ':', call;
	size_t from = *i + 1 + element, end = css_select_name(text, from);
	struct str name = { text.p + from, end - from }, args = S("");

	call = end < text.n && text.p[end] == '(';
	if (call) {
		size_t close = css_text_span(text, end + 1, ")");

		args = (struct str){ text.p + end + 1, close - end - 1 };
		end = close < text.n ? close + 1 : close;
	}
	*i = end;
	if (name.n == 0)
		return CSS_READ_BAD;
	if (element)
		return css_pseudo_read_element(r, s, name, call);
	if (call)
		return css_pseudo_read_call(r, s, c, name, args);
	for (size_t k = 0; k < sizeof(plain) / sizeof(plain[0]); k++)
		if (str_eq_case(name, plain[k].name))
			return css_pseudo_read_kind(r, s, c, plain[k].kind,
			    plain[k].tags);
	return CSS_READ_OTHER;
}
