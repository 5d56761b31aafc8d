/* SPDX-License-Identifier: Apache-2.0 */
#include "store/postgres_sql.h"

#include <string.h>

#include "base/ascii.h"
#include "base/err.h"

enum {
	SQL_MOST = 256 << 10
};

/*
 * What is said otherwise.  A phrase is compared word for word, whatever the
 * space between; the first row that fits is taken.
 */
static const struct phrase {
	const char *from, *to;
	bool schema; /* only where tables are created or altered */
} phrases[] = {
	/* put_trigger() has the rest. */
	{ "INTEGER PRIMARY KEY AUTOINCREMENT", "bigint PRIMARY KEY", true },
	{ "INTEGER", "bigint", false },
	{ "BLOB", "bytea", true },
	{ "TEXT", "text COLLATE \"C\"", true },
	{ "WITHOUT ROWID", "", true },
	{ "NOT INDEXED", "", false },
	/* Which numbers were given: postgres_schema.c. */
	{ "sqlite_sequence", "given", false },
	/* A row's place. */
	{ "rowid", "ctid", false },
	{ "LIMIT -1", "LIMIT ALL", false },
	/*
	 * Names of agents do not differ in case alone: that of A to Z, in
	 * whatever language the database is.
	 */
	{ "name = ?1 COLLATE NOCASE", "lower(name) = lower($1 COLLATE \"C\")",
	    false },
	{ "name = ?2 COLLATE NOCASE", "lower(name) = lower($2 COLLATE \"C\")",
	    false },
	{ "COLLATE NOCASE", "", true },
	{ "PRIMARY KEY (agent, account_id))",
	    "PRIMARY KEY (agent, account_id));"
	    " CREATE UNIQUE INDEX freeze_agent"
	    " ON \"freeze\" (lower(agent), account_id)",
	    true },
	{ "f.agent IN ('', ?1)",
	    "lower(f.agent) IN ('', lower($1 COLLATE \"C\"))", false },
	{ "f.agent IN ('', outbox.principal)",
	    "lower(f.agent) IN ('', lower(outbox.principal))", false },
	{ "g.agent IN ('', outbox.principal)",
	    "lower(g.agent) IN ('', lower(outbox.principal))", false },
	{ "agent IN ('', ?1)", "lower(agent) IN ('', lower($1 COLLATE \"C\"))",
	    false },
	{ "f.agent = ?1", "lower(f.agent) = lower($1 COLLATE \"C\")", false },
	{ "agent = ?1", "lower(agent) = lower($1 COLLATE \"C\")", false },
	{ "f.agent, f.account_id LIMIT", "lower(f.agent), f.account_id LIMIT",
	    false },
	/* Its texts are of characters. */
	{ "substr(CAST(a.name AS BLOB), 1, ?5)", "left(a.name, $5::int)",
	    false },
	/* Numbers of a list, and their places from 0. */
	{ "json_each(?4)",
	    "(SELECT value::bigint AS value, (ordinality - 1)::int AS key"
	    " FROM json_array_elements_text($4::json) WITH ORDINALITY) AS each",
	    false },
	/* A word of PostgreSQL's own. */
	{ "freeze", "\"freeze\"", false },
};

enum kind {
	WORD,
	NUMBER,
	TEXT,
	PARAMETER,
	OTHER
};

struct token {
	struct str space, s; /* what is before it, and it */
	enum kind kind;
	long number; /* of a parameter */
};

struct tokens {
	struct token *v;
	size_t n;
};

static bool
is_word(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	    (!first && c >= '0' && c <= '9');
}

/* Spaces and comments. */
static size_t
skip_space(struct str s, size_t i)
{
	while (i < s.n) {
		if (i + 1 < s.n && s.p[i] == '-' && s.p[i + 1] == '-') {
			while (i < s.n && s.p[i] != '\n')
				i++;
		} else if (str_has_char(S(" \t\r\n"), s.p[i])) {
			i++;
		} else {
			break;
		}
	}
	return i;
}

