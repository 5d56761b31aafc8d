/*
 * Values that move, shrink or cut: transform, clip and clip-path.  What is
 * surely harmless is read, what is not is unknown.
 */
#include "mime/css.h"

/* The numbers of a function's arguments, at most max; -1: something else. */
static int
numbers(struct str args, struct css_token *t, int max)
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
	bool unknown;
};

/* Percentages are of the element itself: all of it is gone. */
static double
shift(const struct css_token *t)
{
	double n = 0;
	enum css_kind kind = css_token_length(t, &n);

	if (kind == CSS_EM)
		return 16 * n;
	if (kind == CSS_PERCENT)
		return n >= 100 || n <= -100 ? 100 * n : 0;
	return n;
}

static void
one_function(struct move *m, const struct css_token *t)
{
	struct str name = t->text;
	struct css_token v[3];
	int n = numbers(t->args, v, 3);

	if (n > 0 && str_eq_case(name, S("translatey"))) {
		m->y += shift(&v[0]);
	} else if (n > 0 && str_starts_case(name, S("translate"))) {
		m->x += shift(&v[0]);
		m->y += n > 1 ? shift(&v[1]) : 0;
	} else if (n > 0 && str_starts_case(name, S("scale"))) {
		double k = n > 1 && v[1].n < v[0].n ? v[1].n : v[0].n;

		m->unknown |= k < 0; /* mirrored */
		m->scale *= k;
	} else if (n != 1 || !str_eq_case(name, S("rotate")) || v[0].n < -50 ||
	    v[0].n > 50) {
		m->unknown = true; /* turned into depth, or round */
	}
}

void
css_shape_transform(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct move m = { 0, 0, 1, false };

	for (;;) {
		struct css_token t = css_token_next(&value);

		if (t.kind == CSS_T_END)
			break;
		if (t.kind != CSS_T_CALL)
			return; /* none, or invalid */
		one_function(&m, &t);
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
	if (t.kind != CSS_T_CALL)
		return;
	n = numbers(t.args, v, 4);
	if (n == 4 && (v[1].n - v[3].n < 5 || v[2].n - v[0].n < 5))
		css_decl_word(b, d, p, CSS_HIDE);
	else if (n != 4 || v[0].n > 100 || v[3].n > 100)
		css_decl_unknown(b, d, p); /* it may have an auto side */
	else
		css_decl_word(b, d, p, CSS_NONE);
}

/* inset(), circle() and ellipse(), CSS Shapes 1. */
void
css_shape_path(struct css_block *b, enum css_prop p, struct css_decl *d,
    struct str value)
{
	struct css_token t = css_words_only(value), in[4];
	int n;

	if (t.kind == CSS_T_WORD &&
	    (str_eq_case(t.text, S("none")) ||
		str_ends_case(t.text, S("-box"))))
		return;
	if (t.kind != CSS_T_CALL) {
		css_decl_unknown(b, d, p);
		return;
	}
	n = numbers(t.args, in, 4);
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
