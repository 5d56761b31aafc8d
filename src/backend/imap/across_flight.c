/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that open a folder are followed by those that need it, so a server
 * does them in order (RFC 9051 section 5.5), and each answer is read for the
 * folder whose turn it is.
 */
#include "backend/imap/across_flight.h"
#include "backend/imap/search.h"
#include "base/limits.h"

/* The bytes of two commands, without what differs. */
#define COMMAND_BYTES 500
#define UID_BYTES 11

/* A quoted character is at most two. */
size_t
imap_across_flight_search_bytes(const struct query *q)
{
	size_t n = COMMAND_BYTES + 2 * q->from.n + 4 * q->to.n +
	    2 * q->subject.n + 2 * q->text.n + 2 * q->message_id.n;

	for (size_t i = 0; i < q->senders.n; i++)
		n += 2 * q->senders.v[i].n + 20;
	return n;
}

/*
 * How many of the folders fit into a flight, at least one.  In UTF-7 a name is
 * less than twice as long.
 */
static size_t
imap_across_some(struct folder_answer *const *v, size_t n, size_t each)
{
	size_t some = 0, bytes = 0;

	while (some < n && some < IMAP_ACROSS) {
		bytes += each + 2 * v[some]->folder.n;
		if (some > 0 && bytes > IMAP_ACROSS_BYTES)
			break;
		some++;
	}
	return some;
}

/* Whatever is open is not afterwards. */
static void
imap_across_forget_open(struct imap_session *s)
{
	s->examined = s->told = s->left.any = false;
	s->folder = S("");
	s->numbering = 0;
}

/* A name that cannot be sent is of no folder. */
static int
imap_across_send_examine(struct imap_session *s, struct folder_answer *f,
    struct err *e)
{
	struct str name;
	struct err no_name = { 0 };

	f->good = imap_append_name(s, f->folder, &name, &no_name) == 0;
	if (!f->good)
		return no_name.kind == ERR_NOT_FOUND ? 0 : (*e = no_name, -1);
	if (imap_command_begin(s, &f->examine, "EXAMINE ", e) < 0 ||
	    imap_command_name(s, &f->examine, name, e) < 0)
		return -1;
	return imap_command_end(s, &f->examine, e);
}

/* Opened, and numbered as before?  If all of it is wanted, by place too. */
static int
imap_across_wait_examine(struct imap_session *s, struct folder_answer *f,
    struct err *e)
{
	struct folder_state was = f->st;

	s->data = NULL;
	s->st = (struct folder_state){ 0 };
	s->examining = true;
	if (imap_command_wait(s, &f->examine, e) < 0)
		return -1;
	s->examining = false;
	f->st = s->st;
	f->good = f->examine.status == IMAP_OK && f->st.uidvalidity != 0 &&
	    (was.uidvalidity == 0 ||
		(was.uidvalidity == f->st.uidvalidity &&
		    (!f->open || was.exists == f->st.exists)));
	return 0;
}

/* Waits for what was sent after it, too. */
static int
imap_across_wait_both(struct imap_session *s, struct folder_answer *f,
    int (*data)(struct imap_session *s, const struct imap_resp *r, void *ctx,
	struct err *e),
    void *ctx, struct err *e)
{
	if (imap_across_wait_examine(s, f, e) < 0)
		return -1;
	s->data = data;
	s->ctx = ctx;
	if (imap_command_wait(s, &f->then, e) < 0)
		return -1;
	s->data = NULL;
	f->good = f->good && f->then.status == IMAP_OK;
	return 0;
}

/* -- which messages -------------------------------------------------------- */

/* The set of a whole folder may be long, and its end is known without it. */
static int
imap_across_send_search(struct imap_session *s, struct folder_answer *f,
    const struct query *q, struct err *e)
{
	struct query one = *q;

	if (imap_across_send_examine(s, f, e) < 0)
		return -1;
	one.uid_max = f->top;
	f->open = imap_search_is_open(&one);
	if (!f->good || f->open)
		return 0;
	return imap_search_send(s, &f->then, &one, false, e);
}

static int
imap_across_wait_search(struct imap_session *s, struct folder_answer *f,
    const struct query *q, struct err *e)
{
	if (!f->good)
		return 0;
	if (f->open)
		return imap_across_wait_examine(s, f, e);
	if (imap_across_wait_both(s, f, imap_search_data, &f->set, e) < 0)
		return -1;
	imap_set_tidy(&f->set, q->uid_min > 0 ? q->uid_min : 1,
	    f->top > 0 ? f->top : UINT32_MAX);
	return 0;
}

