/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that move, shrink or clip: transform, clip and clip-path.  Values that
 * are certainly harmless are read; others are unknown.
 */
#include <string.h>

#include "html/css.h"

/* The numbers of a function's arguments, at most max; -1: other arguments. */
static int
css_shape_numbers(struct str args, struct css_token *t, int max)
{
	int n = 0;

	for (;;) {
		struct css_token x = css_token_next(&args);

		if (x.kind == CSS_T_END)
			return n;
		if (x.kind == CSS_T_SIGN && x.text.p[0] == ',')
			continue;
		if (x.kind != CSS_T_NUMBER || n == max)
			return -1;
		t[n++] = x;
	}
}

struct move {
	double x, y, scale;
	bool unknown, none;
};

/* Percentages are relative to the element: 100% moves all of it away. */
static double
css_shape_shift(const struct css_token *t)
{
	double n = 0;
	enum css_kind kind = css_token_length(t, &n);

	if (kind == CSS_EM)
		return 16 * n;
	if (kind == CSS_PERCENT)
		return n >= 100 || n <= -100 ? 100 * n : 0;
	return n;
}

/* The functions of CSS Transforms 1 and 2. */
static const struct css_words transforms[] = { CSS_W("matrix"),
	CSS_W("matrix3d"), CSS_W("translate"), CSS_W("translate3d"),
	CSS_W("translatex"), CSS_W("translatey"), CSS_W("translatez"),
	CSS_W("scale"), CSS_W("scale3d"), CSS_W("scalex"), CSS_W("scaley"),
	CSS_W("scalez"), CSS_W("rotate"), CSS_W("rotate3d"), CSS_W("rotatex"),
	CSS_W("rotatey"), CSS_W("rotatez"), CSS_W("skew"), CSS_W("skewx"),
	CSS_W("skewy"), CSS_W("perspective"), CSS_W("") };

/* "1 0 0 1 x y": only a move. */
static bool
css_shape_is_plain_matrix(const struct css_token *v, int n)
{
	static const double one[4] = { 1, 0, 0, 1 };

	for (int i = 0; n == 6 && i < 4; i++)
		if (v[i].n < one[i] || v[i].n > one[i])
			return false;
	return n == 6;
}

static bool
css_shape_is_turned_little(struct str name, double n)
{
	return (str_eq_case(name, S("rotate")) ||
		   str_eq_case(name, S("rotatez")) ||
		   str_starts_case(name, S("skew"))) &&
	    n >= -50 && n <= 50;
}

static void
css_shape_one_function(struct move *m, const struct css_token *t)
{
	struct str name = t->text;
	struct css_token v[6];
	int n = css_shape_numbers(t->args, v, 6);

	if (str_eq_case(name, S("translatez"))) {
		/* Depth: without perspective it changes nothing. */
		m->unknown |= n != 1;
	} else if (str_eq_case(name, S("matrix")) &&
	    css_shape_is_plain_matrix(v, n)) {
		m->x += v[4].n;
		m->y += v[5].n;
	} else if (n > 0 && str_eq_case(name, S("translatey"))) {
		m->y += css_shape_shift(&v[0]);
	} else if (n > 0 && str_starts_case(name, S("translate"))) {
		m->x += css_shape_shift(&v[0]);
		m->y += n > 1 ? css_shape_shift(&v[1]) : 0;
	} else if (n > 0 && str_starts_case(name, S("scale"))) {
		double k = n > 1 && v[1].n < v[0].n ? v[1].n : v[0].n;

		m->unknown |= k < 0; /* mirrored */
		m->scale *= k;
	} else if (n != 1 || !css_shape_is_turned_little(name, v[0].n)) {
		m->unknown = true; /* a 3D or large rotation */
	}
}

void
css_shape_transform(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct move m = { 0, 0, 1, false, false };

	for (size_t n = 0;; n++) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (t.kind == CSS_T_WORD && n == 0 &&
		    str_eq_case(t.text, S("none")))
			m.none = true;
		else if (m.none || t.kind != CSS_T_CALL ||
		    css_words_find(t.text, transforms) == NULL)
			return; /* invalid */
		else
			css_shape_one_function(&m, &t);
	}
	if (m.unknown) {
		css_decl_unknown(b, d, p);
		return;
	}
	css_decl_put(b, d, CSS_TRANSFORM_X, CSS_PX, m.x);
	css_decl_put(b, d, CSS_TRANSFORM_Y, CSS_PX, m.y);
	css_decl_put(b, d, CSS_TRANSFORM_SCALE, CSS_NUMBER, m.scale);
}

