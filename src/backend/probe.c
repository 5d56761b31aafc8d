/* Lines of a doctor's report that need more than a yes. */
#include "backend/internal.h"
#include "base/clock.h"

#define DAYS_SOON 14

/* What helps when whoever failed knew of nothing better. */
static const char *
advice(const struct err *why)
{
	if (why->hint != NULL)
		return why->hint;
	if (why->kind == ERR_AUTH)
		return "check user name and password (many providers want an "
		       "app password): emcli account edit --password-file";
	if (why->kind == ERR_CONFIG)
		return "mend the account: emcli account edit";
	if (why->kind == ERR_NETWORK)
		return "try again later; if it stays so, check host, port and "
		       "security, and ask whoever runs the server";
	return "emcli audit list may tell more";
}

static void
put(struct arena *a, struct probes *p, const struct probe *line)
{
	size_t size = sizeof(*p->v);

	p->v = arena_grow(a, p->v, p->n * size, (p->n + 1) * size);
	p->v[p->n++] = *line;
	if (p->tell != NULL)
		p->tell(line, p->ctx);
}

void
backend_probe_fail(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct err *why)
{
	struct probe line = {
		.what = str_of(what),
		.say = str_dup(a, str_of(why->say)),
		.next = str_of(advice(why)),
		.detail = str_dup(a, str_of(why->detail)),
		.ms = clock_mono_ms() - since_ms,
	};

	put(a, p, &line);
}

void
backend_probe_note(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, struct str say, const char *next)
{
	struct probe line = {
		.what = str_of(what),
		.ok = true,
		.note = true,
		.say = str_dup(a, say),
		.next = str_of(next),
		.ms = clock_mono_ms() - since_ms,
	};

	put(a, p, &line);
}

struct str
probe_found(struct arena *a, unsigned addresses)
{
	if (addresses == 0)
		return S("the proxy looks the name up");
	return str_fmt(a, "the name has %u address%s", addresses,
	    addresses == 1 ? "" : "es");
}

void
probe_peer(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct wire *w)
{
	struct probe line = { .what = str_of(what), .ok = true };
	struct wire_peer peer = { 0 };
	long long days;

	wire_peer(w, &peer);
	days = (peer.not_after - clock_now()) / 86400;
	line.note = days < DAYS_SOON;
	line.say = str_fmt(a,
	    "%s; chain and name are good, and the certificate for %lld days",
	    peer.version, days);
	if (line.note)
		line.next = S("the certificate ends soon: remind whoever runs "
			      "the server");
	line.detail = str_fmt(a, "%s, signed by %s, pin %s", peer.subject,
	    peer.issuer, peer.pin);
	line.ms = clock_mono_ms() - since_ms;
	put(a, p, &line);
}
