/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_STORE_RESTORED_H
#define TESTS_UNIT_STORE_RESTORED_H

/* A store, a copy of it, and restores. */
#include "store/restore.h"

#include "fixture.h"
#include "made_schema.h"
#include "store/check.h"
#include "store/restoring.h"

/* The restore of a test, and what its calls came upon. */
struct run {
	struct fx *x;
	struct store_restored done;
	const char *since; /* SQL behind the store's back, when the copy was
			    * taken and nothing is locked yet; NULL */
	void (*meanwhile)(struct fx *x); /* likewise; NULL */
	const char *from;                /* NULL: copy.db */
	bool locked; /* others could not write when it was recorded */
};

static inline const char *
path_of(struct fx *x, const char *name)
{
	return str_fmt(x->a, "%s/sub/%s", x->dir, name).p;
}

static inline void
opened(void *ctx, const struct store *copy)
{
	struct run *r = ctx;

	(void)copy;
	if (r->since != NULL)
		fx_sql(r->x, r->since);
	if (r->meanwhile != NULL)
		r->meanwhile(r->x);
}

static inline int
record(void *ctx, struct store *copy, int64_t *audit, struct err *e)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = S("store.restore") };
	struct run *r = ctx;
	sqlite3 *db = NULL;

	/* Where there is none, none is made by that. */
	r->locked = sqlite3_open_v2(r->x->path, &db, SQLITE_OPEN_READWRITE,
			NULL) == SQLITE_OK &&
	    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ==
		SQLITE_BUSY;
	(void)sqlite3_close(db);
	return store_audit_asked(copy, &row, audit, e);
}

static inline int
restore(struct run *r, struct store *now)
{
	struct fx *x = r->x;
	struct store_restore how = {
		.path = x->path,
		.from = r->from != NULL ? r->from : path_of(x, "copy.db"),
		.keys = &x->keys,
		.record = record,
		.opened = opened,
		.ctx = r,
	};

	x->e = (struct err){ 0 };
	if (now != NULL) {
		const struct store_audit row = { .principal = S("operator"),
			.action = S("store.restore") };

		assert_ok(x, store_audit_asked(now, &row, &how.audit, &x->e));
	}
	return store_restore(&how, now, x->a, &r->done, &x->e);
}

static inline void
copy(struct fx *x)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = S("store.backup") };
	struct store_chain c;
	uint64_t bytes;
	int64_t id;

	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	assert_ok(x,
	    store_copy_make(x->s, path_of(x, "copy.db"), NULL, &bytes, &x->e));
}

/* As emcli wrote it, all of it, and nothing is left of the way to it. */
static inline void
assert_sound(struct fx *x, const char *what)
{
	struct store_checked v = { .chain = { .whole = true } };
	struct store *s;

	assert_ok(x, store_check_file(x->path, x->a, &v, &x->e));
	s = fx_open(x, STORE_ADMIN);
	assert_ok(x, store_check_rows(s, x->a, &v, &x->e));
	if (v.faults.n > 0)
		fail_msg("%s: %.*s", what, STR_ARG(v.faults.v[0]));
	store_close(&s);
}

static inline void
drop_before(struct run *r)
{
	if (r->done.before.n > 0)
		assert_int_equal(unlink(str_c(r->x->a, r->done.before)), 0);
	r->done.before = S("");
}

#define MESSAGE(id, account, key, state)                                       \
	"INSERT INTO outbox (id, account_id, principal, idempotency_key,"      \
	" request, message_id, sender, bytes, digest, policy, state,"          \
	" created_s, changed_s, message) VALUES (" id ", " account             \
	", 'agent',"                                                           \
	" " key ", 'r', '<m@x>', 'a@x', 1, 'd', 'p', '" state                  \
	"', 4000000000, 4000000000, 'text')"

static inline void
work_and_copy(struct fx *x)
{
	(void)fx_account(x, "work");
	copy(x);
}

#endif
