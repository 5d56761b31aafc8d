/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the notices that are due, one after the other. */
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "gate/notice.h"
#include "store/audit.h"
#include "store/keeper.h"

/* What cannot be written down is not told. */
static int
notice_give_record(struct store *s, struct arena *a, struct notice *n,
    struct err *e)
{
	const struct store_audit row = {
		.principal = S("operator"),
		.action = S("notice"),
		.target = str_fmt(a, "%s %llu", store_notice_word(n->is.kind),
		    (unsigned long long)n->is.count),
	};

	return store_audit_asked(s, &row, &n->audit, e) < 0
	    ? -1
	    : store_audit_judged(s, n->audit, true, S(""), e);
}

/* *e is what came of it; detail: for the log. */
static void
notice_give_end(struct store *s, const struct notice *n, struct str detail,
    const struct err *e)
{
	const bool good = e->kind == ERR_NONE;
	struct err unused = { 0 };

	(void)store_notice_take_done(s, &n->is, str_of(e->say), &unused);
	(void)store_audit_done(s, n->audit, S(""),
	    str_of(good ? "ok" : err_code(e->kind)),
	    good ? detail : str_of(e->say), &unused);
}

/* 1: this process gives it; 0: none is due, or it cannot be given; -1. */
static int
notice_give_next(struct store *s, struct arena *a, struct notice *out,
    struct err *e)
{
	struct err why = { 0 };
	int r;

	*out = (struct notice){ 0 };
	r = store_notice_take(s, a, clock_now(), &out->is, e);
	if (r <= 0)
		return r;
	if (notice_give_record(s, a, out, e) < 0)
		return -1;
	r = store_notice_way(s, a, &out->way, &why);
	if (r > 0 && notice_text_address(a, out->way, &out->address, &why) >= 0)
		return 1;
	if (r == 0)
		(void)err_set(&why, ERR_CONFIG, "notify is off");
	notice_give_end(s, out, S(""), &why);
	return 0;
}

/* Only root's and this user's files are run. */
static int
notice_give_one(struct store *s, const struct env *env, struct arena *a,
    const struct notice *n, struct str *detail, struct err *e)
{
	return n->address.n > 0
	    ? notice_mail(s, env, a, n, detail, e)
	    : notice_run(str_c(a, n->way), notice_text_json(a, &n->is),
		  store_open_path(s), geteuid(), e);
}

/* Nobody is there whom a program that prints one could ask. */
static const struct secret *
notice_give_key(const struct secret *key)
{
	return key != NULL && !secret_later_due(key) ? key : NULL;
}

static int
notice_give_open(const struct env *env, struct store **out, struct err *e)
{
	struct store_keys keys = { .agent = notice_give_key(env->agent_key) };

	if (env->keeper != NULL)
		return store_enter_served(env->db, env->keeper, out, e);
	if (keys.agent == NULL)
		keys.admin = notice_give_key(env->admin_key);
	return store_enter(env->db, STORE_AGENT, &keys, out, e);
}

void
notice_give(const struct env *env)
{
	CLEANUP(store_close) struct store *s = NULL;
	struct err e = { 0 };
	int r = notice_give_open(env, &s, &e);

	for (int i = 0; i < STORE_NOTICES && r == 0; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct str detail = S("");
		struct err came = { 0 };
		struct notice n;

		if (notice_give_next(s, a, &n, &e) <= 0)
			continue;
		(void)notice_give_one(s, env, a, &n, &detail, &came);
		notice_give_end(s, &n, detail, &came);
	}
}
