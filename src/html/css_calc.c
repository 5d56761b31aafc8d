/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic in values, CSS Values 4 section 10: calc(), min(), max(), clamp(),
 * abs() and sign(), with lengths as px.  Values that no browser accepts are
 * invalid; rare ones are unknown.  The depth of brackets is limited.
 */
#include "html/css.h"

#define DEPTH 24
#define HUGE_N 1e9 /* treated as infinity */

struct sum {
	struct css_calc *c;
	struct str s;
	struct css_token t; /* the current token */
	size_t depth;
	bool unknown;
	bool deep; /* not completely read */
};

struct value {
	double n;
	bool length; /* n is px */
};

static const struct css_words functions[] = {
	{ SI("calc"), 1 },
	{ SI("-webkit-calc"), 1 },
	{ SI("min"), 2 },
	{ SI("max"), 3 },
	{ SI("clamp"), 4 },
	{ SI("abs"), 5 },
	{ SI("sign"), 6 },
	{ SI("round"), 0 },
	{ SI("mod"), 0 },
	{ SI("rem"), 0 },
	{ SI("sin"), 0 },
	{ SI("cos"), 0 },
	{ SI("tan"), 0 },
	{ SI("asin"), 0 },
	{ SI("acos"), 0 },
	{ SI("atan"), 0 },
	{ SI("atan2"), 0 },
	{ SI("pow"), 0 },
	{ SI("sqrt"), 0 },
	{ SI("hypot"), 0 },
	{ SI("log"), 0 },
	{ SI("exp"), 0 },
	{ SI("progress"), 0 },
	{ SI(""), 0 },
};

bool
css_calc_is(struct str name)
{
	return css_words_find(name, functions) != NULL;
}

static bool css_calc_read_sum(struct sum *x, struct value *v);

static void
css_calc_step(struct sum *x)
{
	x->t = css_token_next(&x->s);
}

static bool
is_sign(const struct sum *x, char c)
{
	return (x->t.kind == CSS_T_SIGN || x->t.kind == CSS_T_WORD) &&
	    x->t.text.n == 1 && x->t.text.p[0] == c;
}

static bool
css_calc_read_number(struct sum *x, struct value *v)
{
	double n = 0;
	enum css_kind kind = css_token_length(&x->t, &n);

	v->length = x->t.text.n > 0;
	v->n = kind == CSS_EM     ? n * x->c->em
	    : kind == CSS_PERCENT ? n * x->c->whole / 100
				  : n;
	x->c->relative |= kind == CSS_EM || kind == CSS_PERCENT;
	css_calc_step(x);
	return kind != CSS_INVALID;
}

static bool
css_calc_read_constant(struct sum *x, struct value *v)
{
	static const struct {
		struct str name;
		double n;
	} list[] = { { SI("e"), 2.718281828 }, { SI("pi"), 3.141592654 },
		{ SI("infinity"), HUGE_N }, { SI("-infinity"), -HUGE_N },
		{ SI("nan"), 0 } };

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (str_eq_case(x->t.text, list[i].name)) {
			*v = (struct value){ list[i].n, false };
			css_calc_step(x);
			return true;
		}
	return false;
}

/* The sums between commas; their number, or 0 if their kinds differ. */
static size_t
css_calc_read_list(struct sum *x, struct value *v, size_t max)
{
	size_t n = 0;

	for (;;) {
		struct value one;

		if (!css_calc_read_sum(x, &one) ||
		    (n > 0 && one.length != v[0].length))
			return 0;
		if (n < max)
			v[n] = one;
		else if (max > 0)
			x->unknown = true;
		n++;
		if (!is_sign(x, ','))
			break;
		css_calc_step(x);
	}
	return x->t.kind == CSS_T_END ? n : 0;
}

static double
css_calc_least(const struct value *v, size_t n)
{
	double m = v[0].n;

	for (size_t i = 1; i < n; i++)
		m = v[i].n < m ? v[i].n : m;
	return m;
}

static double
css_calc_most(const struct value *v, size_t n)
{
	double m = v[0].n;

	for (size_t i = 1; i < n; i++)
		m = v[i].n > m ? v[i].n : m;
	return m;
}

