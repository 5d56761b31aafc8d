/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete threads.  Messages say which ones they answer, and each knows only
 * earlier ones.  So this first gets the ids that every message names, which is
 * little data, and then reads only the headers of related messages.  Hidden
 * messages connect nothing: related ones may be found through them, but
 * source/thread.h gets only visible messages.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "gate/thread.h"
#include "gate/uids.h"
#include "source/thread_kin.h"

/* A message of a place, and its set of related ids. */
struct named {
	struct ref ref;
	uint32_t kin;
};

struct telling {
	struct arena *a;
	struct thread_kin kin;
	struct named *v[THREAD_PLACES];
	size_t n[THREAD_PLACES];
	enum thread_place_kind place; /* the place being read */
	bool nameless;                /* messages without any id are wanted */
	bool over;
};

static int
thread_whole_hear(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	struct telling *t = ctx;
	size_t at = t->place;

	(void)e;
	if ((ids->n == 0) != t->nameless)
		return 0;
	t->v[at] = arena_more(t->a, t->v[at], t->n[at], sizeof(**t->v));
	t->v[at][t->n[at]++] = (struct named){
		.ref = { ref->uid, str_dup(t->a, ref->id) },
		.kin = thread_kin_add(&t->kin, ids),
	};
	return 0;
}

static bool
thread_whole_is_there(const struct thread_places *places,
    enum thread_place_kind kind)
{
	return places->v[kind].folder.n > 0 && !places->v[kind].gone;
}

static int
thread_whole_ask(struct mailbox *m, struct thread_places *places,
    struct telling *t, struct err *e)
{
	struct thread_place *place = &places->v[t->place];
	const struct link_sink sink = { thread_whole_hear, t };
	bool over = false;

	if (!thread_whole_is_there(places, t->place))
		return 0;
	if (mailbox_open(m, e) < 0)
		return -1;
	if (thread_rows_learn(m, place, e) == 0 &&
	    m->src->be->links(m->conn, t->a, place->folder, &sink, &over, e) ==
		0) {
		t->over = t->over || over;
		return 0;
	}
	if (e->kind != ERR_NOT_FOUND || t->place == THREAD_LIST)
		return -1;
	*e = (struct err){ 0 };
	place->gone = true;
	return 0;
}

static int
thread_whole_downwards(const void *p, const void *q)
{
	const struct ref *x = p, *y = q;

	return (x->uid < y->uid) - (x->uid > y->uid);
}

/* For a store without uids: our numbers, highest first. */
static void
thread_whole_number_refs(const struct uids *u, struct arena *a,
    const struct refs *wanted, struct refs *out)
{
	struct thread_ids ids;

	thread_id_init(&ids, a, wanted->n);
	for (size_t i = 0; i < wanted->n; i++)
		(void)thread_id_add(&ids, wanted->v[i].id);
	for (size_t i = u->map.n; i-- > 0;)
		if (thread_id_find(&ids, u->map.v[i].id) != THREAD_ID_NONE)
			out->v[out->n++] =
			    (struct ref){ u->map.v[i].uid, u->map.v[i].id };
}

/* Drops duplicates, and messages found before. */
static void
thread_whole_drop_known(struct arena *a,
    const struct mailbox_thread_messages *found, size_t n, unsigned place,
    struct refs *refs)
{
	struct refs known = { arena_array(a, n, sizeof(*known.v)), 0 };
	size_t at = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (found->v[i].place == place)
			known.v[known.n++] = found->v[i].ref;
	if (known.n > 1)
		qsort(known.v, known.n, sizeof(*known.v),
		    thread_whole_downwards);
	for (size_t i = 0; i < refs->n; i++) {
		uint32_t uid = refs->v[i].uid;

		while (at < known.n && known.v[at].uid > uid)
			at++;
		if ((at == known.n || known.v[at].uid != uid) &&
		    (kept == 0 || refs->v[kept - 1].uid != uid))
			refs->v[kept++] = refs->v[i];
	}
	refs->n = kept;
}

/* The wanted messages of the place, highest first. */
static struct refs
thread_whole_take_wanted(struct telling *t, const struct uids *u,
    const struct mailbox_thread_messages *found, size_t n)
{
	size_t all = t->n[t->place];
	struct refs wanted = { arena_array(t->a, all + 1, sizeof(struct ref)),
		0 };
	struct refs out = wanted;

	for (size_t i = 0; i < all; i++) {
		const struct named *x = &t->v[t->place][i];

		if (t->nameless || thread_kin_is_wanted(&t->kin, x->kin))
			wanted.v[wanted.n++] = x->ref;
	}
	if (u->native) {
		out = wanted;
		if (out.n > 1)
			qsort(out.v, out.n, sizeof(*out.v),
			    thread_whole_downwards);
	} else {
		out.v = arena_array(t->a, u->map.n, sizeof(*out.v));
		thread_whole_number_refs(u, t->a, &wanted, &out);
	}
	thread_whole_drop_known(t->a, found, n, t->place, &out);
	return out;
}

static int
thread_whole_fetch_wanted(struct mailbox *m, struct thread_places *places,
    struct telling *t, struct mailbox_thread_messages *out, struct err *e)
{
	size_t n = out->n;

	for (int i = 0; i < THREAD_PLACES; i++) {
		struct refs refs;

		t->place = (enum thread_place_kind)i;
		if (!thread_whole_is_there(places, t->place))
			continue;
		refs = thread_whole_take_wanted(t, &places->v[i].uids, out, n);
		/*
		 * Related messages may be hidden: so the request is made
		 * whether there are any or not.
		 */
		if (refs.n == 0 && places->v[i].uids.native &&
		    mailbox_hint_is_needed(m))
			refs.v[refs.n++] = (struct ref){ .uid = UINT32_MAX };
		if (thread_rows_refs(m, places, t->place, &refs, out, e) < 0)
			return -1;
	}
	out->over = out->over || t->over || t->kin.over;
	return 0;
}

int
thread_whole(struct mailbox *m, struct thread_places *places,
    const struct strs *ids, struct mailbox_thread_messages *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct telling t = { .a = a };

	thread_kin_init(&t.kin, a);
	for (int i = 0; i < THREAD_PLACES; i++) {
		t.place = (enum thread_place_kind)i;
		if (thread_whole_ask(m, places, &t, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < ids->n; i++)
		thread_kin_want(&t.kin, ids->v[i]);
	return thread_whole_fetch_wanted(m, places, &t, out, e);
}

int
thread_whole_nameless(struct mailbox *m, struct thread_places *places,
    struct mailbox_thread_messages *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct telling t = { .a = a, .nameless = true };
	struct thread_places some = { .v[THREAD_LIST] = places->v[THREAD_LIST],
		.v[THREAD_INBOX] = places->v[THREAD_INBOX] };

	thread_kin_init(&t.kin, a);
	for (int i = THREAD_LIST; i <= THREAD_INBOX; i++) {
		t.place = (enum thread_place_kind)i;
		if (thread_whole_ask(m, &some, &t, e) < 0)
			return -1;
	}
	return thread_whole_fetch_wanted(m, &some, &t, out, e);
}
