/* SPDX-License-Identifier: Apache-2.0 */
/* Union and find over ids. */
#include "source/thread_kin.h"

#include "base/limits.h"

void
thread_kin_init(struct thread_kin *k, struct arena *a)
{
	*k = (struct thread_kin){ .a = a };
	thread_id_init(&k->ids, a, 0);
}

static void
thread_kin_widen(struct thread_kin *k)
{
	uint32_t room = k->room > 0 ? 2 * k->room : 1024;

	k->up = arena_grow(k->a, k->up, k->room * sizeof(*k->up),
	    room * sizeof(*k->up));
	k->wanted = arena_grow(k->a, k->wanted, k->room * sizeof(*k->wanted),
	    room * sizeof(*k->wanted));
	k->room = room;
}

/* The number of an id; a new one is copied. */
static uint32_t
thread_kin_number_of(struct thread_kin *k, struct str id)
{
	uint32_t at = thread_id_find(&k->ids, id);

	if (at != THREAD_ID_NONE)
		return at;
	if (k->ids.n >= LIMIT_THREAD_IDS ||
	    arena_used(k->a) > LIMIT_THREAD_KEPT) {
		k->over = true;
		return THREAD_ID_NONE;
	}
	if (k->ids.n == k->room)
		thread_kin_widen(k);
	at = thread_id_add(&k->ids, str_dup(k->a, id));
	k->up[at] = at;
	k->wanted[at] = false;
	return at;
}

static uint32_t
thread_kin_top_of(struct thread_kin *k, uint32_t at)
{
	while (k->up[at] != at) {
		k->up[at] = k->up[k->up[at]];
		at = k->up[at];
	}
	return at;
}

uint32_t
thread_kin_add(struct thread_kin *k, const struct strs *ids)
{
	uint32_t first = THREAD_ID_NONE;

	for (size_t i = 0; i < ids->n; i++) {
		uint32_t at = thread_kin_number_of(k, ids->v[i]);

		if (at == THREAD_ID_NONE)
			continue;
		at = thread_kin_top_of(k, at);
		first =
		    first == THREAD_ID_NONE ? at : thread_kin_top_of(k, first);
		/* Links to the older one: paths stay short. */
		if (at < first) {
			k->up[first] = at;
			first = at;
		} else {
			k->up[at] = first;
		}
	}
	return first;
}

void
thread_kin_want(struct thread_kin *k, struct str id)
{
	uint32_t at = id.n > 0 ? thread_id_find(&k->ids, id) : THREAD_ID_NONE;

	if (at != THREAD_ID_NONE)
		k->wanted[thread_kin_top_of(k, at)] = true;
}

bool
thread_kin_is_wanted(struct thread_kin *k, uint32_t kin)
{
	return kin != THREAD_ID_NONE && k->wanted[thread_kin_top_of(k, kin)];
}
