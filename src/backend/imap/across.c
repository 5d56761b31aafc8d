/*
 * Commands that open a folder are followed by those that need it, so a server
 * does them in order (RFC 9051 section 5.5), and each answer is read for the
 * folder whose turn it is.
 */
#include "backend/imap/across.h"
#include "backend/imap/fetch.h"
#include "backend/imap/search.h"
#include "base/limits.h"

/* Bytes that are sent before an answer is read, and those of a command. */
#define FLIGHT_BYTES 65536
#define FETCH_BYTES 500
#define UID_BYTES 11

/* A folder and its answer. */
struct folder_answer {
	struct str folder;
	uint32_t top; /* uid_max */
	bool good, taken;
	struct folder_state st;
	struct imap_set set;
	struct imap_fetch fetch;
	struct imap_cmd examine, then;
};

struct imap_across {
	struct arena *a;
	uint64_t question; /* imap_search_sum() */
	size_t limit;
	struct folder_answer *v;
	size_t n;
};

/* Is it one command, sent without waiting, whose rows need no check? */
static bool
imap_across_may(const struct imap_session *s, const struct query *q)
{
	bool unasked = imap_search_is_ascii(q) || s->utf8 ||
	    (s->caps & IMAP_CAP_LITERAL_PLUS) != 0;

	return q->next.n > 0 && unasked && q->received_s == 0 &&
	    q->list.n == 0 && imap_search_some(&q->senders, 0) == q->senders.n;
}