/* rect(top, right, bottom, left), CSS Masking 1 section 9. */
void
css_shape_clip(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value), v[4];
	int n;

	if (t.kind == CSS_T_WORD && str_eq_case(t.text, S("auto"))) {
		css_decl_word(b, d, p, CSS_NONE);
		return;
	}
	if (t.kind != CSS_T_CALL || !str_eq_case(t.text, S("rect")))
		return;
	n = css_shape_numbers(t.args, v, 4);
	if (n == 4 && (v[1].n - v[3].n < 5 || v[2].n - v[0].n < 5))
		css_decl_word(b, d, p, CSS_HIDE);
	else if (n != 4 || v[0].n > 100 || v[3].n > 100)
		css_decl_unknown(b, d, p); /* it may have an auto side */
	else
		css_decl_word(b, d, p, CSS_NONE);
}

/* The part of a box that a polygon leaves, from 0 to 1; -1: unknown. */
static double
css_shape_polygon(struct str args)
{
	double first[2] = { 0, 0 }, last[2] = { 0, 0 }, sum = 0;
	size_t n = 0;

	for (;; n++) {
		double at[2];

		for (size_t i = 0; i < 2; i++) {
			struct css_token t = css_token_next(&args);

			if (t.kind == CSS_T_SIGN && i == 0 && n > 0)
				t = css_token_next(&args);
			if (t.kind == CSS_T_END && i == 0 && n > 2) {
				sum += last[0] * first[1] - first[0] * last[1];
				return (sum < 0 ? -sum : sum) / 2;
			}
			if (t.kind != CSS_T_NUMBER ||
			    (t.n > 0 && !str_eq(t.text, S("%"))) || t.n < 0 ||
			    t.n > 100)
				return -1;
			at[i] = t.n / 100;
		}
		if (n == 0)
			memcpy(first, at, sizeof(first));
		else
			sum += last[0] * at[1] - at[0] * last[1];
		memcpy(last, at, sizeof(last));
	}
}

/* inset(), circle() and ellipse(), CSS Shapes 1. */
void
css_shape_path(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value), in[4];
	int n;

	static const struct css_words shapes[] = { CSS_W("inset"),
		CSS_W("circle"), CSS_W("ellipse"), CSS_W("polygon"),
		CSS_W("path"), CSS_W("shape"), CSS_W("rect"), CSS_W("xywh"),
		CSS_W("url"), CSS_W("") };

	if (t.kind == CSS_T_WORD &&
	    (str_eq_case(t.text, S("none")) ||
		str_ends_case(t.text, S("-box")))) {
		css_decl_word(b, d, p, CSS_NONE);
		return;
	}
	if (t.kind == CSS_T_END) {
		css_decl_unknown(b, d, p); /* a shape and a box */
		return;
	}
	if (t.kind != CSS_T_CALL || css_words_find(t.text, shapes) == NULL)
		return;
	if (str_eq_case(t.text, S("url"))) {
		/*
		 * It refers to a part of the page; if that is missing, it clips
		 * nothing.
		 */
		css_decl_unknown(b, d, p);
		return;
	}
	if (str_eq_case(t.text, S("polygon"))) {
		double left = css_shape_polygon(t.args);

		if (left > 0.6)
			css_decl_word(b, d, p, CSS_NONE);
		else if (left >= 0 && left < 0.001)
			css_decl_word(b, d, p, CSS_HIDE);
		else
			css_decl_unknown(b, d, p);
		return;
	}
	n = css_shape_numbers(t.args, in, 4);
	if (n > 0 && str_eq_case(t.text, S("inset"))) {
		bool small = true;

		for (int i = 0; i < n; i++)
			small &= in[i].n < 10;
		if (small)
			css_decl_word(b, d, p, CSS_NONE);
		else if (n == 1 && in[0].n >= 50)
			css_decl_word(b, d, p, CSS_HIDE);
		else
			css_decl_unknown(b, d, p);
	} else if (n > 0 && in[0].n < 1) {
		css_decl_word(b, d, p, CSS_HIDE);
	} else {
		css_decl_unknown(b, d, p);
	}
}
