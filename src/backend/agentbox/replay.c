/*
 * The journal: a row is written, then done, then removed.  A process that dies
 * in between leaves the row, and whoever opens the root next does what is left.
 */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static const struct {
	const char *kind;
	int (*apply)(struct agentbox_root *r, struct str plan, struct err *e);
} replay_kinds[] = {
	{ "register", agentbox_apply_reg },
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
	CLEANUP(db_stmt_close) struct db d = { 0 };

	return db_own_open(&d, r, e) < 0 ? -1 : db_own_row_done(&d, seq, e);
}

int
agentbox_replay_new(struct agentbox_root *r, const char *kind, struct str plan,
    struct err *e)
{
	int64_t seq;
	{
		CLEANUP(db_stmt_close) struct db d = { 0 };

		if (db_own_open(&d, r, e) < 0 ||
		    db_own_row_add(&d, kind, plan, &seq, e) < 0)
			return -1;
	}
	if (replay_do(r, str_of(kind), plan, e) < 0)
		return -1;
	return replay_done(r, seq, e);
}

static int
replay_next(struct agentbox_root *r, int64_t after, struct arena *a,
    int64_t *seq, struct str *kind, struct str *plan, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_own_open(&d, r, e) < 0)
		return -1;
	return db_own_row_next(&d, after, a, seq, kind, plan, e);
}

int
agentbox_replay(struct agentbox_root *r, struct err *e)
{
	int64_t seq = 0;
	int n = 0;

	for (;;) {
		CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
		struct str kind, plan;
		int got = replay_next(r, seq, a, &seq, &kind, &plan, e);

		if (got < 0)
			return -1;
		if (got == 0)
			return n;
		if (replay_do(r, kind, plan, e) < 0 ||
		    replay_done(r, seq, e) < 0)
			return -1;
		n++;
	}
}
