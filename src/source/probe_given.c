/* Trying an account before it is kept: with settings and secret in hand. */
#include "base/clock.h"
#include "source/source.h"

int
source_probe_given(const struct store_account *acct,
    const struct secret *secret, struct arena *a, int64_t timeout_ms,
    struct probes *out, struct err *e)
{
	struct source src;
	int r;

	if (source_resolve_given(acct, clock_mono_ms() + timeout_ms, &src, e) <
	    0)
		return -1;
	/* Borrowed: there is nothing for source_done() to close. */
	src.view.secret = secret;
	r = src.be->probe(&src.view, a, out, e);
	if (r == 0 && src.submitter != NULL && src.submitter != src.be)
		r = src.submitter->probe(&src.view, a, out, e);
	return r;
}
