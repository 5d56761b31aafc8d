/* SPDX-License-Identifier: Apache-2.0 */
/* An account as a row: its columns, from the table of settings. */
#include "store/account_row.h"
#include "store/account_setting.h"
#include "store/internal.h"

enum {
	SQL_MAX = 4096,
	FIRST = 1 /* the name's parameter; the settings' follow */
};

bool
account_row_is_name(struct str s)
{
	if (s.n < 1 || s.n > 64)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '.' || c == '_' ||
			c == '-'))
			return false;
	}
	return true;
}

static bool
account_row_is_word(const struct setting *s)
{
	return s->type == SETTING_CHOICE;
}

static bool
account_row_is_switch(const struct setting *s)
{
	return s->type == SETTING_SWITCH || s->type == SETTING_FLAG;
}

/* NULL: an account older than the column. */
static void
account_row_bind_bound(struct stmt *st, const struct store_account *x)
{
	if (x->bound == STORE_BOUND_UNSAID)
		stmt_text_or_null(st, FIRST + 1 + SETTINGS, S(""));
	else
		stmt_int(st, FIRST + 1 + SETTINGS, x->bound == STORE_BOUND_YES);
}

static void
account_row_bind(struct stmt *st, const struct store_account *x)
{
	stmt_text(st, FIRST, x->name);
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		int at = FIRST + 1 + i;

		if (account_row_is_word(s))
			stmt_text(st, at, account_value_word(s, x));
		else if (account_row_is_switch(s))
			stmt_int(st, at,
			    str_eq(account_value_word(s, x), S("on")));
		else if (s->type > SETTING_CHOICE)
			stmt_int(st, at, (int64_t)account_value_number(s, x));
		else if (s->type == SETTING_BACKEND)
			stmt_text(st, at, x->backend);
		else
			stmt_text_or_null(st, at, account_value_text(s, x));
	}
	account_row_bind_bound(st, x);
}

/* The columns in the order of their parameters. */
static void
account_row_write(struct buf *b, bool fresh)
{
	buf_text(b,
	    fresh ? "INSERT INTO accounts (name"
		  : "UPDATE accounts SET name = ?1");
	for (int i = 0; i <= SETTINGS; i++) {
		buf_fmt(b, ", %s",
		    i < SETTINGS ? account_setting[i].column : "bound");
		if (!fresh)
			buf_fmt(b, " = ?%d", FIRST + 1 + i);
	}
	if (!fresh) {
		buf_fmt(b, " WHERE id = ?%d", FIRST + 2 + SETTINGS);
		return;
	}
	buf_text(b, ") VALUES (?1");
	for (int i = 0; i <= SETTINGS; i++)
		buf_fmt(b, ", ?%d", FIRST + 1 + i);
	buf_text(b, ") RETURNING id");
}

int
account_row_put(struct store *s, struct store_account *x, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	const bool fresh = x->id == 0;
	struct buf b;
	int r;

	buf_init(&b, a, SQL_MAX);
	account_row_write(&b, fresh);
	if (b.over)
		err_bug("store: the settings are too many for a statement");
	if (stmt_prepare(s, str_c(a, buf_view(&b)), &st, e) < 0)
		return -1;
	account_row_bind(st, x);
	if (!fresh)
		stmt_int(st, FIRST + 2 + SETTINGS, x->id);
	r = fresh ? stmt_insert(s, st, &x->id, e) : stmt_run(s, st, e);
	if (r == 0)
		return 0;
	if (driver_failed(s) == DRIVER_TAKEN)
		return err_set(e, ERR_USAGE,
		    "an account with that name exists");
	return -1;
}

int
account_row_select(struct store *s, const char *which, struct stmt **out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, SQL_MAX);
	buf_text(&b, "SELECT id, enc_password IS NOT NULL, bound, name");
	for (int i = 0; i < SETTINGS; i++)
		buf_fmt(&b, ", %s", account_setting[i].column);
	buf_fmt(&b, " FROM accounts %s", which);
	if (b.over)
		err_bug("store: the settings are too many for a statement");
	return stmt_prepare(s, str_c(a, buf_view(&b)), out, e);
}

static void
account_row_read_one(struct stmt *st, int at, struct arena *a,
    const struct setting *s, struct store_account *x)
{
	int64_t n;

	if (account_row_is_word(s)) {
		if (!account_value_take(s, stmt_column(st, at, a), x))
			account_value_count(s, s->unknown, x);
	} else if (account_row_is_switch(s)) {
		(void)account_value_take(s,
		    stmt_column_int(st, at) != 0 ? S("on") : S("off"), x);
	} else if (s->type > SETTING_CHOICE) {
		n = stmt_column_int(st, at);
		account_value_count(s, n < 0 ? 0 : (uint64_t)n, x);
	} else {
		account_value_put(s, stmt_column(st, at, a), x);
	}
}

void
account_row_read(struct stmt *st, struct arena *a, struct store_account *x)
{
	x->id = stmt_column_int(st, 0);
	x->has_password = stmt_column_int(st, 1) != 0;
	x->bound = stmt_column_is_null(st, 2) ? STORE_BOUND_UNSAID
	    : stmt_column_int(st, 2) == 1     ? STORE_BOUND_YES
					      : STORE_BOUND_NO;
	x->name = stmt_column(st, 3, a);
	for (int i = 0; i < SETTINGS; i++)
		account_row_read_one(st, 4 + i, a, &account_setting[i], x);
}
