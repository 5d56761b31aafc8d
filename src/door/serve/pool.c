/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of connections that are kept: by account, at most LIMIT_WIRES_OF of
 * one, as many that wait for changes and as many that test, LIMIT_NAMES_WIRES
 * of none, of which a worker has a part, and LIMIT_WIRES in all.  One that
 * tests is not kept.  An account whose mail is in files and which sends over
 * the network counts as two.  All leases that one worker has of an account are
 * of one wire, or of one for each of these, so a call never waits for itself.
 *
 * A test is of what is now, whatever failed before: LIMIT_WIRE_TESTS of an
 * account, and then one in LIMIT_WIRE_TEST_AGAIN_MS.  Each counts when it
 * begins, and no longer when its login was good: nobody can leave before the
 * server has refused it.
 */
#include <string.h>

#include "door/serve/keeper.h"

static bool
serve_pool_is_kind(const struct serve_pool_wire *w,
    const struct serve_pool_ask *q)
{
	return w->account == q->account && w->waits == q->waits &&
	    w->files == q->files && w->tests == q->tests;
}

/* Of the account's settings, and of the files, as they are now? */
static bool
serve_pool_is_of(const struct serve_pool_wire *w,
    const struct serve_pool_ask *q)
{
	return w->account == q->account &&
	    memcmp(w->print, q->print, SERVE_POOL_PRINT) == 0 &&
	    (w->files != q->files || w->paths == q->paths);
}

/* The index of the account's last failure, or how many there are. */
static size_t
serve_pool_fault_of(const struct serve_pool *p, int64_t account)
{
	size_t i = 0;

	while (i < p->faults && p->fault[i].account != account)
		i++;
	return i;
}

/*
 * One that is lent to this worker, or else the one that was used last.  One
 * that tests has one lease.
 */
static ptrdiff_t
serve_pool_find(const struct serve_pool *p, const struct serve_pool_ask *q)
{
	ptrdiff_t best = -1;

	for (size_t i = 0; i < p->n; i++) {
		const struct serve_pool_wire *w = &p->v[i];

		if (!serve_pool_is_kind(w, q) || w->stale ||
		    !serve_pool_is_of(w, q))
			continue;
		if (w->lent && w->worker == q->worker &&
		    !(w->tests && w->leases > 0))
			return (ptrdiff_t)i;
		if (!w->lent && (best < 0 || w->since_ms > p->v[best].since_ms))
			best = (ptrdiff_t)i;
	}
	return best;
}

/* An idle one whose account was changed. */
static ptrdiff_t
serve_pool_changed(const struct serve_pool *p, const struct serve_pool_ask *q)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->v[i].lent && p->v[i].account == q->account &&
		    !serve_pool_is_of(&p->v[i], q))
			return (ptrdiff_t)i;
	return -1;
}

/* The idle one that was not used for the longest time. */
static ptrdiff_t
serve_pool_least(const struct serve_pool *p)
{
	ptrdiff_t best = -1;

	for (size_t i = 0; i < p->n; i++)
		if (!p->v[i].lent &&
		    (best < 0 || p->v[i].since_ms < p->v[best].since_ms))
			best = (ptrdiff_t)i;
	return best;
}

static size_t
serve_pool_count(const struct serve_pool *p, const struct serve_pool_ask *q)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += serve_pool_is_kind(&p->v[i], q);
	return n;
}

/* Has the worker, with all processes of its number, its part of those? */
static bool
serve_pool_has_its_part(const struct serve_pool *p,
    const struct serve_pool_ask *q)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n +=
		    p->v[i].account == 0 && p->v[i].lent && p->v[i].of == q->of;
	return q->account == 0 && n >= LIMIT_NAMES_WIRES_OF;
}

void
serve_pool_renew(struct serve_pool *p, const struct serve_pool_ask *q)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].account == q->account &&
		    !serve_pool_is_of(&p->v[i], q))
			p->v[i].stale = true;
}

/* No server is asked for what is in files. */
static int64_t
serve_pool_not_before(const struct serve_pool *p,
    const struct serve_pool_ask *q)
{
	const int64_t some =
	    (LIMIT_WIRE_TESTS - 1) * (int64_t)LIMIT_WIRE_TEST_AGAIN_MS;
	size_t f = serve_pool_fault_of(p, q->account);

	if (q->files || f == p->faults)
		return 0;
	return q->tests ? p->fault[f].tests_ms - some
			: p->fault[f].not_before_ms;
}

struct serve_pool_choice
serve_pool_choose(const struct serve_pool *p, const struct serve_pool_ask *q,
    int64_t now_ms)
{
	int64_t not_before_ms = serve_pool_not_before(p, q);
	ptrdiff_t at = serve_pool_changed(p, q);

	if (at >= 0)
		return (struct serve_pool_choice){ .what = SERVE_POOL_DROP,
			.at = (size_t)at };
	at = serve_pool_find(p, q);
	if (at >= 0 && p->v[at].lent)
		return (struct serve_pool_choice){ .what = SERVE_POOL_LEND,
			.at = (size_t)at };
	if (serve_pool_has_its_part(p, q))
		return (struct serve_pool_choice){ .what = SERVE_POOL_WAIT };
	if (at >= 0)
		return (struct serve_pool_choice){ .what = SERVE_POOL_LEND,
			.at = (size_t)at };
	if (now_ms < not_before_ms)
		return (struct serve_pool_choice){ .what = SERVE_POOL_WAIT,
			.until_ms = not_before_ms };
	if (serve_pool_count(p, q) >=
	    (q->account > 0 ? LIMIT_WIRES_OF : LIMIT_NAMES_WIRES))
		return (struct serve_pool_choice){ .what = SERVE_POOL_WAIT };
	if (p->n < LIMIT_WIRES)
		return (struct serve_pool_choice){ .what = SERVE_POOL_START };
	at = serve_pool_least(p);
	if (at < 0)
		return (struct serve_pool_choice){ .what = SERVE_POOL_WAIT };
	return (struct serve_pool_choice){ .what = SERVE_POOL_DROP,
		.at = (size_t)at };
}