#define LIST_MAX 8

/* A function's name and the content of its brackets. */
static bool
css_calc_read_call(struct sum *x, const struct css_token *t, struct value *v)
{
	const struct css_words *f = css_words_find(t->text, functions);
	struct sum in = *x;
	struct value list[LIST_MAX] = { { 0 } };
	size_t n;

	if (f == NULL)
		return false;
	in.s = t->args;
	in.depth++;
	if (in.depth > DEPTH || (int)f->word == 0) {
		x->unknown = true;
		return true;
	}
	css_calc_step(&in);
	n = css_calc_read_list(&in, list, LIST_MAX);
	x->unknown |= in.unknown;
	x->deep |= in.deep;
	n = n > LIST_MAX ? LIST_MAX : n;
	*v = list[0];
	switch ((int)f->word) {
	case 2:
		v->n = css_calc_least(list, n);
		return n > 0;
	case 3:
		v->n = css_calc_most(list, n);
		return n > 0;
	case 4:
		v->n = list[1].n > list[2].n ? list[2].n : list[1].n;
		v->n = v->n < list[0].n ? list[0].n : v->n;
		return n == 3;
	case 5:
		v->n = v->n < 0 ? -v->n : v->n;
		return n == 1;
	case 6:
		*v = (struct value){ v->n < 0 ? -1 : v->n > 0, false };
		return n == 1;
	default:
		return n == 1;
	}
}

static bool
css_calc_read_one(struct sum *x, struct value *v)
{
	struct css_token t = x->t;

	*v = (struct value){ 0, false };
	if (t.kind == CSS_T_NUMBER)
		return css_calc_read_number(x, v);
	if (t.kind == CSS_T_WORD)
		return css_calc_read_constant(x, v);
	if (t.kind == CSS_T_CALL) {
		css_calc_step(x);
		return css_calc_read_call(x, &t, v);
	}
	x->deep |= x->depth == DEPTH;
	if (!is_sign(x, '(') || x->deep)
		return false;
	x->depth++;
	css_calc_step(x);
	if (!css_calc_read_sum(x, v) || !is_sign(x, ')'))
		return false;
	x->depth--;
	css_calc_step(x);
	return true;
}

static bool
css_calc_read_product(struct sum *x, struct value *v)
{
	if (!css_calc_read_one(x, v))
		return false;
	while (is_sign(x, '*') || is_sign(x, '/')) {
		bool over = is_sign(x, '/');
		struct value by;

		css_calc_step(x);
		if (!css_calc_read_one(x, &by) ||
		    (by.length && (over || v->length)))
			return false;
		if (!over)
			v->n *= by.n;
		else if (by.n < 0 || by.n > 0)
			v->n /= by.n;
		else
			v->n = v->n < 0 ? -HUGE_N : v->n > 0 ? HUGE_N : 0;
		v->length |= by.length;
	}
	return true;
}

/* Operators between terms need white space around them. */
static bool
css_calc_read_sum(struct sum *x, struct value *v)
{
	if (!css_calc_read_product(x, v))
		return false;
	while (is_sign(x, '+') || is_sign(x, '-')) {
		bool minus = is_sign(x, '-');
		const char *at = x->t.text.p;
		struct value by;

		if (!css_text_is_space(at[-1]) || x->s.n == 0 ||
		    !css_text_is_space(x->s.p[0]))
			return false;
		css_calc_step(x);
		if (!css_calc_read_product(x, &by) || by.length != v->length)
			return false;
		v->n += minus ? -by.n : by.n;
	}
	return true;
}

enum css_kind
css_calc_read(struct css_calc *c, const struct css_token *t, double *n)
{
	struct sum x = { .c = c };
	struct value v = { 0, false };

	if (t->kind != CSS_T_CALL)
		return CSS_INVALID;
	if (!css_calc_read_call(&x, t, &v))
		return x.deep ? CSS_UNKNOWN : CSS_INVALID;
	if (x.unknown)
		return CSS_UNKNOWN;
	*n = v.n > HUGE_N ? HUGE_N : v.n < -HUGE_N ? -HUGE_N : v.n;
	return v.length ? CSS_PX : CSS_NUMBER;
}
