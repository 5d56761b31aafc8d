/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as data, and as lines that begin with +, - or ~. */
#include "desk/plan.h"

#include "base/buf.h"
#include "base/limits.h"
#include "desk/picture.h"

const struct field plan_fields[] = {
	{ "change", FIELD_TEXT, .help = "added, changed or removed" },
	{ "what", FIELD_TEXT, .help = "such as \"account work\"" },
	{ "setting", FIELD_TEXT, .nullable = true,
	    .help = "its setting; null: all of it" },
	{ "was", FIELD_TEXT, .help = "what it was, or empty" },
	{ "is", FIELD_TEXT, .help = "what it is then, or empty" },
	{ 0 },
};

void
plan_put(struct plan *p, const struct plan_line *x)
{
	p->v = arena_more(p->a, p->v, p->n, sizeof(*p->v));
	p->v[p->n++] = *x;
}

void
plan_added(struct plan *p, struct str what)
{
	plan_put(p, &(struct plan_line){ .sign = '+', .what = what });
}

void
plan_removed(struct plan *p, struct str what)
{
	plan_put(p, &(struct plan_line){ .sign = '-', .what = what });
}

void
plan_value(struct plan *p, struct str what, struct str setting, struct str was,
    struct str is)
{
	if (!str_eq(was, is))
		plan_put(p, &(struct plan_line){ '~', what, setting, was, is });
}

static int
plan_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static struct strs
plan_sorted(struct arena *a, const struct strs *l)
{
	struct strs out = str_dup_all(a, l);

	if (out.n > 1)
		qsort(out.v, out.n, sizeof(*out.v), plan_compare);
	return out;
}

void
plan_strs(struct plan *p, struct str what, struct str setting,
    const struct strs *was, const struct strs *is)
{
	struct strs x = plan_sorted(p->a, was), y = plan_sorted(p->a, is);
	size_t i = 0, k = 0;

	while (i < x.n || k < y.n) {
		int r = i == x.n ? 1 : k == y.n ? -1 : str_cmp(x.v[i], y.v[k]);

		if (r < 0)
			plan_put(p,
			    &(struct plan_line){ '-', what, setting, x.v[i],
				S("") });
		if (r > 0)
			plan_put(p,
			    &(struct plan_line){ '+', what, setting, S(""),
				y.v[k] });
		i += r <= 0;
		k += r >= 0;
	}
}

bool
plan_same(const struct plan *x, const struct plan *y)
{
	return str_eq(plan_text(x), plan_text(y));
}

static const char *
plan_word(char sign)
{
	return sign == '+' ? "added" : sign == '-' ? "removed" : "changed";
}

void
plan_to_json(const struct plan *p, struct json *out)
{
	json_open_array(out, "changes");
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_line *x = &p->v[i];

		json_open_object(out, NULL);
		json_put_text(out, "change", plan_word(x->sign));
		json_put_str(out, "what", x->what);
		json_put_str_or_null(out, "setting", x->setting);
		json_put_str(out, "was", x->was);
		json_put_str(out, "is", x->is);
		json_close_object(out);
	}
	json_close_array(out);
}

static struct str
plan_shown(const struct plan *p, struct str value)
{
	return value.n > 0 ? picture_text(p->a, value, false) : S("nothing");
}

struct str
plan_text(const struct plan *p)
{
	struct buf b;

	buf_init(&b, p->a, 4 * LIMIT_DOCUMENT);
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_line *x = &p->v[i];
		struct str was = plan_shown(p, x->was);
		struct str is = plan_shown(p, x->is);

		buf_fmt(&b, "%c %.*s", x->sign,
		    STR_ARG(picture_text(p->a, x->what, false)));
		if (x->setting.n > 0)
			buf_fmt(&b, ": %.*s", STR_ARG(x->setting));
		if (x->sign == '~')
			buf_fmt(&b, ": %.*s -> %.*s", STR_ARG(was),
			    STR_ARG(is));
		else if (x->setting.n > 0)
			buf_fmt(&b, ": %.*s",
			    STR_ARG(x->sign == '+' ? is : was));
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}
