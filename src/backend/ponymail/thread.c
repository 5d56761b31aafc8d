/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread across lists, from the archive.  Only names and times of its tree
 * are used: a message's position in it is unreliable (an answer to an answer
 * may be below the root), and `emails` may contain only the root.
 */
#include "backend/ponymail/internal.h"

/* Children still to visit: one array per level. */
struct level {
	const struct json_value *v;
	size_t i;
};

#define LEVELS 300

struct walk {
	struct arena *a;
	struct str only; /* only this list, "<dev.example.org>"; or empty */
	struct pony_members *out;
	struct level level[LEVELS];
	size_t n;
};

static bool
ponymail_thread_is_of(const struct walk *w, const struct json_value *v)
{
	struct str list = { 0 };

	(void)json_parse_str(json_parse_member(v, "list_raw"), &list);
	return w->only.n == 0 || str_eq_case(list, w->only);
}

static int
ponymail_thread_add(struct walk *w, const struct json_value *v, struct err *e)
{
	struct pony_members *out = w->out;
	struct str mid = { 0 };
	int64_t epoch = 0;

	if (!json_parse_str(json_parse_member(v, "mid"), &mid) &&
	    !json_parse_str(json_parse_member(v, "id"), &mid))
		return 0;
	if (mid.n == 0 || mid.n > PONY_MID || !ponymail_thread_is_of(w, v))
		return 0;
	if (out->n == LIMIT_PONY_THREAD)
		return err_set(e, ERR_LIMIT, "the thread is too long");
	(void)json_parse_int(json_parse_member(v, "epoch"), &epoch);
	out->v = arena_more(w->a, out->v, out->n, sizeof(*out->v));
	out->v[out->n++] = (struct pony_member){ str_dup(w->a, mid), epoch };
	return 0;
}

static int
ponymail_thread_add_all(struct walk *w, const struct json_value *list,
    struct err *e)
{
	w->level[0] = (struct level){ list, 0 };
	w->n = 1;
	while (w->n > 0) {
		struct level *at = &w->level[w->n - 1];
		const struct json_value *v = json_parse_item(at->v, at->i++);

		if (v == NULL) {
			w->n--;
			continue;
		}
		if (ponymail_thread_add(w, v, e) < 0)
			return -1;
		v = json_parse_member(v, "children");
		if (json_parse_count(v) == 0)
			continue;
		if (w->n == LEVELS)
			return err_set(e, ERR_LIMIT, "the thread is too deep");
		w->level[w->n++] = (struct level){ v, 0 };
	}
	return 0;
}

static int
ponymail_thread_by_time(const void *x, const void *y)
{
	const struct pony_member *s = x, *t = y;

	if (s->epoch != t->epoch)
		return s->epoch < t->epoch ? -1 : 1;
	return str_cmp(s->mid, t->mid);
}

static int
ponymail_thread_by_mid(const void *x, const void *y)
{
	const struct pony_member *s = x, *t = y;

	return str_cmp(s->mid, t->mid);
}

/* The root is in the tree and in `emails`. */
static void
ponymail_thread_drop_twins(struct pony_members *m)
{
	size_t kept = 0;

	if (m->n == 0)
		return;
	qsort(m->v, m->n, sizeof(*m->v), ponymail_thread_by_mid);
	for (size_t i = 0; i < m->n; i++)
		if (kept == 0 || !str_eq(m->v[i].mid, m->v[kept - 1].mid))
			m->v[kept++] = m->v[i];
	m->n = kept;
	qsort(m->v, m->n, sizeof(*m->v), ponymail_thread_by_time);
}

static int
ponymail_thread_read_tree(struct walk *w, const struct json_doc *d,
    struct err *e)
{
	const struct json_value *all = json_parse_root(d);
	const struct json_value *root = json_parse_member(all, "thread");
	struct str mid = { 0 };

	if (ponymail_thread_add(w, root, e) < 0)
		return -1;
	/* Older archives report a missing thread with status 200. */
	if (w->out->n == 0 && w->only.n == 0)
		return 0;
	if (ponymail_thread_add_all(w, json_parse_member(root, "children"), e) <
		0 ||
	    ponymail_thread_add_all(w, json_parse_member(all, "emails"), e) < 0)
		return -1;
	ponymail_thread_drop_twins(w->out);
	/* The root, or the first message that is left. */
	(void)json_parse_str(json_parse_member(root, "mid"), &mid);
	for (size_t i = 0; i < w->out->n; i++)
		if (i == 0 || str_eq(w->out->v[i].mid, mid))
			w->out->root = w->out->v[i].mid;
	return 0;
}

/* "dev@example.org" in the archive's form. */
static struct str
list_raw(struct arena *a, struct str list)
{
	return str_fmt(a, "<%.*s>", STR_ARG(backend_list_id(a, list)));
}

int
ponymail_thread(struct pony *p, struct str mid, struct arena *a,
    struct pony_members *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct walk w = { .a = a, .out = out };
	struct buf b;
	int found;

	*out = (struct pony_members){ 0 };
	ponymail_session_for(p, S(""));
	if (p->inside)
		w.only = list_raw(a, p->conn.acct->list);
	buf_init(&b, a, LIMIT_URL / 2);
	ponymail_call_arg(&b, "id", mid);
	ponymail_call_arg(&b, "find_parent", S("true"));
	if (b.over)
		return 0;
	found = ponymail_call_json(p, PONY_THREAD, buf_view(&b), &d, e);
	if (found == 0)
		return ponymail_session_check(p, e);
	return found < 0 ? -1 : ponymail_thread_read_tree(&w, d, e);
}