/* To the end of what is between quotes; two of them are one of the text. */
static size_t
skip_text(struct str s, size_t i)
{
	const char quote = s.p[i++];

	while (i < s.n) {
		if (s.p[i++] != quote)
			continue;
		if (i >= s.n || s.p[i] != quote)
			return i;
		i++;
	}
	err_bug("store: a text in SQL has no end");
}

static size_t
skip_while(struct str s, size_t i, bool (*is)(char, bool))
{
	while (i < s.n && is(s.p[i], false))
		i++;
	return i;
}

static bool
is_digit(char c, bool first)
{
	(void)first;
	return c >= '0' && c <= '9';
}

static size_t
read_token(struct str s, size_t i, struct token *t)
{
	const char c = s.p[i];

	if (is_word(c, true)) {
		t->kind = WORD;
		return skip_while(s, i, is_word);
	}
	if (is_digit(c, true)) {
		t->kind = NUMBER;
		return skip_while(s, i, is_digit);
	}
	if (c == '\'' || c == '"') {
		t->kind = TEXT;
		return skip_text(s, i);
	}
	if (c == '?') {
		t->kind = PARAMETER;
		return skip_while(s, i + 1, is_digit);
	}
	t->kind = OTHER;
	return i + 1;
}

static void
read_tokens(struct str s, struct arena *a, struct tokens *out)
{
	long next = 0;
	size_t i = 0;

	*out = (struct tokens){ 0 };
	while (i < s.n) {
		struct token t = { 0 };
		size_t from = i;
		uint32_t n;

		i = skip_space(s, i);
		t.space = (struct str){ s.p + from, i - from };
		if (i == s.n)
			break;
		from = i;
		i = read_token(s, i, &t);
		t.s = (struct str){ s.p + from, i - from };
		if (t.kind == PARAMETER) {
			t.number = str_to_u32(str_from(t.s, 1), 999, &n)
			    ? (long)n
			    : next + 1;
			next = t.number;
		}
		out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
		out->v[out->n++] = t;
	}
}

struct translation {
	struct tokens is;
	struct tokens phrases[sizeof(phrases) / sizeof(phrases[0])];
	struct buf out;
	struct str created;  /* the table that is created now, */
	struct str numbered; /* and its column of such numbers */
	bool schema;         /* in a statement that creates or alters one */
	bool begins;         /* at the first word of a statement */
	struct postgres_sql *what;
};

static bool
is_token(const struct tokens *t, size_t i, const char *word)
{
	return i < t->n && str_eq(t->v[i].s, str_of(word));
}

static bool
is_token_of(const struct tokens *t, size_t i, const char *const *words,
    size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (is_token(t, i, words[k]))
			return true;
	return false;
}

/* Does that phrase begin there? */
static bool
is_phrase(const struct translation *x, size_t at, size_t which)
{
	const struct tokens *p = &x->phrases[which];

	if (phrases[which].schema && !x->schema)
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (at + i >= x->is.n || !str_eq(x->is.v[at + i].s, p->v[i].s))
			return false;
	return true;
}

/*
 * After a table whose rows get numbers that are never used again: what gives
 * them.
 */
static void
put_trigger(struct translation *x)
{
	if (x->numbered.n > 0)
		buf_fmt(&x->out,
		    "; CREATE TRIGGER given_%.*s BEFORE INSERT ON %.*s"
		    " FOR EACH ROW EXECUTE FUNCTION given_%.*s()",
		    STR_ARG(x->numbered), STR_ARG(x->created),
		    STR_ARG(x->numbered));
	x->numbered = (struct str){ 0 };
}

/* max() and min() of a row: they have a comma, and NULL gives NULL. */
static bool
is_of_row(const struct tokens *t, size_t i)
{
	int depth = 0;

	if ((!is_token(t, i, "max") && !is_token(t, i, "min")) ||
	    !is_token(t, i + 1, "("))
		return false;
	for (i++; i < t->n; i++) {
		if (is_token(t, i, "("))
			depth++;
		else if (is_token(t, i, ")") && --depth == 0)
			return false;
		else if (is_token(t, i, ",") && depth == 1)
			return true;
	}
	return false;
}

