/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as data, and as lines that begin with +, - or ~. */
#include "desk/plan.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "desk/picture.h"

enum {
	NOTE_MAX = 16384,     /* bytes */
	NOTE_VALUE_MAX = 200, /* bytes of a value in it */
	PLAN_MAX = 4 * LIMIT_DOCUMENT
};

#define NOTHING "nothing"
#define ARROW " -> "

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
		plan_put(p,
		    &(struct plan_line){ '~', what, setting, was, is, false });
}

void
plan_given(struct plan *p, struct str what, struct str setting, struct str is)
{
	if (is.n > 0)
		plan_put(p,
		    &(struct plan_line){ '+', what, setting, S(""), is,
			false });
}

static int
plan_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

struct strs
plan_sorted(struct arena *a, const struct strs *l)
{
	struct strs out = { arena_array(a, l->n, sizeof(*l->v)), 0 };
	struct strs all = { arena_array(a, l->n, sizeof(*l->v)), l->n };

	if (l->n == 0)
		return out;
	memcpy(all.v, l->v, l->n * sizeof(*l->v));
	qsort(all.v, all.n, sizeof(*all.v), plan_compare);
	for (size_t i = 0; i < all.n; i++)
		if (i == 0 || !str_eq(all.v[i], all.v[i - 1]))
			out.v[out.n++] = all.v[i];
	return out;
}

bool
plan_has(const struct strs *sorted, struct str s)
{
	return sorted->n > 0 &&
	    bsearch(&s, sorted->v, sorted->n, sizeof(s), plan_compare) != NULL;
}

void
plan_strs(struct plan *p, struct str what, struct str setting,
    const struct strs *was, const struct strs *is, struct strs *added,
    struct strs *dropped)
{
	struct plan_line less = { '-', what, setting, S(""), S(""), true };
	struct plan_line more = { '+', what, setting, S(""), S(""), true };
	size_t i = 0, k = 0;

	*added = *dropped = (struct strs){ 0 };
	while (i < was->n || k < is->n) {
		int r = i == was->n ? 1
		    : k == is->n    ? -1
				    : str_cmp(was->v[i], is->v[k]);

		if (r < 0) {
			less.was = was->v[i];
			plan_put(p, &less);
			str_push(p->a, dropped, was->v[i]);
		} else if (r > 0) {
			more.is = is->v[k];
			plan_put(p, &more);
			str_push(p->a, added, is->v[k]);
		}
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

/* A value that could be taken for words of the plan. */
static bool
plan_is_like_words(struct str value)
{
	return str_eq(value, S(NOTHING)) || value.p[0] == '"' ||
	    str_find(value, S(ARROW)) >= 0;
}

/* max: how many bytes of it. */
static struct str
plan_shown(const struct plan *p, struct str value, size_t max)
{
	bool cut = value.n > max;
	struct str seen;
	struct buf b;

	if (value.n == 0)
		return S(NOTHING);
	seen = picture_text(p->a, cut ? utf8_first(value, max) : value, false);
	if (!plan_is_like_words(seen))
		return cut ? str_fmt(p->a, "%.*s...", STR_ARG(seen)) : seen;
	buf_init(&b, p->a, 2 * seen.n + 8);
	buf_char(&b, '"');
	for (size_t i = 0; i < seen.n; i++) {
		if (seen.p[i] == '"' || seen.p[i] == '\\')
			buf_char(&b, '\\');
		buf_char(&b, seen.p[i]);
	}
	buf_text(&b, cut ? "\"..." : "\"");
	return buf_view(&b);
}

static void
plan_write(const struct plan *p, size_t max, struct buf *b)
{
	buf_init(b, p->a, PLAN_MAX);
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_line *x = &p->v[i];
		struct str was = plan_shown(p, x->was, max);
		struct str is = plan_shown(p, x->is, max);

		buf_fmt(b, "%c %.*s", x->sign,
		    STR_ARG(picture_text(p->a, x->what, false)));
		if (x->setting.n > 0)
			buf_fmt(b, ": %.*s", STR_ARG(x->setting));
		if (x->sign == '~')
			buf_fmt(b, ": %.*s" ARROW "%.*s", STR_ARG(was),
			    STR_ARG(is));
		else if (x->setting.n > 0)
			buf_fmt(b, ": %.*s",
			    STR_ARG(x->sign == '+' ? is : was));
		buf_char(b, '\n');
	}
}

struct str
plan_text(const struct plan *p)
{
	struct buf b;

	plan_write(p, SIZE_MAX, &b);
	return buf_view(&b);
}

int
plan_check(const struct plan *p, struct err *e)
{
	struct buf b;

	plan_write(p, SIZE_MAX, &b);
	return !b.over ? 0
		       : err_set(e, ERR_LIMIT,
			     "%zu changes are too long to be shown whole: "
			     "apply them in parts",
			     p->n);
}

struct str
plan_note(const struct plan *p)
{
	struct plan sorted = { p->a, arena_array(p->a, p->n, sizeof(*p->v)),
		0 };
	struct str all, some;
	struct buf b;

	/* Neither thousands of entries of a list nor a long value hide more. */
	for (int lists = 0; lists <= 1; lists++)
		for (size_t i = 0; i < p->n; i++)
			if (p->v[i].list == (bool)lists)
				sorted.v[sorted.n++] = p->v[i];
	plan_write(&sorted, NOTE_VALUE_MAX, &b);
	all = buf_view(&b);
	some = utf8_first(all, NOTE_MAX);
	return some.n == all.n
	    ? all
	    : str_fmt(p->a, "%.*s... (%zu changes)", STR_ARG(some), p->n);
}
