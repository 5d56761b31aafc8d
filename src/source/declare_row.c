/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the table, and checks of all rows together. */
#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "source/internal.h"

enum {
	QUOTED = 40,
	NAME_MAX_BYTES = 64,
	ROLES_MAX = 1000 /* bytes of a cell of roles */
};

struct cell {
	struct arena *a;
	struct declare *d;
	unsigned line;
	enum role roles[ROLE_PRIMARY]; /* the roles in the cell, each once */
	size_t n;
	unsigned prefers;
	bool bad;
};

/* Back-ticks around a name are removed. */
struct str
declare_row_bare(struct str s)
{
	s = str_trim(s);
	if (s.n > 1 && s.p[0] == '`' && s.p[s.n - 1] == '`')
		s = str_trim((struct str){ s.p + 1, s.n - 2 });
	return s;
}

bool
declare_row_is_todo(struct str s)
{
	s = declare_row_bare(s);
	return s.n == 0 || str_starts_case(s, S("TODO:"));
}

/* Is it still a template's text instead of a choice? */
static bool
declare_row_is_template(struct str s)
{
	static const struct str marks[] = { SI("\xE2\x80\xA6"), SI("..."),
		SI("TODO"), SI("<"), SI(" or ") };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (str_find(s, marks[i]) >= 0)
			return true;
	return false;
}

static void declare_row_wrong(struct cell *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
declare_row_wrong(struct cell *c, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	c->bad = true;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	declare_remark(c->a, c->d, DECLARE_ERROR, c->line, "%s", text);
}

/* A word of the file in quotes, cut to a useful length. */
static struct str
declare_row_quoted(struct cell *c, struct str s)
{
	return str_fmt(c->a, "\"%.*s\"", STR_ARG(str_first(s, QUOTED)));
}

static void
declare_row_add_role(struct cell *c, enum role role)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->roles[i] == role)
			return;
	c->roles[c->n++] = role;
}

/* Does a role begin with this word? */
static bool
declare_row_is_role_word(struct str s)
{
	enum role r;
	struct str word, rest;

	(void)str_cut(s, ' ', &word, &rest);
	return role_find(declare_row_bare(word), &r);
}

static void
declare_row_read_op(struct cell *c, struct str s)
{
	struct err e = { 0 };
	enum role_op op;

	s = declare_row_bare(s);
	if (declare_row_is_role_word(s))
		declare_row_wrong(c,
		    "unknown operation %.*s: separate roles with \";\", as in "
		    "\"preferred for thread_url; fallback\"",
		    STR_ARG(declare_row_quoted(c, s)));
	else if (s.n == 0)
		declare_row_wrong(c, "an operation is missing");
	else if (role_op_read(c->a, s, &op, &e) < 0)
		declare_row_wrong(c, "%s", e.say);
	else if (str_has_char(s, '-'))
		/* Files use the contract's spelling. */
		declare_row_wrong(c, "unknown operation %.*s: did you mean %s?",
		    STR_ARG(declare_row_quoted(c, s)), role_op_name(op));
	else
		c->prefers |= 1U << op;
}

/* Skips white space; false when there is none. */
static bool
declare_row_space(struct str *s)
{
	struct str rest = *s;

	while (rest.n > 0 && (rest.p[0] == ' ' || rest.p[0] == '\t'))
		rest = str_from(rest, 1);
	if (rest.n == s->n)
		return false;
	*s = rest;
	return true;
}

/* "preferred for op, op"; false if it has another form. */
static bool
declare_row_read_preferred(struct cell *c, struct str s)
{
	struct str op;

	if (!str_starts_case(s, S("preferred")))
		return false;
	s = str_from(s, sizeof("preferred") - 1);
	if (!declare_row_space(&s) || !str_starts_case(s, S("for")))
		return false;
	s = str_from(s, sizeof("for") - 1);
	if (!declare_row_space(&s) && s.n > 0)
		return false;
	declare_row_add_role(c, ROLE_PREFERRED);
	while (str_cut(s, ',', &op, &s) && !c->bad)
		declare_row_read_op(c, op);
	if (!c->bad)
		declare_row_read_op(c, op);
	return true;
}

