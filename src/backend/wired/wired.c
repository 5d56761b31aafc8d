/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The twins of the backends.  `open` and `probe` get no connection that says
 * whose they are, so each twin has its own.
 */
#include "backend/wired/internal.h"
#include "base/clock.h"
#include "base/path.h"

#define FRONTS 16

static struct backend twins[FRONTS];

static int
wired_lend(size_t i, struct wired *w, const struct backend_account *acct,
    enum wired_use use, struct err *e)
{
	*w = (struct wired){ .conn = { &twins[i], acct }, .fd = -1 };
	if (acct->wire == NULL)
		return err_set(e, ERR_INTERNAL,
		    "no other process has a connection for this account");
	w->fd = acct->wire->lend(acct->wire->ctx, twins[i].name, acct, use, e);
	return w->fd < 0 ? -1 : 0;
}

static int
wired_open(size_t i, const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct wired_call call = { .verb = WIRED_OPEN, .a = a };
	struct wired *w = arena_new(a, struct wired);

	/* One may end just when it is lent; nothing was asked of it yet. */
	for (int tries = 2; tries > 0; tries--) {
		*e = (struct err){ 0 };
		if (wired_lend(i, w, acct, WIRED_USE_CALL, e) < 0)
			return -1;
		if (wired_call(w, &call, e) == 0) {
			*out = &w->conn;
			return 0;
		}
		path_close(&w->fd);
		if (e->kind != ERR_NETWORK ||
		    clock_left_ms(acct->deadline_ms) == 0)
			break;
	}
	return -1;
}

static void
wired_close(struct conn *c)
{
	if (c != NULL)
		path_close(&((struct wired *)(void *)c)->fd);
}

static int
wired_probe(size_t i, const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	struct wired_call call = { .verb = WIRED_PROBE, .a = a, .probes = out };
	struct wired w;
	int r;

	if (wired_lend(i, &w, acct, WIRED_USE_TEST, e) < 0)
		return -1;
	r = wired_call(&w, &call, e);
	path_close(&w.fd);
	return r;
}

int
wired_token(const struct backend *twin, const struct backend_account *acct,
    int64_t *lives_s, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct wired_call call = { .verb = WIRED_TOKEN, .a = a };
	struct wired w;
	int r;

	if (wired_lend((size_t)(twin - twins), &w, acct, WIRED_USE_TEST, e) < 0)
		return -1;
	r = wired_call(&w, &call, e);
	path_close(&w.fd);
	*lives_s = call.answer.lives_s;
	return r;
}

#define FRONT(i)                                                               \
	static int wired_open_##i(const struct backend_account *acct,          \
	    struct arena *a, struct conn **out, struct err *e)                 \
	{                                                                      \
		return wired_open(i, acct, a, out, e);                         \
	}                                                                      \
	static int wired_probe_##i(const struct backend_account *acct,         \
	    struct arena *a, struct probes *out, struct err *e)                \
	{                                                                      \
		return wired_probe(i, acct, a, out, e);                        \
	}
FRONT(0)
FRONT(1)
FRONT(2)
FRONT(3)
FRONT(4)
FRONT(5)
FRONT(6)
FRONT(7)
FRONT(8)
FRONT(9)
FRONT(10)
FRONT(11)
FRONT(12)
FRONT(13)
FRONT(14)
FRONT(15)

#define FRONT_OF(i)                                                            \
	{                                                                      \
		.open = wired_open_##i, .probe = wired_probe_##i               \
	}
static const struct backend front[FRONTS] = { FRONT_OF(0), FRONT_OF(1),
	FRONT_OF(2), FRONT_OF(3), FRONT_OF(4), FRONT_OF(5), FRONT_OF(6),
	FRONT_OF(7), FRONT_OF(8), FRONT_OF(9), FRONT_OF(10), FRONT_OF(11),
	FRONT_OF(12), FRONT_OF(13), FRONT_OF(14), FRONT_OF(15) };

#define TWIN(slot)                                                             \
	do {                                                                   \
		if (be->slot != NULL)                                          \
			one->slot = wired_slots.slot;                          \
	} while (0)

/* What needs no connection stays the real one's: message_id. */
static void
wired_make(struct backend *one, const struct backend *be, size_t i)
{
	*one = *be;
	one->open = front[i].open;
	one->probe = front[i].probe;
	one->close = wired_close;
	TWIN(folders);
	TWIN(find);
	TWIN(headers);
	TWIN(body);
	TWIN(links);
	TWIN(scan);
	TWIN(listing);
	TWIN(changes);
	TWIN(submit);
	TWIN(append);
	TWIN(drafts);
	TWIN(draft);
	TWIN(mark);
	TWIN(move);
	TWIN(move_back);
	TWIN(watch);
}

const struct backend *
wired_of(const struct backend *be)
{
	const struct backend *real = NULL;
	size_t i = 0;

	while (be != NULL && (real = backend_at(i)) != NULL &&
	    !str_eq(str_of(real->name), str_of(be->name)))
		i++;
	if (real == NULL)
		return NULL;
	if (i == FRONTS)
		err_bug("more than %d backends", FRONTS);
	if (twins[i].name == NULL)
		wired_make(&twins[i], real, i);
	return &twins[i];
}
