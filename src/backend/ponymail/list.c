/* SPDX-License-Identifier: Apache-2.0 */
/* A list in the archive: requested by months, with few requests. */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"
#include "base/clock.h"

/* Months that are requested together have at most this many messages. */
#define TOGETHER 4000

void
ponymail_list_close(struct pony_list *l)
{
	arena_close(&l->a);
	*l = (struct pony_list){ 0 };
}

/* Newest first: what was read is kept if time runs out. */
static int
ponymail_list_fill(struct pony *p, struct pony_list *l, struct err *e)
{
	size_t last = l->months;

	while (last > 0) {
		struct pony_month *m = &l->month[last - 1], *first = m;
		uint64_t sum = m->told;

		last--;
		if (m->known)
			continue;
		while (last > 0 && !l->month[last - 1].known &&
		    sum + l->month[last - 1].told <= TOGETHER) {
			first = &l->month[--last];
			sum += first->told;
		}
		if (ponymail_stats_fill(p, l, first, m, e) < 0)
			return -1;
	}
	return 0;
}

static void
ponymail_list_flatten(struct pony_list *l)
{
	uint32_t n = 0;

	for (size_t i = 0; i < l->months; i++)
		n += l->month[i].n;
	l->v = arena_array(l->a, n, sizeof(*l->v));
	l->n = 0;
	for (size_t i = 0; i < l->months; i++)
		for (uint32_t k = 0; k < l->month[i].n; k++)
			l->v[l->n++] = l->month[i].v[k];
	ponymail_links_make(l);
}

int
ponymail_list_refresh(struct pony *p, struct str folder, struct err *e)
{
	struct pony_list *l = &p->list;
	struct str name, domain;
	int now = ponymail_date_of(clock_now()), r;

	if (!ponymail_folder_cut(folder, &name, &domain))
		return ponymail_folder_absent(e);
	ponymail_heads_keep(p, l);
	ponymail_list_close(l);
	ponymail_session_for(p, folder);
	l->a = arena_open(LIMIT_ARENA);
	l->folder = str_dup(l->a, folder);
	(void)ponymail_folder_cut(l->folder, &l->name, &l->domain);
	ponymail_cache_load(p, l);
	r = ponymail_stats_months(p, l, now, e);
	if (r == 0)
		r = ponymail_list_fill(p, l, e);
	if (l->months > 0)
		ponymail_cache_keep(p, l);
	if (r < 0) {
		ponymail_list_close(l);
		return -1;
	}
	ponymail_list_flatten(l);
	ponymail_heads_load(p, l);
	return 0;
}

int
ponymail_list_open(struct pony *p, struct str folder, struct err *e)
{
	ponymail_session_for(p, folder);
	if (p->list.a != NULL && str_eq(p->list.folder, folder))
		return 0;
	return ponymail_list_refresh(p, folder, e);
}

uint32_t
ponymail_list_before(const struct pony_list *l, int64_t epoch, struct str mid)
{
	uint32_t low = 0, high = l->n;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;
		const struct pony_entry *x = &l->v[at];

		if (x->epoch < epoch ||
		    (x->epoch == epoch && str_cmp(x->mid, mid) < 0))
			low = at + 1;
		else
			high = at;
	}
	return low;
}

static struct str
ponymail_list_mid_at(const void *ctx, size_t i)
{
	const struct pony_list *l = ctx;

	return l->v[l->by_mid[i]].mid;
}

const struct pony_entry *
ponymail_list_get(const struct pony_list *l, struct str mid)
{
	size_t i = backend_place(l, l->n, mid, ponymail_list_mid_at);

	return i < l->n ? &l->v[l->by_mid[i]] : NULL;
}
