/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Custom properties and their replacement: var() and env(), CSS Custom
 * Properties 1.  Each value is filled in once, where it was defined, and its
 * size is limited; a value that refers to itself is invalid.  Each byte written
 * costs work.
 */
#include <string.h>

#include "base/limits.h"
#include "html/css_style.h"

#define DEPTH 32

#define WORK_VAR 8

/* A custom property, from its first use on. */
struct css_var {
	struct css_vars *scope;
	struct css_var *outer; /* the property whose value is using it now */
	struct str filled;
	bool busy, done, bad, unknown;
};

/* The properties that an element defines; most are never used. */
struct css_vars {
	struct css_vars *up;
	struct {
		struct str text; /* "--name: value" */
		struct css_var *var;
	} * v;
	size_t n;
};

static bool css_var_fill_text(struct css_var_env *e, struct str s,
    struct buf *out);

static void
css_var_pay(struct css_var_env *e, size_t n)
{
	if (*e->work > n) {
		*e->work -= n;
	} else {
		*e->work = 0;
		e->unknown = true;
	}
}

/* Is it "--name: value"? */
static bool
css_var_is_named(struct str text, struct str name)
{
	return str_starts(text, name) &&
	    (text.p[name.n] == ':' || css_text_is_space(text.p[name.n]));
}

static struct css_var *
css_var_find(struct css_var_env *e, struct css_vars *in, struct str name,
    size_t *at)
{
	for (; in != NULL && *e->work > 0; in = in->up) {
		css_var_pay(e, in->n + 1);
		for (size_t i = 0; i < in->n; i++) {
			if (!css_var_is_named(in->v[i].text, name))
				continue;
			if (in->v[i].var == NULL) {
				in->v[i].var = arena_new(e->a, struct css_var);
				in->v[i].var->scope = in;
			}
			*at = i;
			return in->v[i].var;
		}
	}
	return NULL;
}

/* All properties in a cycle with v are invalid. */
static void
css_var_break_circle(struct css_var_env *e, const struct css_var *v)
{
	for (struct css_var *at = e->top; at != NULL; at = at->outer) {
		at->bad = true;
		if (at == v)
			break;
	}
}

static bool css_var_get(struct css_var_env *e, struct css_var *v, size_t at,
    struct str *out);

/* Words that every property accepts; false: none of them. */
static bool
css_var_read_wide(struct css_var_env *e, struct css_var *v, struct str name,
    struct str value, bool *ok)
{
	struct css_var *up;
	size_t at = 0;

	*ok = false;
	if (str_eq_case(value, S("initial")))
		return true;
	if (!str_eq_case(value, S("inherit")) &&
	    !str_eq_case(value, S("unset")) &&
	    !str_eq_case(value, S("revert")) &&
	    !str_eq_case(value, S("revert-layer")))
		return false;
	up = css_var_find(e, v->scope->up, name, &at);
	*ok = up != NULL && css_var_get(e, up, at, &v->filled);
	return true;
}

/* The value of v, at index `at` of its scope; false: invalid. */
static bool
css_var_get(struct css_var_env *e, struct css_var *v, size_t at,
    struct str *out)
{
	struct css_vars *was = e->vars;
	struct str name, value;
	bool ok = false;
	struct buf b;

	if (v->busy) {
		css_var_break_circle(e, v);
		return false;
	}
	if (!v->done) {
		buf_init(&b, e->a, LIMIT_CSS_VALUE);
		(void)str_cut(v->scope->v[at].text, ':', &name, &value);
		v->busy = true;
		v->outer = e->top;
		e->top = v;
		e->vars = v->scope;
		if (!css_var_read_wide(e, v, css_text_trim(name),
			css_text_trim(value), &ok)) {
			ok = css_var_fill_text(e, css_text_trim(value), &b);
			v->filled = buf_view(&b);
		}
		e->vars = was;
		e->top = v->outer;
		v->busy = false;
		v->done = true;
		v->bad |= !ok;
		v->unknown |= e->unknown;
	}
	e->unknown |= v->unknown;
	*out = v->filled;
	return !v->bad;
}

/* A name, and after a comma the fallback value. */
static bool
css_var_cut_args(struct str args, struct str *name, struct str *instead)
{
	size_t end = css_text_span(args, 0, ",");

	*name = css_text_trim(str_first(args, end));
	*instead = str_from(args, end + 1);
	return end < args.n;
}

static bool
fill_var(struct css_var_env *e, struct str args, struct buf *out)
{
	struct str name, instead, value;
	bool has = css_var_cut_args(args, &name, &instead);
	size_t at = 0;
	struct css_var *v = css_var_find(e, e->vars, name, &at);

	if (v != NULL && css_var_get(e, v, at, &value)) {
		css_var_pay(e, value.n);
		buf_str(out, value);
		return !out->over;
	}
	e->unknown |= v == NULL && e->registered;
	return has && css_var_fill_text(e, instead, out);
}

