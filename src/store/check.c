#include "store/check.h"

#include "base/limits.h"
#include "store/audit.h"
#include "store/internal.h"

static void __attribute__((format(printf, 3, 4)))
store_check_add(struct arena *a, struct strs *out, const char *fmt, ...)
{
	va_list ap;

	if (out->n == LIMIT_STORE_FAULTS)
		return;
	va_start(ap, fmt);
	str_push(a, out, str_fmt_list(a, fmt, ap));
	va_end(ap);
}

static int
store_check_pages(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (stmt_prepare(s, "PRAGMA integrity_check", &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		struct str said = stmt_column(st, 0, a);

		if (!str_eq(said, S("ok")))
			store_check_add(a, out, "the file: %.*s",
			    STR_ARG(said));
	}
	return r;
}

static int
store_check_links(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (stmt_prepare(s, "PRAGMA foreign_key_check", &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		store_check_add(a, out, "a row of %.*s points nowhere",
		    STR_ARG(stmt_column(st, 0, a)));
	return r;
}

static int
store_check_secrets(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	struct store_account *v;
	size_t n;

	if (store_account_list(s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		bool set[STORE_SEALED];

		if (store_account_sealed(s, v[i].id, set, e) < 0)
			return -1;
		for (int k = 0; k < STORE_SEALED; k++) {
			struct err why = { 0 };

			if (!set[k] ||
			    store_account_secret_opens(s, v[i].id,
				(enum store_sealed)k, &why) == 0)
				continue;
			store_check_add(a, out, "account %.*s: %s",
			    STR_ARG(v[i].name), why.say);
		}
	}
	return 0;
}

static int
store_check_log(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	struct store_chain v;

	if (store_chain_verify(s, a, &v, e) < 0)
		return -1;
	if (!v.whole)
		store_check_add(a, out, "the audit log, row %lld: %.*s",
		    (long long)v.broken_id, STR_ARG(v.why));
	return 0;
}

static int
store_check_edits(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	struct store_signed rows;

	if (store_signed_verify(s, a, &rows, e) < 0)
		return -1;
	for (size_t i = 0; i < rows.n; i++)
		store_check_add(a, out, "changed without emcli: %.*s %.*s",
		    STR_ARG(rows.v[i].where), STR_ARG(rows.v[i].what));
	return 0;
}

int
store_check(struct store *s, struct arena *a, struct strs *out, struct err *e)
{
	static int (*const checks[])(struct store *, struct arena *,
	    struct strs *, struct err *) = { store_check_links,
		store_check_secrets, store_check_log, store_check_edits };

	*out = (struct strs){ 0 };
	if (store_check_pages(s, a, out, e) < 0)
		return -1;
	/* What is read from broken pages says nothing. */
	if (out->n > 0)
		return 0;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i](s, a, out, e) < 0)
			return -1;
	return 0;
}
