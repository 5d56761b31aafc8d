/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor's tests of the accounts: each is tested by its own backend. */
#include <poll.h>

#include "base/clock.h"
#include "source/internal.h"

#define AT_ONCE 8

struct crew {
	struct store *s;
	struct arena *a;
	const struct source_trial *what;
	struct source_health *all;
	size_t n, next; /* `next` is the first that was not started */
	struct probe_child v[AT_ONCE];
};

/* Starts a test in every free place; returns how many run. */
static size_t
source_probe_fill(struct crew *w)
{
	size_t busy = 0;

	for (size_t i = 0; i < AT_ONCE; i++) {
		while (w->v[i].fd < 0 && w->next < w->n)
			probe_child_start(w->s, w->a, w->what,
			    &w->all[w->next++], &w->v[i]);
		busy += w->v[i].fd >= 0;
	}
	return busy;
}

/* Waits for output or a timeout. */
static void
source_probe_wait_for(struct crew *w)
{
	struct pollfd p[AT_ONCE];
	int64_t end = INT64_MAX;

	for (size_t i = 0; i < AT_ONCE; i++) {
		p[i] = (struct pollfd){ .fd = w->v[i].fd, .events = POLLIN };
		if (w->v[i].fd >= 0 && w->v[i].end_ms < end)
			end = w->v[i].end_ms;
	}
	if (poll(p, AT_ONCE, clock_left_ms(end)) < 0)
		return;
	for (size_t i = 0; i < AT_ONCE; i++) {
		struct probe_child *c = &w->v[i];
		bool late;

		if (c->fd < 0)
			continue;
		late = clock_left_ms(c->end_ms) == 0;
		if (late || (p[i].revents != 0 && !probe_child_read(c)))
			probe_child_end(w->a, c, late);
	}
}

static int
source_probe_find_accounts(struct store *s, struct arena *a,
    const struct strs *names, struct store_account **out, size_t *n,
    struct err *e)
{
	if (names->n == 0)
		return store_account_list(s, a, out, n, e);
	*out = arena_array(a, names->n, sizeof(**out));
	for (*n = 0; *n < names->n; (*n)++)
		if (store_account_get(s, a, names->v[*n], &(*out)[*n], e) < 0)
			return -1;
	return 0;
}

int
source_probe(struct store *s, struct arena *a, const struct source_trial *what,
    struct source_health **out, size_t *n, struct err *e)
{
	struct crew w = { .s = s, .a = a, .what = what };
	struct store_account *acct = NULL;

	if (source_probe_find_accounts(s, a, &what->names, &acct, &w.n, e) < 0)
		return -1;
	w.all = arena_array(a, w.n, sizeof(*w.all));
	for (size_t i = 0; i < w.n; i++)
		w.all[i].acct = acct[i];
	for (size_t i = 0; i < AT_ONCE; i++)
		w.v[i].fd = -1;
	while (source_probe_fill(&w) > 0)
		source_probe_wait_for(&w);
	*out = w.all;
	*n = w.n;
	return 0;
}