static int
imap_across_search_some(struct imap_session *s, struct folder_answer *const *v,
    size_t n, const struct query *q, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (imap_across_send_search(s, v[i], q, e) < 0)
			return -1;
	for (size_t i = 0; i < n; i++)
		if (imap_across_wait_search(s, v[i], q, e) < 0)
			return -1;
	return 0;
}

int
imap_across_flight_search(struct imap_session *s, struct imap_across *x,
    const struct query *q, struct err *e)
{
	struct folder_answer **v =
	    arena_array(x->a, x->n, sizeof(struct folder_answer *));
	size_t n;

	imap_across_forget_open(s);
	for (size_t i = 0; i < x->n; i++)
		v[i] = &x->v[i];
	for (size_t i = 0; i < x->n; i += n) {
		n = imap_across_some(v + i, x->n - i,
		    imap_across_flight_search_bytes(q));
		if (imap_across_search_some(s, v + i, n, q, e) < 0)
			return -1;
	}
	return 0;
}

/* -- their rows ------------------------------------------------------------ */

/* The last of them by their numbers. */
static void
imap_across_fetch_last(struct arena *a, size_t limit, struct folder_answer *f)
{
	uint32_t exists = f->st.exists;
	size_t n = exists < limit ? exists : limit;

	imap_fetch_init(&f->fetch, a, NULL, n);
	f->fetch.first = exists - (uint32_t)n + 1;
}

/* If results may be hidden, one without any costs the same. */
static void
imap_across_fetch_found(struct arena *a, size_t limit, struct folder_answer *f)
{
	uint32_t *uids = arena_array(a, limit + 1, sizeof(*uids));
	size_t n = imap_set_take(&f->set, uids, limit);

	if (n == 0)
		uids[n++] = UINT32_MAX;
	imap_fetch_init(&f->fetch, a, uids, n);
}

static int
imap_across_send_fetch(struct imap_session *s, size_t limit,
    struct folder_answer *f, struct err *e)
{
	size_t from = 0;

	if (f->open && f->st.exists > 0)
		imap_across_fetch_last(s->across_rows, limit, f);
	else
		imap_across_fetch_found(s->across_rows, limit, f);
	if (imap_across_send_examine(s, f, e) < 0 ||
	    imap_fetch_send(s, &f->then, &f->fetch, &from, e) < 0)
		return -1;
	return from == f->fetch.n
	    ? 0
	    : err_set(e, ERR_LIMIT, "too many uids at once");
}

bool
imap_across_flight_needs_rows(const struct folder_answer *f, bool even)
{
	return f->good && f->fetch.n == 0 &&
	    (even || f->set.n > 0 || (f->open && f->st.exists > 0));
}

static int
imap_across_fetch_some(struct imap_session *s, size_t limit,
    struct folder_answer *const *v, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (imap_across_send_fetch(s, limit, v[i], e) < 0)
			return -1;
	for (size_t i = 0; i < n; i++)
		if (imap_across_wait_both(s, v[i], imap_fetch_data,
			&v[i]->fetch, e) < 0)
			return -1;
	return 0;
}

/* The rows of the flight before; those that nobody asked for are lost. */
static void
imap_across_free_rows(struct imap_session *s, struct imap_across *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].fetch.n > 0)
			x->v[i].good = false;
	arena_close(&s->across_rows);
	/* They are limited for the room that they take. */
	s->reader.lines = s->reader.total = 0;
}

int
imap_across_flight_fetch(struct imap_session *s, struct imap_across *x,
    size_t from, bool even, struct err *e)
{
	struct folder_answer *some[IMAP_ACROSS];
	size_t n = 0;

	imap_across_free_rows(s, x);
	s->across_rows = arena_open(LIMIT_ARENA);
	for (size_t i = from; i < x->n && n < IMAP_ACROSS; i++)
		if (imap_across_flight_needs_rows(&x->v[i], even))
			some[n++] = &x->v[i];
	n = imap_across_some(some, n, COMMAND_BYTES + UID_BYTES * x->limit);
	imap_across_forget_open(s);
	return imap_across_fetch_some(s, x->limit, some, n, e);
}
