/* Lines for doctor: the store we stand on, then each account's servers. */
#include "gate/health.h"

#include "gate/internal.h"

static size_t
total(const struct source_health *h, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += h[i].probes.n;
	return sum;
}

int
health_check(struct call *c, struct str account, struct health_line **out,
    size_t *n, struct err *e)
{
	struct store *st = c->gate->store;
	struct source_health *h;
	struct health_line *l;
	size_t accounts, k = 0;
	int64_t timeout;

	if (source_timeout(st, c->arena, &timeout, e) < 0 ||
	    source_probe(st, c->arena, account, timeout, &h, &accounts, e) < 0)
		return -1;
	l = arena_array(c->arena, total(h, accounts) + 2, sizeof(*l));
	/* We would not be here had the key not opened the store. */
	l[k++] = (struct health_line){ .check = S("store"),
		.ok = true,
		.say = S("the key fits and the store opens") };
	if (accounts == 0)
		l[k++] = (struct health_line){ .check = S("accounts"),
			.say = S("there is no account yet: the operator adds "
				 "one with emcli account add") };
	for (size_t i = 0; i < accounts; i++)
		for (size_t p = 0; p < h[i].probes.n; p++) {
			const struct probe *pr = &h[i].probes.v[p];

			l[k++] = (struct health_line){ h[i].account, pr->what,
				pr->ok, pr->say, pr->ms };
		}
	*out = l;
	*n = k;
	return 0;
}

const char *
health_isolation(void)
{
	return "direct";
}
