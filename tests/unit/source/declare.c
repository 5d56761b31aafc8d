/* SPDX-License-Identifier: Apache-2.0 */
/* An adopter's table: valid entries, and the errors of others. */
#include "../rows.h"

#include "base/buf.h"
#include "base/limits.h"
#include "source/choose.h"
#include "source/declare.h"
#include "source/matrix.h"

#define HEAD                                                                   \
	"## Mail sources\n\n| Backend | Role | Mandatory | Notes |\n"          \
	"|---|---|---|---|\n"

static struct arena *a;

/* "gmail primary yes [ops]; ..." */
static struct str
rows_text(const struct declare *d)
{
	struct buf b;

	buf_init(&b, a, 4096);
	for (size_t i = 0; i < d->n; i++) {
		buf_fmt(&b, "%s%.*s %s %s", i > 0 ? "; " : "",
		    STR_ARG(d->v[i].name), role_name(d->v[i].role),
		    d->v[i].mandatory ? "yes" : "no");
		if (d->v[i].prefers != 0)
			buf_fmt(&b, " [%.*s]",
			    STR_ARG(role_ops_text(a, d->v[i].prefers)));
	}
	return buf_view(&b);
}

/* "7 error: ...", one per line. */
static struct str
remarks_text(const struct declare *d)
{
	struct buf b;

	buf_init(&b, a, 65536);
	for (size_t i = 0; i < d->remarks; i++)
		buf_fmt(&b, "%s%u %s: %.*s", i > 0 ? "\n" : "",
		    d->remark[i].line, declare_weight_name(d->remark[i].weight),
		    STR_ARG(d->remark[i].say));
	return buf_view(&b);
}

#define NO_PRIMARY                                                             \
	"0 warning: no source is primary: an operation without a preferred "   \
	"source uses only the fallbacks"
#define TODO " note: a row that is still to be filled in was skipped"

#define SETTING_TODO                                                           \
	" note: a setting that is still to be filled in was skipped"