static void
declare_row_read_role(struct cell *c, struct str s)
{
	enum role role;

	s = declare_row_bare(s);
	if (s.n == 0)
		declare_row_wrong(c, "a role is missing");
	else if (role_find(s, &role) && role != ROLE_NONE &&
	    role != ROLE_PREFERRED)
		declare_row_add_role(c, role);
	else if (!declare_row_read_preferred(c, s))
		declare_row_wrong(c,
		    "unknown role %.*s: the roles are primary, preferred for "
		    "OPERATION, fallback and optional",
		    STR_ARG(declare_row_quoted(c, s)));
}

/* The index of " and " between roles, with white space on both sides. */
static ptrdiff_t
declare_row_find_and(struct str s)
{
	for (size_t i = 1; i + 4 <= s.n; i++)
		if ((s.p[i - 1] == ' ' || s.p[i - 1] == '\t') &&
		    str_starts_case(str_from(s, i), S("and")) &&
		    (s.p[i + 3] == ' ' || s.p[i + 3] == '\t'))
			return (ptrdiff_t)i;
	return -1;
}

static void
declare_row_read_roles(struct cell *c, struct str s)
{
	if (s.n > ROLES_MAX) {
		declare_row_wrong(c, "the roles are longer than %d bytes",
		    ROLES_MAX);
		return;
	}
	if (declare_row_is_template(s)) {
		declare_row_wrong(c, "replace the placeholder %.*s",
		    STR_ARG(declare_row_quoted(c, s)));
		return;
	}
	for (;;) {
		size_t end = 0, len = 1;
		ptrdiff_t and;

		while (end < s.n && s.p[end] != ';' && s.p[end] != '+')
			end++;
		and = declare_row_find_and(str_first(s, end));
		if (and >= 0) {
			end = (size_t) and;
			len = 3;
		}
		declare_row_read_role(c, str_first(s, end));
		if (end == s.n || c->bad)
			return;
		s = str_from(s, end + len);
	}
}

static bool
declare_row_has(const struct cell *c, enum role role)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->roles[i] == role)
			return true;
	return false;
}

/* Joins several roles into the strongest; false for a contradiction. */
static bool
declare_row_join(struct cell *c, enum role *out)
{
	if (declare_row_has(c, ROLE_OPTIONAL) && c->n > 1) {
		declare_row_wrong(c,
		    "optional cannot be combined with another role: it keeps "
		    "the source out of the chain");
		return false;
	}
	if (declare_row_has(c, ROLE_PRIMARY) &&
	    declare_row_has(c, ROLE_FALLBACK))
		declare_remark(c->a, c->d, DECLARE_WARNING, c->line,
		    "fallback has no effect beside primary");
	*out = ROLE_NONE;
	for (size_t i = 0; i < c->n; i++)
		if (c->roles[i] > *out)
			*out = c->roles[i];
	return !c->bad;
}

static bool
declare_row_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '_' || c == '-'))
			return false;
	}
	return s.n > 0 && s.n <= NAME_MAX_BYTES;
}

/* A row for a backend of an earlier row: joins their roles. */
static void
declare_row_merge(struct cell *c, struct declare_row *old, bool mandatory)
{
	if (old->mandatory != mandatory)
		declare_row_wrong(c,
		    "%.*s is mandatory in one row and not in another",
		    STR_ARG(declare_row_quoted(c, old->name)));
	declare_row_add_role(c, old->role);
	if (old->prefers != 0)
		declare_row_add_role(c, ROLE_PREFERRED);
	old->prefers |= c->prefers;
	(void)declare_row_join(c, &old->role);
}

