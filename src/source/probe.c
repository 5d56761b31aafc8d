/* Doctor's walk over the accounts: each is tried by its own backend. */
#include "base/clock.h"
#include "source/source.h"

static void
note(struct arena *a, struct probes *p, const char *what, const struct err *e)
{
	backend_probe_add(a, p, what, false, clock_mono_ms(),
	    str_fmt(a, "%s", e->say));
}

/* Never fails: what went wrong is a line of the report. */
static void
one(struct store *s, struct arena *a, struct str name, int64_t timeout_ms,
    struct source_health *out)
{
	struct source src = { 0 };
	struct err e = { 0 };
	int64_t deadline = clock_mono_ms() + timeout_ms;

	out->account = name;
	if (source_resolve(s, a, name, deadline, &src, &e) < 0) {
		note(a, &out->probes, "account", &e);
		return;
	}
	if (source_unseal(s, &src, &e) < 0) {
		note(a, &out->probes, "credentials", &e);
	} else {
		if (src.be->probe(&src.view, a, &out->probes, &e) < 0)
			note(a, &out->probes, src.be->name, &e);
		e = (struct err){ 0 };
		if (src.submitter != NULL && src.submitter != src.be &&
		    src.submitter->probe(&src.view, a, &out->probes, &e) < 0)
			note(a, &out->probes, src.submitter->name, &e);
	}
	source_done(&src);
}

int
source_probe(struct store *s, struct arena *a, struct str name,
    int64_t timeout_ms, struct source_health **out, size_t *n, struct err *e)
{
	struct store_account *acct = NULL, single = { 0 };
	size_t count = 0;

	if (name.n > 0) {
		if (store_account_get(s, a, name, &single, e) < 0)
			return -1;
		acct = &single;
		count = 1;
	} else if (store_account_list(s, a, &acct, &count, e) < 0) {
		return -1;
	}
	*out = arena_array(a, count, sizeof(**out));
	for (size_t i = 0; i < count; i++)
		one(s, a, acct[i].name, timeout_ms, &(*out)[i]);
	*n = count;
	return 0;
}