static const struct good_row {
	const char *why, *file, *rows, *remarks;
} goods[] = {
	{ "a table",
	    HEAD "| `gmail`    | primary | yes | Triage account |\n"
		 "| `imap` | preferred for read_thread, list_recent_threads | "
		 "no | in |\n"
		 "| `ponymail` | fallback | no | public archive |\n",
	    "gmail primary yes; imap preferred no [list_recent_threads, "
	    "read_thread]; ponymail fallback no",
	    "" },
	{ "no bars at the ends, and CRLF",
	    "## mail SOURCES ##\r\nBackend | Role | Mandatory | Notes\r\n"
	    ":--|:-:|--:|---\r\ngmail | Primary | YES | x\r\n",
	    "gmail primary yes", "" },
	{ "a byte order mark", "\xEF\xBB\xBF" HEAD "| a | primary | no | |\n",
	    "a primary no", "" },
	{ "no notes", HEAD "| a | primary | no |\n", "a primary no", "" },
	{ "bars in notes, with and without a backslash",
	    HEAD "| a | primary | no | x \\| y | z |\n", "a primary no", "" },
	{ "roles in one cell, by ;",
	    HEAD "| a | preferred for thread_url; fallback | no | |\n"
		 "| b | primary | no | |\n",
	    "a fallback no [thread_url]; b primary no", "" },
	{ "by +", HEAD "| a | primary + preferred for thread_url | no | |\n",
	    "a primary no [thread_url]", "" },
	{ "by and",
	    HEAD "| a | Preferred  FOR `read_thread`,`thread_url` AND primary "
		 "| no | |\n",
	    "a primary no [read_thread, thread_url]", "" },
	{ "roles in repeated rows",
	    HEAD "| a | preferred for thread_url | no | |\n"
		 "| b | primary | no | |\n| a | fallback | no | |\n",
	    "a fallback no [thread_url]; b primary no", "" },
	{ "below a heading, between quotes, in two tables",
	    "# Project\n## Mail sources\n### Backend declaration\n> quote\n\n"
	    "| Backend | Role | Mandatory | Notes |\n|---|---|---|---|\n"
	    "| a | primary | no | |\n\n> more\n\n"
	    "| Backend | Role | Mandatory | Notes |\n|---|---|---|---|\n"
	    "| b | fallback | no | |\n",
	    "a primary no; b fallback no", "" },
	{ "another section's tables are not ours",
	    HEAD "| a | primary | no | |\n## Other\n\n"
		 "| Backend | Role | Mandatory | Notes |\n|---|---|---|---|\n"
		 "| b | primary | perhaps | |\n",
	    "a primary no", "" },
	{ "nor are tables with other columns",
	    HEAD "| a | primary | no | |\n\n| Key | Value |\n|---|---|\n"
		 "| b | c |\n",
	    "a primary no", "" },
	{ "settings that are still open are passed over, and that is said",
	    HEAD "| a | primary | no | |\n\n| Key | Backend | Value |\n"
		 "|---|---|---|\n| b | c | `TODO: d` |\n| b | c | |\n",
	    "a primary no", "9" SETTING_TODO "\n10" SETTING_TODO },
	{ "examples in code are none",
	    "```\n" HEAD "| x | primary | no | |\n```\n" HEAD
	    "| a | primary | no | |\n\n~~~~ md\n~~~\n| Backend | Role | "
	    "Mandatory | Notes |\n|---|---|---|---|\n| b | nothing | no | |\n"
	    "~~~~~\n\n    | c | nothing | no | |\n",
	    "a primary no", "" },
	{ "nor is a comment in code one",
	    "~~~\n<!--\n~~~\n" HEAD "| a | primary | no | |\n", "a primary no",
	    "" },
	{ "operations of repeated rows are joined",
	    HEAD "| a | primary; preferred for thread_url | no | |\n"
		 "| a | preferred for read_thread | no | |\n",
	    "a primary no [read_thread, thread_url]", "" },
	{ "comments are not there",
	    HEAD "| a | primary <!-- for now --> | no | |\n"
		 "<!-- | b | primary | no | |\n| c | primary | no | | -->\n"
		 "| d | fallback | no | |\n",
	    "a primary no; d fallback no", "" },
	{ "rows to be filled in are passed over",
	    HEAD "| a | primary | no | |\n| TODO: a backend | | | |\n"
		 "| `TODO: x` | TODO: y | TODO: z | any |\n| | | | |\n",
	    "a primary no", "6" TODO "\n7" TODO "\n8" TODO },
	{ "no primary is doubtful",
	    HEAD "| imap | preferred for read_thread, list_recent_threads | "
		 "no | |\n| gmail | preferred for create_draft, list_drafts | "
		 "no | |\n",
	    "imap preferred no [list_recent_threads, read_thread]; gmail "
	    "preferred no [list_drafts, create_draft]",
	    NO_PRIMARY },
	{ "so is primary with fallback",
	    HEAD "| a | primary; fallback | no | |\n", "a primary no",
	    "5 warning: fallback has no effect beside primary" },
	{ "and mandatory with optional",
	    HEAD "| a | optional | yes | |\n| b | primary | no | |\n",
	    "a optional yes; b primary no",
	    "5 warning: \"a\" is optional, but nothing runs without it: make "
	    "it mandatory" },
	{ "and a table without rows", HEAD, "",
	    "0 warning: no source is declared" },
};

static void
good(void **state)
{
	const struct good_row *r = *state;
	struct declare d;

	declare_read(a, str_of(r->file), &d);
	rows_same(remarks_text(&d), str_of(r->remarks));
	rows_same(rows_text(&d), str_of(r->rows));
	assert_int_equal(d.errors, 0);
}