/* Its place, or the oldest failure's. */
static struct serve_pool_fault *
serve_pool_fault_at(struct serve_pool *p, int64_t account)
{
	size_t i = serve_pool_fault_of(p, account);

	if (i < p->faults)
		return &p->fault[i];
	if (p->faults < LIMIT_WIRES)
		i = p->faults++;
	else
		for (size_t k = i = 0; k < p->faults; k++)
			if (p->fault[k].at_ms < p->fault[i].at_ms)
				i = k;
	p->fault[i] = (struct serve_pool_fault){ .account = account };
	return &p->fault[i];
}

static void
serve_pool_begin_test(struct serve_pool *p, int64_t account, int64_t now_ms)
{
	struct serve_pool_fault *f = serve_pool_fault_at(p, account);

	if (f->tests_ms < now_ms)
		f->tests_ms = now_ms;
	f->tests_ms += LIMIT_WIRE_TEST_AGAIN_MS;
	f->at_ms = now_ms;
}

struct serve_pool_wire *
serve_pool_add(struct serve_pool *p, const struct serve_pool_ask *q,
    int64_t now_ms)
{
	struct serve_pool_wire *w = &p->v[p->n++];

	if (++p->next == 0)
		p->next = 1;
	*w = (struct serve_pool_wire){ .id = p->next,
		.account = q->account,
		.waits = q->waits,
		.files = q->files,
		.tests = q->tests,
		.paths = q->paths,
		.lent = true,
		.worker = q->worker,
		.of = q->of,
		.since_ms = now_ms };
	memcpy(w->print, q->print, SERVE_POOL_PRINT);
	if (w->tests && !w->files)
		serve_pool_begin_test(p, w->account, now_ms);
	return w;
}

void
serve_pool_lend(struct serve_pool_wire *w, uint32_t worker, uint32_t of,
    int64_t now_ms)
{
	if (!w->lent)
		w->since_ms = now_ms;
	w->lent = true;
	w->worker = worker;
	w->of = of;
	w->leases++;
}

/*
 * Each failure doubles the wait.  A part of it is by chance, so that not all
 * come back at once.
 */
static void
serve_pool_fail(struct serve_pool *p, int64_t account, uint32_t jitter,
    int64_t now_ms)
{
	struct serve_pool_fault *f = serve_pool_fault_at(p, account);
	int64_t wait = LIMIT_WIRE_AGAIN_MS;

	for (uint32_t k = 0; k < f->times && wait < LIMIT_WIRE_AGAIN_MAX_MS;
	     k++)
		wait *= 2;
	if (wait > LIMIT_WIRE_AGAIN_MAX_MS)
		wait = LIMIT_WIRE_AGAIN_MAX_MS;
	f->times++;
	f->at_ms = now_ms;
	f->not_before_ms = now_ms + wait - jitter % (wait / 4 + 1);
}

/* A call's login was good, or a test's, which says nothing of others. */
static void
serve_pool_forgive(struct serve_pool *p, const struct serve_pool_wire *w,
    int64_t now_ms)
{
	size_t i = serve_pool_fault_of(p, w->account);
	struct serve_pool_fault *f = &p->fault[i];

	if (i == p->faults)
		return;
	if (w->tests)
		f->tests_ms -= LIMIT_WIRE_TEST_AGAIN_MS;
	else
		f->times = 0, f->not_before_ms = 0;
	if (f->times == 0 && f->tests_ms <= now_ms)
		*f = p->fault[--p->faults];
}

bool
serve_pool_done(struct serve_pool *p, size_t at, bool failed, uint32_t jitter,
    int64_t now_ms)
{
	struct serve_pool_wire *w = &p->v[at];

	w->lent = false;
	w->since_ms = now_ms;
	if (failed)
		serve_pool_fail(p, w->account, jitter, now_ms);
	else if (!w->files)
		serve_pool_forgive(p, w, now_ms);
	return !failed && !w->stale && !w->tests &&
	    w->leases < LIMIT_WIRE_LEASES;
}

void
serve_pool_take(struct serve_pool *p, size_t at)
{
	p->v[at] = p->v[--p->n];
}

ptrdiff_t
serve_pool_old(const struct serve_pool *p, int64_t now_ms)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct serve_pool_wire *w = &p->v[i];
		int64_t most =
		    w->files ? LIMIT_WIRE_FILES_MS : LIMIT_WIRE_IDLE_MS;

		if (!w->lent && now_ms - w->since_ms > most)
			return (ptrdiff_t)i;
	}
	return -1;
}