static void
declare_row_keep(struct cell *c, struct str name, enum role role,
    bool mandatory)
{
	struct declare *d = c->d;

	for (size_t i = 0; i < d->n; i++) {
		if (str_eq(d->v[i].name, name)) {
			declare_row_merge(c, &d->v[i], mandatory);
			return;
		}
	}
	if (d->v == NULL)
		d->v = arena_array(c->a, LIMIT_SOURCES, sizeof(*d->v));
	if (d->n == LIMIT_SOURCES)
		declare_row_wrong(c, "there are more than %d sources",
		    LIMIT_SOURCES);
	else
		d->v[d->n++] = (struct declare_row){ name, role, c->prefers,
			mandatory, c->line };
}

void
declare_row_read(struct arena *a, struct declare *d, unsigned line,
    const struct str *cell)
{
	struct cell c = { .a = a, .d = d, .line = line };
	struct str name = declare_row_bare(cell[0]),
		   mandatory = declare_row_bare(cell[2]);
	enum role role = ROLE_NONE;
	bool yes = str_eq_case(mandatory, S("yes"));

	if (declare_row_is_todo(cell[0]) && declare_row_is_todo(cell[1]) &&
	    declare_row_is_todo(cell[2])) {
		declare_remark(a, d, DECLARE_NOTE, line,
		    "a row that is still to be filled in was skipped");
		return;
	}
	if (!declare_row_is_name(name) && declare_row_is_template(name))
		declare_row_wrong(&c, "replace the placeholder %.*s",
		    STR_ARG(declare_row_quoted(&c, name)));
	else if (!declare_row_is_name(name))
		declare_row_wrong(&c,
		    "%.*s is not the name of a backend: use letters, digits, - "
		    "and _",
		    STR_ARG(declare_row_quoted(&c, name)));
	declare_row_read_roles(&c, str_trim(cell[1]));
	if (!yes && !str_eq_case(mandatory, S("no")))
		declare_row_wrong(&c,
		    "mandatory must be \"yes\" or \"no\", not %.*s",
		    STR_ARG(declare_row_quoted(&c, mandatory)));
	if (declare_row_join(&c, &role))
		declare_row_keep(&c, name, role, yes);
}

/* One preferred source per operation. */
static void
declare_row_check_preferred(struct arena *a, struct declare *d)
{
	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		const struct declare_row *first = NULL;

		for (size_t i = 0; i < d->n; i++) {
			const struct declare_row *r = &d->v[i];

			if (!(r->prefers & 1U << op))
				continue;
			if (first == NULL)
				first = r;
			else
				declare_remark(a, d, DECLARE_ERROR, r->line,
				    "both \"%.*s\" and \"%.*s\" are preferred "
				    "for %s",
				    STR_ARG(first->name), STR_ARG(r->name),
				    role_op_name(op));
		}
	}
}

void
declare_row_check(struct arena *a, struct declare *d)
{
	const struct declare_row *primary = NULL;

	for (size_t i = 0; i < d->n; i++) {
		const struct declare_row *r = &d->v[i];

		if (r->role == ROLE_OPTIONAL && r->mandatory)
			declare_remark(a, d, DECLARE_WARNING, r->line,
			    "\"%.*s\" is optional, but nothing runs without "
			    "it: make it mandatory",
			    STR_ARG(r->name));
		if (r->role != ROLE_PRIMARY)
			continue;
		if (primary != NULL)
			declare_remark(a, d, DECLARE_ERROR, r->line,
			    "both \"%.*s\" and \"%.*s\" are primary: only one "
			    "may be",
			    STR_ARG(primary->name), STR_ARG(r->name));
		primary = r;
	}
	declare_row_check_preferred(a, d);
	if (d->n == 0 && d->errors == 0)
		declare_remark(a, d, DECLARE_WARNING, 0,
		    "no source is declared");
	else if (primary == NULL && d->errors == 0)
		declare_remark(a, d, DECLARE_WARNING, 0,
		    "no source is primary: an operation without a preferred "
		    "source uses only the fallbacks");
}