static struct imap_across *
imap_across_new(const struct query *q, size_t limit)
{
	struct arena *a = arena_open(LIMIT_ARENA);
	struct imap_across *x = arena_new(a, struct imap_across);
	size_t n =
	    q->next.n < LIMIT_SEARCH_FOLDERS ? q->next.n : LIMIT_SEARCH_FOLDERS;

	*x = (struct imap_across){ .a = a,
		.question = imap_search_sum(q),
		.limit = limit,
		.v = arena_array(a, n + 1, sizeof(*x->v)),
		.n = n + 1 };
	x->v[0].folder = str_dup(a, q->folder);
	x->v[0].top = q->uid_max;
	for (size_t i = 0; i < n; i++) {
		x->v[i + 1].folder = str_dup(a, q->next.v[i].folder);
		x->v[i + 1].top = q->next.v[i].uid_max;
	}
	for (size_t i = 0; i <= n; i++)
		x->v[i].set.a = a;
	return x;
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

/* Opened, and numbered as before? */
static int
imap_across_wait_examine(struct imap_session *s, struct folder_answer *f,
    struct err *e)
{
	uint32_t was = f->st.uidvalidity;

	s->data = NULL;
	s->st = (struct folder_state){ 0 };
	s->examining = true;
	if (imap_command_wait(s, &f->examine, e) < 0)
		return -1;
	s->examining = false;
	f->st = s->st;
	f->good = f->examine.status == IMAP_OK && f->st.uidvalidity != 0 &&
	    (was == 0 || was == f->st.uidvalidity);
	return 0;
}

/* Waits for what was sent behind it, too. */
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

static int
imap_across_search_some(struct imap_session *s, struct folder_answer *v,
    size_t n, const struct query *q, struct err *e)
{
	struct query one = *q;

	for (size_t i = 0; i < n; i++) {
		if (imap_across_send_examine(s, &v[i], e) < 0)
			return -1;
		one.uid_max = v[i].top;
		if (v[i].good &&
		    imap_search_send(s, &v[i].then, &one, false, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (v[i].good &&
		    imap_across_wait_both(s, &v[i], imap_search_data, &v[i].set,
			e) < 0)
			return -1;
		imap_set_tidy(&v[i].set, q->uid_min > 0 ? q->uid_min : 1,
		    v[i].top > 0 ? v[i].top : UINT32_MAX);
	}
	return 0;
}

/* -- their rows ------------------------------------------------------------ */

/* If results may be hidden, one without any costs the same. */
static int
imap_across_send_fetch(struct imap_session *s, struct imap_across *x,
    struct folder_answer *f, struct err *e)
{
	uint32_t *uids = arena_array(x->a, x->limit + 1, sizeof(*uids));
	size_t n = imap_set_take(&f->set, uids, x->limit), from = 0;

	if (n == 0)
		uids[n++] = UINT32_MAX;
	imap_fetch_init(&f->fetch, x->a, uids, n);
	if (imap_across_send_examine(s, f, e) < 0 ||
	    imap_fetch_send(s, &f->then, &f->fetch, &from, e) < 0)
		return -1;
	return from == n ? 0 : err_set(e, ERR_LIMIT, "too many uids at once");
}

static bool
imap_across_needs_rows(const struct folder_answer *f, const struct query *q)
{
	return f->good && (q->even || f->set.n > 0);
}

static int
imap_across_fetch_some(struct imap_session *s, struct imap_across *x,
    struct folder_answer *const *v, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (imap_across_send_fetch(s, x, v[i], e) < 0)
			return -1;
	for (size_t i = 0; i < n; i++)
		if (imap_across_wait_both(s, v[i], imap_fetch_data,
			&v[i]->fetch, e) < 0)
			return -1;
	return 0;
}

/* How many folders fit into a flight, whatever is found in them. */
static size_t
imap_across_some(size_t limit)
{
	size_t n = FLIGHT_BYTES / (FETCH_BYTES + UID_BYTES * limit);

	n = n < IMAP_ACROSS ? n : IMAP_ACROSS;
	return n > 0 ? n : 1;
}

static int
imap_across_fetch(struct imap_session *s, struct imap_across *x,
    const struct query *q, struct err *e)
{
	struct folder_answer *some[IMAP_ACROSS];
	size_t most = imap_across_some(x->limit), n = 0;

	for (size_t i = 0; i < x->n; i++) {
		if (imap_across_needs_rows(&x->v[i], q))
			some[n++] = &x->v[i];
		if (n < most && i + 1 < x->n)
			continue;
		if (imap_across_fetch_some(s, x, some, n, e) < 0)
			return -1;
		n = 0;
	}
	return 0;
}

/* The folder among those that were asked this; NULL: it is not. */
static struct folder_answer *
imap_across_find(const struct imap_session *s, const struct query *q,
    size_t limit)
{
	struct imap_across *x = s->across;

	if (x == NULL || x->limit != limit || x->question != imap_search_sum(q))
		return NULL;
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].top == q->uid_max &&
		    str_eq(x->v[i].folder, q->folder))
			return &x->v[i];
	return NULL;
}

int
imap_across_ask(struct imap_session *s, const struct query *q, size_t limit,
    struct err *e)
{
	struct folder_answer *f = imap_across_find(s, q, limit);
	struct imap_across *x;

	/* One that gave no clear answer is asked alone. */
	if (q->next.n == 0 || (f != NULL && !f->taken))
		return 0;
	arena_close(&s->across_a);
	s->across = NULL;
	if (imap_session_caps(s, e) < 0)
		return -1;
	if (!imap_across_may(s, q))
		return 0;
	s->across = x = imap_across_new(q, limit);
	s->across_a = x->a;
	/* Whatever is open is not afterwards. */
	s->examined = s->told = s->left.any = false;
	s->folder = S("");
	s->numbering = 0;
	for (size_t i = 0; i < x->n; i += IMAP_ACROSS)
		if (imap_across_search_some(s, x->v + i,
			x->n - i < IMAP_ACROSS ? x->n - i : IMAP_ACROSS, q,
			e) < 0)
			return -1;
	return imap_across_fetch(s, x, q, e);
}

/* Some of them may have gone meanwhile, and then others are further down. */
static bool
imap_across_rows(struct arena *a, const struct folder_answer *f,
    struct rows *out)
{
	const struct imap_fetch *g = &f->fetch;

	*out = (struct rows){ arena_array(a, g->n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < g->n; i++)
		if (g->full[i] && g->uids[i] != UINT32_MAX)
			imap_fetch_copy(a, &out->v[out->n++], &g->row[i]);
	return f->set.n == 0 || out->n == g->n;
}

bool
imap_across_take(struct imap_session *s, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out)
{
	struct folder_answer *f = imap_across_find(s, q, limit);

	if (f == NULL || !f->good || f->taken)
		return false;
	*st = f->st;
	f->good = f->taken = imap_across_rows(a, f, out);
	return f->good;
}