static const struct bad_row {
	const char *why, *file, *remarks;
} bads[] = {
	{ "two primaries",
	    HEAD "| a | primary | no | |\n| b | primary | no | |\n",
	    "6 error: both \"a\" and \"b\" are primary: only one may be" },
	{ "two preferred for one operation",
	    HEAD "| a | primary; preferred for read_thread | no | |\n"
		 "| b | preferred for read_thread | no | |\n",
	    "6 error: both \"a\" and \"b\" are preferred for read_thread" },
	{ "an operation that is none",
	    HEAD "| a | preferred for read_threads | no | |\n",
	    "5 error: unknown operation \"read_threads\": did you mean "
	    "read_thread?" },
	{ "operations are exact",
	    HEAD "| a | preferred for read-thread, thread_url | no | |\n",
	    "5 error: unknown operation \"read-thread\": did you mean "
	    "read_thread?" },
	{ "a comma between roles",
	    HEAD "| a | preferred for thread_url, fallback | no | |\n",
	    "5 error: unknown operation \"fallback\": separate roles with "
	    "\";\", as in \"preferred for thread_url; fallback\"" },
	{ "preferred for nothing", HEAD "| a | preferred for | no | |\n",
	    "5 error: an operation is missing" },
	{ "optional contradicts", HEAD "| a | optional; fallback | no | |\n",
	    "5 error: optional cannot be combined with another role: it keeps "
	    "the source out of the chain" },
	{ "in repeated rows too",
	    HEAD "| a | optional | no | |\n| a | preferred for thread_url | no "
		 "| |\n",
	    "6 error: optional cannot be combined with another role: it keeps "
	    "the source out of the chain" },
	{ "rows that differ in mandatory",
	    HEAD "| a | primary | no | |\n| a | fallback | yes | |\n",
	    "6 error: \"a\" is mandatory in one row and not in another\n"
	    "6 warning: fallback has no effect beside primary" },
	{ "mandatory is empty", HEAD "| a | primary | | |\n",
	    "5 error: mandatory must be \"yes\" or \"no\", not \"\"" },
	{ "or another word", HEAD "| a | primary | maybe | |\n",
	    "5 error: mandatory must be \"yes\" or \"no\", not \"maybe\"" },
	{ "a template's words",
	    HEAD "| a | `fallback` or `preferred for \xE2\x80\xA6` | no | |\n",
	    "5 error: replace the placeholder \"`fallback` or `preferred "
	    "for \xE2\x80\xA6`\"" },
	{ "a row half filled in", HEAD "| a | TODO: role | no | |\n",
	    "5 error: replace the placeholder \"TODO: role\"" },
	{ "a placeholder for a name", HEAD "| <backend> | primary | no | |\n",
	    "5 error: replace the placeholder \"<backend>\"" },
	{ "a name that is none", HEAD "| g mail | primary | no | |\n",
	    "5 error: \"g mail\" is not the name of a backend: use letters, "
	    "digits, - and _" },
	{ "a role that is none", HEAD "| a | secondary | no | |\n",
	    "5 error: unknown role \"secondary\": the roles are primary, "
	    "preferred for OPERATION, fallback and optional" },
	{ "no role", HEAD "| a | | no | |\n", "5 error: a role is missing" },
	{ "a role behind a separator", HEAD "| a | primary; | no | |\n",
	    "5 error: a role is missing" },
	{ "preferred without for", HEAD "| a | preferred | no | |\n",
	    "5 error: unknown role \"preferred\": the roles are primary, "
	    "preferred for OPERATION, fallback and optional" },
	{ "nothing", "", "0 error: there is no section \"## Mail sources\"" },
	{ "a section of another level",
	    "### Mail sources\n\n| Backend | Role | Mandatory | Notes |\n"
	    "|---|---|---|---|\n",
	    "0 error: there is no section \"## Mail sources\"" },
	{ "a section without a table", "## Mail sources\nnone yet\n",
	    "0 error: there is no table Backend | Role | Mandatory | Notes in "
	    "\"## Mail sources\"" },
	{ "columns in another order",
	    "## Mail sources\n\n| Backend | Mandatory | Role | Notes |\n"
	    "|---|---|---|---|\n| a | no | primary | |\n",
	    "3 error: a table of sources has the columns Backend | Role | "
	    "Mandatory | Notes" },
	{ "a header without its rule",
	    "## Mail sources\n| Backend | Role | Mandatory | Notes |\n"
	    "| a | primary | no | |\n",
	    "3 error: the line |---|---|---|---| is missing below the table's "
	    "header" },
	{ "settings without their rule",
	    HEAD "| a | primary | no | |\n\n| Key | Backend | Value |\n"
		 "| b | c | d |\n",
	    "8 error: the line |---|---|---| is missing below the table's "
	    "header" },
	{ "a setting twice",
	    HEAD "| a | primary | no | |\n\n| Key | Backend | Value |\n"
		 "|---|---|---|\n| b | all | d |\n| `b` | - | e |\n",
	    "10 error: \"b\" is already set in line 9" },
	{ "a fence that never closes hides what follows", "```\n" HEAD,
	    "0 error: there is no section \"## Mail sources\"" },
};

