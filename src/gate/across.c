/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search of many folders: each is asked for a page, and the pages are merged.
 * A folder's own order is kept, so the merge is newest first as far as mail
 * arrived in that order.
 */
#include "gate/across.h"
#include "base/limits.h"
#include "gate/across_cursor.h"
#include "gate/across_folders.h"
#include "gate/span.h"

/* A folder, and what it answered. */
struct across_folder {
	struct mailbox *m;
	struct str name;
	unsigned char key[ACROSS_KEY];
	const struct across_place *from; /* NULL: from the newest */
	struct mails found;
	size_t at;   /* those before it are on the page, or elsewhere already */
	bool looked; /* that one is not elsewhere */
};

struct across {
	struct call *c;
	const struct across_query *q;
	struct across_places from;
	struct across_folder *v;
	size_t n;
	size_t kept; /* bytes of what was found */
};

/* -- asking ---------------------------------------------------------------- */

static uint32_t
across_before(const struct across_folder *f)
{
	return f->from != NULL ? f->from->uid : 0;
}

/* The folders that are asked. */
static int
across_list(struct across *x, struct mailbox *m, struct strs *names,
    struct err *e)
{
	struct folders all = { 0 };

	*names = (struct strs){ 0 };
	if (x->q->find.folder.n > 0) {
		str_push(x->c->arena, names, x->q->find.folder);
		return 0;
	}
	if (mailbox_folders(m, &all, e) < 0)
		return -1;
	across_folders(x->c->arena, &all, x->q->trash, names);
	return 0;
}

static int
across_add_folders(struct across *x, struct mailbox *m, struct err *e)
{
	struct strs names;

	if (across_list(x, m, &names, e) < 0)
		return -1;
	if (names.n > LIMIT_SEARCH_FOLDERS - x->n)
		return err_set(e, ERR_LIMIT,
		    "there are more than %d folders: search them one by one",
		    LIMIT_SEARCH_FOLDERS);
	for (size_t i = 0; i < names.n; i++) {
		struct across_folder *f = &x->v[x->n++];

		*f = (struct across_folder){ .m = m, .name = names.v[i] };
		across_cursor_key(m->src->acct.id, f->name, f->key);
		f->from = across_cursor_find(&x->from, f->key);
	}
	return 0;
}

/* The folders from x->v[i] on, for a store that can be asked all at once. */
static struct query_nexts
across_next(const struct across *x, size_t i)
{
	struct query_nexts l = {
		arena_array(x->c->arena, x->n - i, sizeof(*l.v)), 0
	};

	for (; i < x->n; i++) {
		uint32_t before = across_before(&x->v[i]);

		if (before != 1)
			l.v[l.n++] = (struct query_next){ x->v[i].name,
				before > 0 ? before - 1 : 0 };
	}
	return l;
}

static int
across_find_one(struct across *x, size_t i, const struct query_nexts *next,
    struct err *e)
{
	struct across_folder *f = &x->v[i];
	struct mailbox_query q = x->q->find;
	struct err gone = { 0 };

	q.folder = f->name;
	q.before = across_before(f);
	q.aside = q.ids_only = true;
	q.next = *next;
	if (q.before == 1 || mailbox_find(f->m, &q, &f->found, &gone) == 0) {
		if (f->from == NULL || f->found.uidvalidity == 0 ||
		    f->found.uidvalidity == f->from->uidvalidity)
			return 0;
		return err_set(e, ERR_NOT_FOUND,
		    "a folder was renumbered since: search again without a "
		    "cursor");
	}
	/* It went since it was listed, or this login may not read it. */
	f->found = (struct mails){ 0 };
	if (gone.kind == ERR_NOT_FOUND)
		return 0;
	*e = gone;
	return -1;
}

static int
across_find(struct across *x, struct mailbox *m, struct err *e)
{
	size_t first = x->n;
	struct query_nexts next;

	if (across_add_folders(x, m, e) < 0)
		return -1;
	next = across_next(x, first);
	for (size_t i = first; i < x->n; i++) {
		if (next.n > 0 && str_eq(next.v[0].folder, x->v[i].name)) {
			next.v++;
			next.n--;
		}
		if (across_find_one(x, i, &next, e) < 0)
			return -1;
		x->kept += x->v[i].found.kept;
		if (x->kept > LIMIT_PAGE_HEADS)
			return err_set(e, ERR_LIMIT,
			    "these headers are too big for one page: set a "
			    "lower limit");
	}
	return 0;
}

/* An account that fails adds nothing, though some of its folders answered. */
static int
across_find_all(struct across *x, struct err *e)
{
	struct span *s = x->c->span;

	for (size_t i = 0; i < s->n; i++) {
		size_t first = x->n;

		span_begin(s, i);
		if (across_find(x, s->v[i].mailbox, e) < 0) {
			x->n = first;
			if (span_failed(x->c, i, e) < 0)
				return -1;
		}
		span_end(s, i);
	}
	return 0;
}

