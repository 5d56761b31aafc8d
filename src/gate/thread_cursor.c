/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "PLACE.MARK": where the previous page ended, and a mark over that and over
 * the call's request.  It is untrusted when it returns: what was parsed is
 * formatted again, and must be identical.
 *
 * A place may be of a message that the caller may not see: the words "SINCE
 * LAST ID TOKEN" are masked, by a stream derived from their mark (as in RFC
 * 5297: nothing else is ever masked with the same one).
 */
#include <inttypes.h>

#include "base/base64.h"
#include "base/limits.h"
#include "gate/thread.h"
#include "skill/mark.h"
#include "store/mark.h"
#include "store/outbox.h"

enum {
	PARTS = 4,
	BLOCK = 32,  /* bytes masked by one mark */
	ID_MAX = 998 /* bytes of an id, which orders threads of one second */
};

static struct str
thread_cursor_to_base64(struct arena *a, struct str s)
{
	struct buf b;

	buf_init(&b, a, LIMIT_CURSOR);
	base64_put(&b, s);
	return buf_view(&b);
}

static bool
thread_cursor_from_base64(struct arena *a, struct str s, struct str *out)
{
	char *p = arena_array(a, 3 * s.n / 4 + 3, 1);
	ptrdiff_t n = base64_decode(p, s);

	*out = (struct str){ p, n < 0 ? 0 : (size_t)n };
	return n >= 0;
}

/* Masks or unmasks. */
static int
thread_cursor_mask(struct mailbox *m, struct str mark, struct str in,
    struct str *out, struct err *e)
{
	char *p = arena_alloc(m->arena, in.n);
	struct str block = { 0 };

	for (size_t i = 0; i < in.n; i++) {
		if (i % BLOCK == 0 &&
		    store_mark(m->gate->store, m->arena,
			STORE_LABEL_CURSOR_MASK,
			str_fmt(m->arena, "%zu %.*s", i, STR_ARG(mark)), &block,
			e) < 0)
			return -1;
		p[i] = (char)(in.p[i] ^ str_hex_pair(block, 2 * (i % BLOCK)));
	}
	*out = (struct str){ p, in.n };
	return 0;
}

/* The other arguments of the call, as one word. */
static struct str
thread_cursor_asked(struct arena *a, const struct mailbox_threads_query *q)
{
	const struct str part[] = { q->from, q->not_from, q->to, q->subject,
		q->text, str_fmt(a, "%lld", (long long)q->before_s) };

	return q->search ? store_digest(a, part, sizeof(part) / sizeof(part[0]))
			 : S("");
}

static int
put_cursor(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *c, struct str *text, struct err *e)
{
	struct arena *a = m->arena;
	struct str said = str_fmt(a, "%" PRIu64 ".%" PRIu64 ".%.*s.%.*s",
	    (uint64_t)c->since_s, (uint64_t)c->last_s,
	    STR_ARG(thread_cursor_to_base64(a, c->id)),
	    STR_ARG(thread_cursor_to_base64(a, c->token)));
	const struct str part[] = { m->src->acct.name, q->list, q->since, said,
		thread_cursor_asked(a, q) };
	struct str mark, masked;

	if (store_mark(m->gate->store, a, STORE_LABEL_CURSOR,
		store_digest(a, part, sizeof(part) / sizeof(part[0])), &mark,
		e) < 0 ||
	    thread_cursor_mask(m, mark, said, &masked, e) < 0)
		return -1;
	*text = str_fmt(a, "%.*s.%.*s",
	    STR_ARG(thread_cursor_to_base64(a, masked)), STR_ARG(mark));
	return 0;
}

static bool
thread_cursor_parse(struct arena *a, struct str text, struct thread_cursor *c)
{
	struct str part[PARTS];
	uint64_t since = 0, last = 0;

	for (int i = 0; i < PARTS; i++)
		if (str_cut(text, '.', &part[i], &text) != (i < PARTS - 1))
			return false;
	if (!str_to_u64(part[0], UINT64_MAX, &since) ||
	    !str_to_u64(part[1], UINT64_MAX, &last) ||
	    !thread_cursor_from_base64(a, part[2], &c->id) ||
	    !thread_cursor_from_base64(a, part[3], &c->token))
		return false;
	c->since_s = (int64_t)since;
	c->last_s = (int64_t)last;
	c->set = true;
	return true;
}

/* 1; 0: not a cursor; -1. */
static int
take_cursor(struct mailbox *m, struct str text, struct thread_cursor *c,
    struct err *e)
{
	struct str place, mark, said;

	if (text.n > LIMIT_CURSOR || !str_cut(text, '.', &place, &mark) ||
	    !thread_cursor_from_base64(m->arena, place, &place))
		return 0;
	if (thread_cursor_mask(m, mark, place, &said, e) < 0)
		return -1;
	return thread_cursor_parse(m->arena, said, c);
}

int
thread_cursor_read(struct mailbox *m, const struct mailbox_threads_query *q,
    struct thread_cursor *out, struct err *e)
{
	struct str ours = { 0 };
	int r;

	*out = (struct thread_cursor){ .since_s = q->since_s };
	if (q->cursor.n == 0)
		return 0;
	r = take_cursor(m, q->cursor, out, e);
	if (r < 0 || (r == 1 && put_cursor(m, q, out, &ours, e) < 0))
		return -1;
	if (r == 1 && mark_same(ours, q->cursor))
		return 0;
	return err_set(e, ERR_USAGE,
	    "this cursor does not belong to a listing with this account, "
	    "list and since: begin without a cursor");
}

int
thread_cursor_order(int64_t x_s, struct str x, int64_t y_s, struct str y)
{
	if (x_s != y_s)
		return x_s > y_s ? -1 : 1;
	return str_cmp(str_first(x, ID_MAX), str_first(y, ID_MAX));
}

bool
thread_cursor_is_behind(const struct thread_cursor *c, int64_t last_s,
    struct str id)
{
	return !c->set || thread_cursor_order(last_s, id, c->last_s, c->id) > 0;
}

int
thread_cursor_next(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from, struct str token,
    struct mailbox_threads *out, struct err *e)
{
	struct thread_cursor c = *from;

	if (out->n > 0) {
		c.last_s = out->v[out->n - 1].last_s;
		c.id = str_first(out->v[out->n - 1].name.id, ID_MAX);
	}
	c.token = token;
	return put_cursor(m, q, &c, &out->next, e);
}