static void
bad(void **state)
{
	const struct bad_row *r = *state;
	struct declare d;

	declare_read(a, str_of(r->file), &d);
	rows_same(remarks_text(&d), str_of(r->remarks));
	assert_int_not_equal(d.errors, 0);
}

static void
settings(void **state)
{
	const struct role_source other = { .name = S("x"),
		.backend = S("maildir") };
	const struct role_source work = { .name = S("work"),
		.backend = S("imap") };
	struct declare d;

	(void)state;
	declare_read(a,
	    S("## Mail sources\n| key | BACKEND | Value |\n|--|--|--|\n"
	      "| `imap_host` | `imap` | `mail.example.org` |\n"
	      "| security_list | all | sec@example.org |\n\n"
	      "| Backend | Role | Mandatory | Notes |\n|---|---|---|---|\n"
	      "| a | primary | no | |\n"),
	    &d);
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.settings, 2);
	rows_same(d.setting[0].key, S("imap_host"));
	rows_same(d.setting[0].value, S("mail.example.org"));
	assert_true(declare_setting_is_of(&d.setting[0], &d.v[0], &work));
	assert_false(declare_setting_is_of(&d.setting[0], &d.v[0], &other));
	assert_true(declare_setting_is_of(&d.setting[1], &d.v[0], &other));
	d.setting[0].backend = S("a");
	assert_true(declare_setting_is_of(&d.setting[0], &d.v[0], &other));
}

static void
limits(void **state)
{
	struct declare d;
	struct buf b;

	(void)state;
	buf_init(&b, a, 4 * LIMIT_DECLARATION);
	buf_text(&b, HEAD);
	for (int i = 0; i < LIMIT_SOURCES + 1; i++)
		buf_fmt(&b, "| a%d | fallback | no | |\n", i);
	declare_read(a, buf_view(&b), &d);
	assert_int_equal(d.n, LIMIT_SOURCES);
	assert_int_equal(d.errors, 1);
	for (int i = 0; i < LIMIT_REMARKS + 10; i++)
		buf_text(&b, "| x | none | no | |\n");
	declare_read(a, buf_view(&b), &d);
	assert_int_equal(d.remarks, LIMIT_REMARKS);
	assert_int_equal(d.errors, LIMIT_REMARKS + 11);
	while (b.n <= LIMIT_DECLARATION)
		buf_text(&b, "                                \n");
	declare_read(a, buf_view(&b), &d);
	assert_int_equal(d.n, 0);
	assert_int_equal(d.errors, 1);
}

/* -- what the rows mean ---------------------------------------------------- */

static void
bind(void **state)
{
	struct role_source v[] = {
		{ .name = S("work"), .backend = S("imap") },
		{ .name = S("gmail"), .backend = S("imap") },
		{ .name = S("box"), .backend = S("maildir") },
	};
	struct declare d;
	size_t *to;

	(void)state;
	declare_read(a,
	    S(HEAD "| gmail | primary; preferred for create_draft | no | |\n"
		   "| maildir | fallback | no | |\n"
		   "| imap | fallback | no | |\n"
		   "| mbox | fallback | no | |\n"
		   "| box | fallback | no | |\n"),
	    &d);
	assert_int_equal(d.errors, 0);
	declare_bind(a, &d, v, 3, &to);
	assert_int_equal(to[0], 1);
	assert_int_equal(to[1], 2);
	rows_same(remarks_text(&d),
	    S("5 warning: \"gmail\" is preferred for create_draft, which it "
	      "cannot do\n"
	      "7 error: more than one account has the backend \"imap\": write "
	      "the account's name\n"
	      "8 error: no account is called \"mbox\", and none has that "
	      "backend: emcli account add\n"
	      "9 error: \"maildir\" and \"box\" are the same account"));
	assert_int_equal(d.errors, 3);
}

