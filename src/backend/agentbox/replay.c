/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal: a row is written, then performed, then removed.  If a process
 * dies in between, the row remains, and the next process that opens the root
 * finishes it.
 */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static const struct {
	const char *kind;
	int (*apply)(struct agentbox_root *r, struct str plan, struct err *e);
} replay_kinds[] = {
	{ "deliver", agentbox_apply_mail },
	{ "register", agentbox_apply_reg },
	{ "state", agentbox_apply_state },
	{ "clear", agentbox_apply_clear },
};

static int
replay_do(struct agentbox_root *r, struct str kind, struct str plan,
    struct err *e)
{
	const size_t n = sizeof(replay_kinds) / sizeof(*replay_kinds);

	for (size_t i = 0; i < n; i++)
		if (str_eq(kind, str_of(replay_kinds[i].kind)))
			return replay_kinds[i].apply(r, plan, e);
	return agentbox_plan_broken(e, "a row of an unknown kind");
}

static int
replay_done(struct agentbox_root *r, int64_t seq, struct err *e)
{
	struct db *own = db_own(r, e);

	return own == NULL ? -1 : db_own_row_done(own, seq, e);
}

static int
replay_write(struct agentbox_root *r, const char *kind, struct str plan,
    int (*also)(struct db *own, const void *ctx, struct err *e),
    const void *ctx, int64_t *seq, struct err *e)
{
	struct db *own = db_own(r, e);

	if (own == NULL || db_stmt_begin(own, e) < 0)
		return -1;
	if (db_own_row_add(own, kind, plan, seq, e) == 0 &&
	    (also == NULL || also(own, ctx, e) == 0) &&
	    db_stmt_commit(own, e) == 0)
		return 0;
	db_stmt_rollback(own);
	return -1;
}

int
agentbox_replay_new(struct agentbox_root *r, const char *kind, struct str plan,
    int (*also)(struct db *own, const void *ctx, struct err *e),
    const void *ctx, struct err *e)
{
	int64_t seq;

	if (replay_write(r, kind, plan, also, ctx, &seq, e) < 0)
		return -1;
	return replay_do(r, str_of(kind), plan, e) < 0 ||
		replay_done(r, seq, e) < 0
	    ? 1
	    : 0;
}

int
agentbox_replay(struct agentbox_root *r, struct err *e)
{
	int64_t seq = 0;
	int n = 0;

	for (;;) {
		CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
		struct db *own = db_own(r, e);
		struct str kind, plan;
		int got = own == NULL
		    ? -1
		    : db_own_row_next(own, seq, a, &seq, &kind, &plan, e);

		if (got <= 0)
			return got < 0 ? -1 : n;
		if (replay_do(r, kind, plan, e) < 0 ||
		    replay_done(r, seq, e) < 0)
			return -1;
		n++;
	}
}
