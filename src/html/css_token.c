/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a value, CSS Syntax 3 section 4, and lengths, CSS Values. */
#include <string.h>

#include "base/ascii.h"
#include "html/css.h"

static char
css_token_at(struct str s, size_t i)
{
	if (i < s.n)
		return s.p[i];
	return '\0';
}

static bool
css_token_is_number(struct str s)
{
	size_t i =
	    css_token_at(s, 0) == '+' || css_token_at(s, 0) == '-' ? 1 : 0;

	return ascii_is_digit(css_token_at(s, i)) ||
	    (css_token_at(s, i) == '.' &&
		ascii_is_digit(css_token_at(s, i + 1)));
}

/* 4.3.12: sign, digits, fraction, exponent. */
size_t
css_token_number(struct str s, double *n)
{
	bool minus = css_token_at(s, 0) == '-', down;
	size_t i = minus || css_token_at(s, 0) == '+' ? 1 : 0, k;
	double v = 0, part = 1;
	int e = 0;

	for (; ascii_is_digit(css_token_at(s, i)); i++)
		v = v < 1e12 ? v * 10 + (s.p[i] - '0') : v;
	if (css_token_at(s, i) == '.' && ascii_is_digit(css_token_at(s, i + 1)))
		for (i++; ascii_is_digit(css_token_at(s, i)); i++) {
			part /= 10;
			v += part * (s.p[i] - '0');
		}
	k = i + 1;
	down = css_token_at(s, k) == '-';
	if (down || css_token_at(s, k) == '+')
		k++;
	if ((css_token_at(s, i) == 'e' || css_token_at(s, i) == 'E') &&
	    ascii_is_digit(css_token_at(s, k))) {
		for (; ascii_is_digit(css_token_at(s, k)); k++)
			e = e < 30 ? e * 10 + (s.p[k] - '0') : e;
		for (i = k; e > 0 && v < 1e12; e--)
			v = down ? v / 10 : v * 10;
	}
	*n = minus ? -v : v;
	return i;
}

static size_t
name_end(struct str s, size_t i)
{
	while (i < s.n && css_text_is_name(s.p[i]))
		i++;
	return i;
}

/* Returns the length of the token in bytes. */
static size_t
css_token_one(struct str s, struct css_token *t)
{
	size_t i, end;

	if (css_token_is_number(s)) {
		t->kind = CSS_T_NUMBER;
		i = css_token_number(s, &t->n);
		end = css_token_at(s, i) == '%' ? i + 1 : name_end(s, i);
		t->text = (struct str){ s.p + i, end - i };
		return end;
	}
	if (s.p[0] == '#') {
		t->kind = CSS_T_HASH;
		end = name_end(s, 1);
		t->text = (struct str){ s.p + 1, end - 1 };
		return end;
	}
	if (s.p[0] == '"' || s.p[0] == '\'') {
		t->kind = CSS_T_STRING;
		for (i = 1; i < s.n && s.p[i] != s.p[0] && s.p[i] != '\n'; i++)
			;
		t->args = (struct str){ s.p + 1, i - 1 };
		return i < s.n ? i + 1 : i;
	}
	end = name_end(s, 0);
	if (end == 0) {
		t->kind = CSS_T_SIGN;
		t->text = str_first(s, 1);
		return 1;
	}
	t->text = str_first(s, end);
	t->kind = CSS_T_WORD;
	if (css_token_at(s, end) != '(')
		return end;
	t->kind = CSS_T_CALL;
	i = end + 1;
	for (end = i; end < s.n && css_text_is_space(s.p[end]); end++)
		;
	if (str_eq_case(t->text, S("url")) && css_token_at(s, end) != '"' &&
	    css_token_at(s, end) != '\'')
		for (end = i; end < s.n && s.p[end] != ')'; end++)
			;
	else
		end = css_text_span(s, i, ")");
	t->args = (struct str){ s.p + i, end - i };
	return end < s.n ? end + 1 : end;
}

struct css_token
css_token_next(struct str *s)
{
	struct css_token t = { .kind = CSS_T_END };
	size_t i = 0;

	while (i < s->n && css_text_is_space(s->p[i]))
		i++;
	*s = str_from(*s, i);
	if (s->n > 0)
		*s = str_from(*s, css_token_one(*s, &t));
	return t;
}

static const struct {
	struct str unit;
	enum css_kind kind;
	double n; /* how many px, or em, it is */
} units[] = {
	{ SI("px"), CSS_PX, 1 },
	{ SI("%"), CSS_PERCENT, 1 },
	{ SI("em"), CSS_EM, 1 },
	{ SI("pt"), CSS_PX, 96.0 / 72 },
	{ SI("rem"), CSS_PX, 16 },
	{ SI("ex"), CSS_EM, 0.5 },
	{ SI("ch"), CSS_EM, 0.5 },
	{ SI("lh"), CSS_EM, 1.2 },
	{ SI("cap"), CSS_EM, 0.7 },
	{ SI("ic"), CSS_EM, 1 },
	{ SI("in"), CSS_PX, 96 },
	{ SI("cm"), CSS_PX, 37.8 },
	{ SI("mm"), CSS_PX, 3.78 },
	{ SI("q"), CSS_PX, 0.945 },
	{ SI("pc"), CSS_PX, 16 },
	{ SI("rex"), CSS_PX, 8 },
	{ SI("rch"), CSS_PX, 8 },
	{ SI("rlh"), CSS_PX, 19.2 },
	{ SI("rcap"), CSS_PX, 11 },
	{ SI("ric"), CSS_PX, 16 },
	{ SI("vw"), CSS_PX, 8 },
	{ SI("vh"), CSS_PX, 6 },
	{ SI("vmin"), CSS_PX, 6 },
	{ SI("vmax"), CSS_PX, 8 },
	{ SI("vi"), CSS_PX, 8 },
	{ SI("vb"), CSS_PX, 6 },
	/* Without a container they are relative to the window. */
	{ SI("cqw"), CSS_PX, 8 },
	{ SI("cqh"), CSS_PX, 6 },
	{ SI("cqi"), CSS_PX, 8 },
	{ SI("cqb"), CSS_PX, 6 },
	{ SI("cqmin"), CSS_PX, 6 },
	{ SI("cqmax"), CSS_PX, 8 },
};

enum css_kind
css_token_length(const struct css_token *t, double *n)
{
	struct str unit = t->text;

	if (t->kind != CSS_T_NUMBER)
		return t->kind == CSS_T_CALL ? CSS_UNKNOWN : CSS_INVALID;
	*n = t->n;
	if (unit.n == 0)
		return t->n < 0 || t->n > 0 ? CSS_NUMBER : CSS_PX;
	/* The window's size does not change: "svh", "lvw", "dvmin". */
	if (unit.n > 2 && (unit.p[1] == 'v' || unit.p[1] == 'V') &&
	    strchr("sldSLD", unit.p[0]) != NULL)
		unit = str_from(unit, 1);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (str_eq_case(unit, units[i].unit)) {
			*n = t->n * units[i].n;
			return units[i].kind;
		}
	return CSS_INVALID;
}