/* x'00' */
static bool
is_bytes(const struct tokens *t, size_t i)
{
	return is_token(t, i, "x") && i + 1 < t->n &&
	    t->v[i + 1].kind == TEXT && t->v[i + 1].space.n == 0;
}

/* Of `$1 IS NULL` alone no type follows. */
static bool
is_asked_for_null(const struct tokens *t, size_t i)
{
	return is_token(t, i + 1, "IS") &&
	    (is_token(t, i + 2, "NULL") ||
		(is_token(t, i + 2, "NOT") && is_token(t, i + 3, "NULL")));
}

/* What a statement does, by its first words. */
static void
look_at_statement(struct translation *x, size_t i)
{
	static const char *const writes[] = { "INSERT", "UPDATE", "DELETE" };
	static const char *const schema[] = { "CREATE", "ALTER", "DROP" };
	static const char *const before[] = { "INTO", "FROM", "OR", "IGNORE",
		"REPLACE" };
	const struct tokens *t = &x->is;

	if (x->begins)
		x->schema = is_token_of(t, i, schema, 3);
	x->begins = is_token(t, i, ";");
	x->what->schema = x->what->schema || x->schema;
	if (x->schema) {
		x->what->writes = true;
		if (is_token(t, i, "TABLE") && i + 1 < t->n)
			x->created = is_token(t, i + 1, "IF") && i + 4 < t->n
			    ? t->v[i + 4].s
			    : t->v[i + 1].s;
		return;
	}
	/* ON DELETE, DO UPDATE SET: of another statement. */
	if (!is_token_of(t, i, writes, 3) ||
	    (i > 0 && (is_token(t, i - 1, "ON") || is_token(t, i - 1, "DO"))))
		return;
	x->what->writes = true;
	for (i++; i < t->n && is_token_of(t, i, before, 5); i++)
		;
	if (i < t->n && x->what->table.n == 0)
		x->what->table = t->v[i].s;
}

/* Returns how many tokens it took. */
static size_t
put_token(struct translation *x, size_t i)
{
	const struct token *t = &x->is.v[i];

	look_at_statement(x, i);
	if (str_eq(t->s, S(";")))
		put_trigger(x);
	buf_str(&x->out, t->space);
	for (size_t k = 0; k < sizeof(phrases) / sizeof(phrases[0]); k++)
		if (is_phrase(x, i, k)) {
			if (k == 0 && i > 0)
				x->numbered = x->is.v[i - 1].s;
			buf_text(&x->out, phrases[k].to);
			return x->phrases[k].n;
		}
	if (is_bytes(&x->is, i)) {
		buf_fmt(&x->out, "'\\x%.*s::bytea",
		    STR_ARG(str_from(x->is.v[i + 1].s, 1)));
		return 2;
	}
	if (t->kind == PARAMETER)
		buf_fmt(&x->out, "$%ld%s", t->number,
		    is_asked_for_null(&x->is, i) ? "::text" : "");
	else if (is_of_row(&x->is, i))
		buf_text(&x->out,
		    is_token(&x->is, i, "max") ? "greatest_of" : "least_of");
	else
		buf_str(&x->out, t->s);
	return 1;
}

void
postgres_sql_of(struct str sql, struct arena *a, struct postgres_sql *out)
{
	struct translation x = { .begins = true, .what = out };

	*out = (struct postgres_sql){ 0 };
	read_tokens(sql, a, &x.is);
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
		read_tokens(str_of(phrases[i].from), a, &x.phrases[i]);
	buf_init(&x.out, a, SQL_MOST);
	for (size_t i = 0; i < x.is.n;)
		i += put_token(&x, i);
	put_trigger(&x);
	if (x.out.over)
		err_bug("store: a statement is too long");
	out->text = (struct str){ str_c(a, buf_view(&x.out)), x.out.n };
}