static bool
css_var_fill_env(struct css_var_env *e, struct str args, struct buf *out)
{
	struct str name, instead;
	bool has = css_var_cut_args(args, &name, &instead);

	/* The window has no rounded edges. */
	if (str_starts(name, S("safe-area-")) ||
	    str_starts(name, S("keyboard-inset-"))) {
		buf_text(out, "0px");
		return true;
	}
	return has && css_var_fill_text(e, instead, out);
}

/* The function that begins at i, its name up to end; *next is after it. */
static bool
css_var_fill_call(struct css_var_env *e, struct str s, size_t i, size_t end,
    size_t *next, struct buf *out)
{
	struct str name = { s.p + i, end - i }, args;
	size_t close = css_text_span(s, end + 1, ")");

	args = (struct str){ s.p + end + 1, close - end - 1 };
	*next = close < s.n ? close + 1 : close;
	if (str_eq_case(name, S("var")))
		return fill_var(e, args, out);
	if (str_eq_case(name, S("env")))
		return css_var_fill_env(e, args, out);
	if (str_eq_case(name, S("attr")) || str_eq_case(name, S("if"))) {
		e->unknown = true;
		return false;
	}
	/* Other functions are copied; their arguments are filled in later. */
	*next = end + 1;
	buf_add(out, s.p + i, end + 1 - i);
	return true;
}

/* The index after the string that begins at i. */
static size_t
css_var_skip_string(struct str s, size_t i)
{
	size_t end = i + 1;

	while (end < s.n && s.p[end] != s.p[i])
		end++;
	return end < s.n ? end + 1 : end;
}

static bool
css_var_fill_text(struct css_var_env *e, struct str s, struct buf *out)
{
	size_t i = 0;
	bool ok = e->depth < DEPTH;

	e->unknown |= !ok;
	e->depth++;
	css_var_pay(e, s.n + 16);
	while (ok && *e->work > 0 && i < s.n) {
		size_t end = i;

		while (end < s.n && css_text_is_name(s.p[end]))
			end++;
		if (end > i && end < s.n && s.p[end] == '(') {
			ok = css_var_fill_call(e, s, i, end, &end, out);
		} else {
			if (end == i)
				end = s.p[i] == '"' || s.p[i] == '\''
				    ? css_var_skip_string(s, i)
				    : i + 1;
			buf_add(out, s.p + i, end - i);
		}
		i = end;
	}
	e->depth--;
	e->unknown |= out->over;
	return ok && !out->over;
}

struct css_vars *
css_var_scope(struct css_var_env *e, const struct css_set *set,
    struct css_vars *up)
{
	struct css_vars *s;

	if (set->customs == 0 || *e->work == 0)
		return up;
	css_var_pay(e, set->customs * WORK_VAR);
	s = arena_new(e->a, struct css_vars);
	s->up = up;
	s->n = set->customs;
	s->v = arena_array(e->a, s->n, sizeof(*s->v));
	for (size_t i = 0; i < s->n; i++) {
		s->v[i].text = set->custom[i].text;
		if (!set->custom[i].maybe)
			continue;
		/* It is unknown whether it is this one. */
		s->v[i].var = arena_new(e->a, struct css_var);
		s->v[i].var->scope = s;
		s->v[i].var->done = s->v[i].var->bad = true;
		s->v[i].var->unknown = true;
	}
	return s;
}

bool
css_var_fill(struct css_var_env *e, struct css_decl *d)
{
	struct css_decl out;
	struct buf b;
	int is = -1;
	bool ok;

	buf_init(&b, e->a, LIMIT_CSS_VALUE);
	e->unknown = false;
	e->block->em = e->em > 0.001 ? e->em : 0.001;
	ok = css_var_fill_text(e, d->text, &b);
	if (ok)
		is = css_decl_later(e->block, d, buf_view(&b), &out);
	e->block->em = 0;
	if (e->unknown) {
		d->kind = CSS_UNKNOWN;
		return true;
	}
	if (is > 0)
		*d = out;
	else if (is < 0) /* as if it did not exist, 3.1 */
		d->kind = css_decl_is_inherited((enum css_prop)d->prop)
		    ? CSS_INHERIT
		    : CSS_INITIAL;
	return is != 0;
}

void
css_var_fill_set(struct css_var_env *e, struct css_set *set,
    const struct css_style *up)
{
	static const uint64_t font = 1ULL << CSS_FONT_SIZE;

	if (!set->later)
		return;
	e->em = up->font;
	for (int round = 0; round < 2; round++) {
		uint64_t left = set->has & (round == 0 ? font : ~font);

		for (; left != 0; left &= left - 1) {
			size_t p = (size_t)__builtin_ctzll(left);

			if (set->d[p].kind == CSS_LATER &&
			    !css_var_fill(e, &set->d[p]))
				set->has &= ~(1ULL << p);
		}
		if (round == 0 && (set->has & font))
			e->em = css_style_font(up, &set->d[CSS_FONT_SIZE]);
	}
	for (size_t i = 0; i < set->maybes; i++)
		if (set->maybe[i].kind == CSS_LATER &&
		    !css_var_fill(e, &set->maybe[i]))
			set->maybe[i].kind = CSS_INHERIT;
}