/* -- merging --------------------------------------------------------------- */

static int64_t
across_when(const struct mail *mail)
{
	return mail->received_s != 0 ? mail->received_s : mail->env.date_s;
}

/*
 * A message of a store whose ids are of the whole account may be in several
 * folders: the first of them shows it.
 */
static int
across_is_elsewhere(const struct across *x, const struct across_folder *f,
    struct err *e)
{
	const struct mail *mail = &f->found.v[f->at];
	unsigned caps = f->m->src->be->caps;
	struct strs in;

	if ((caps & CAP_UIDS) || !(caps & CAP_THREADS) || mail->id.n == 0)
		return 0;
	if (store_uid_folders(f->m->gate->store, x->c->arena,
		f->m->src->acct.id, mail->id, &in, e) < 0)
		return -1;
	for (const struct across_folder *k = x->v; k < f; k++)
		if (k->m == f->m && str_among(&in, k->name))
			return 1;
	return 0;
}

/* Goes past those that another folder shows. */
static int
across_skip(const struct across *x, struct across_folder *f, struct err *e)
{
	int r = 1;

	while (r > 0 && !f->looked && f->at < f->found.n) {
		r = across_is_elsewhere(x, f, e);
		f->at += r > 0;
		f->looked = r == 0;
	}
	return r < 0 ? -1 : 0;
}

/* The folder whose next message is the newest; NULL: there is none. */
static int
across_newest(const struct across *x, struct across_folder **out, struct err *e)
{
	struct across_folder *best = NULL;

	for (size_t i = 0; i < x->n; i++) {
		struct across_folder *f = &x->v[i];

		if (across_skip(x, f, e) < 0)
			return -1;
		if (f->at < f->found.n &&
		    (best == NULL ||
			across_when(&f->found.v[f->at]) >
			    across_when(&best->found.v[best->at])))
			best = f;
	}
	*out = best;
	return 0;
}

static int
across_take(struct across_folder *f, struct across_page *out, struct err *e)
{
	struct mail *mail = &f->found.v[f->at++];

	f->looked = false;
	if (taint_note(f->m, mail, e) < 0)
		return -1;
	gate_warn(f->m->call, WARN_MBOX_AMBIGUOUS, mail->ambiguous);
	mail->folder = f->name;
	out->v[out->n++] = (struct across_hit){ f->m->src->acct.name, *mail };
	return 0;
}

/* Where the next page begins. */
static int
across_next_page(struct across *x, struct across_page *out, struct err *e)
{
	struct across_places l = {
		arena_array(x->c->arena, LIMIT_SEARCH_FOLDERS, sizeof(*l.v)), 0
	};
	bool more = false;

	for (size_t i = 0; i < x->n; i++) {
		const struct across_folder *f = &x->v[i];

		more = more || f->at < f->found.n || f->found.next_before != 0;
		if (f->at > 0)
			l.v[l.n++] = (struct across_place){
				.uidvalidity = f->found.uidvalidity,
				.uid = f->found.v[f->at - 1].uid,
			};
		else if (f->from != NULL)
			l.v[l.n++] = *f->from;
		else
			continue;
		memcpy(l.v[l.n - 1].key, f->key, ACROSS_KEY);
	}
	/* Of accounts that do not answer now. */
	for (size_t i = 0; i < x->from.n && l.n < LIMIT_SEARCH_FOLDERS; i++)
		if (across_cursor_find(&l, x->from.v[i].key) == NULL)
			l.v[l.n++] = x->from.v[i];
	return more && l.n > 0 ? across_cursor_put(x->c, &l, &out->next, e) : 0;
}

static int
across_merge(struct across *x, struct across_page *out, struct err *e)
{
	struct across_folder *f;

	/* Beyond the page, too: it goes past what is elsewhere. */
	for (;;) {
		if (across_newest(x, &f, e) < 0)
			return -1;
		if (f == NULL || out->n == x->q->find.limit)
			break;
		if (across_take(f, out, e) < 0)
			return -1;
	}
	return across_next_page(x, out, e);
}

int
across_search(struct call *c, const struct across_query *q,
    struct across_page *out, struct err *e)
{
	struct across x = { .c = c, .q = q };

	*out = (struct across_page){ .v = arena_array(c->arena, q->find.limit,
					 sizeof(*out->v)) };
	x.v = arena_array(c->arena, LIMIT_SEARCH_FOLDERS, sizeof(*x.v));
	if (across_cursor_read(c, q->cursor, &x.from, e) < 0)
		return -1;
	if ((c->span != NULL ? across_find_all(&x, e)
			     : across_find(&x, c->mailbox, e)) < 0)
		return -1;
	return across_merge(&x, out, e);
}