/* The declaration in the contract's own text. */
static const char example[] =
    "## Mail sources\n"
    "\n"
    "| Backend | Role | Mandatory | Notes |\n"
    "|---|---|---|---|\n"
    "| `gmail`    | primary  | yes | Triager Gmail account is subscribed to "
    "`<security-list>` and `<private-list>` |\n"
    "| `ponymail` | fallback | no  | Read-only archive backstop when Gmail "
    "history is incomplete |\n";

static enum choose_reason
available(void *ctx, const struct role_source *s)
{
	const char *down = ctx;

	return str_eq(s->name, str_of(down)) ? CHOOSE_AUTH_EXPIRED
					     : CHOOSE_AVAILABLE;
}

static struct str
resolve(struct role_source *v, size_t n, enum role_op op, const char *down)
{
	struct choose_ask ask = { .op = op,
		.v = v,
		.n = n,
		.available = available,
		.ctx = (void *)(uintptr_t)down };
	struct choose c;

	choose_source(a, &ask, &c);
	return choose_record_text(a, &c);
}

static void
seed(void **state)
{
	static const struct matrix_facts none;
	struct role_source v[2];
	struct declare d;

	(void)state;
	declare_read(a, S(example), &d);
	assert_int_equal(d.remarks, 0);
	assert_int_equal(d.n, 2);
	for (size_t i = 0; i < 2; i++)
		v[i] = (struct role_source){ .name = d.v[i].name,
			.backend = d.v[i].name,
			.role = d.v[i].role,
			.prefers = d.v[i].prefers,
			.supports = matrix_supports(d.v[i].name, &none),
			.mandatory = d.v[i].mandatory };
	for (int op = 0; op < ROLE_OPS; op++) {
		rows_same(resolve(v, 2, op, ""),
		    str_fmt(a, "%s: gmail (step 2, primary)",
			role_op_name(op)));
		/* Mandatory: without it nothing is proposed. */
		rows_same(resolve(v, 2, op, "gmail"),
		    str_fmt(a,
			"%s: none (mandatory backend gmail unavailable: "
			"auth_expired; run aborted; gmail unavailable: "
			"auth_expired)",
			role_op_name(op)));
		/* The backstop is not: gmail continues alone. */
		rows_same(resolve(v, 2, op, "ponymail"),
		    str_fmt(a, "%s: gmail (step 2, primary)",
			role_op_name(op)));
	}
	/* If gmail were not mandatory, the archive would serve what it can. */
	v[0].mandatory = false;
	rows_same(resolve(v, 2, ROLE_THREAD_URL, "gmail"),
	    S("thread_url: ponymail (step 3, fallback; gmail unavailable: "
	      "auth_expired)"));
	rows_same(resolve(v, 2, ROLE_CREATE_DRAFT, "gmail"),
	    S("create_draft: none (no backend available for create_draft; "
	      "gmail unavailable: auth_expired; ponymail unsupported)"));
}

int
main(void)
{
	int r;

	a = arena_open(LIMIT_ARENA);
	ROWS(goods, good);
	ROWS(bads, bad);
	rows_add("files, rows and remarks have their limits", limits, NULL);
	rows_add("settings and whose they are", settings, NULL);
	rows_add("rows mean accounts", bind, NULL);
	rows_add("the contract's own example", seed, NULL);
	r = cmocka_run_group_tests_name("source/declare", rows_tests, NULL,
	    NULL);
	arena_close(&a);
	return r;
}
