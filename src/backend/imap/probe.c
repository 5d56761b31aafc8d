/* What doctor asks of an account: the stream, the login, the folders. */
#include "backend/imap/internal.h"
#include "base/clock.h"

static struct str
describe(struct arena *a, const struct imap_session *s)
{
	struct wire_peer peer;
	int64_t days;

	wire_peer(s->wire, &peer);
	days = (peer.not_after - clock_now()) / 86400;
	return str_fmt(a, "%s, the certificate is good for %lld days",
	    peer.version, (long long)days);
}

int
imap_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	struct imap_session *s = imap_session_new(acct, a);
	int64_t since = clock_mono_ms();
	struct folders found = { 0 };
	struct err why = { 0 };
	int r;

	(void)e;
	r = imap_session_connect(s, &why);
	backend_probe_add(a, out, "imap.tls", r == 0, since,
	    r == 0 ? describe(a, s) : str_of(why.say));
	if (r < 0)
		goto out;

	since = clock_mono_ms();
	r = imap_session_caps(s, &why);
	backend_probe_add(a, out, "imap.login", r == 0, since,
	    r == 0 ? S("the server took the credentials") : str_of(why.say));
	if (r < 0)
		goto out;

	since = clock_mono_ms();
	r = imap_list(s, a, &found, &why);
	backend_probe_add(a, out, "imap.folders", r == 0, since,
	    r == 0 ? str_fmt(a, "%zu folders", found.n) : str_of(why.say));
out:
	imap_session_drop(s);
	return 0;
}
