/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a doctor's report. */
#include "backend/internal.h"
#include "base/clock.h"
#include "base/said.h"

#define DAYS_SOON 14

/* Advice if the failing code had none. */
static const char *
backend_probe_advice(const struct err *why)
{
	if (why->hint != NULL)
		return why->hint;
	if (why->kind == ERR_AUTH)
		return "check user name and password (many providers require "
		       "an app password): emcli account edit --password-file";
	if (why->kind == ERR_CONFIG)
		return "correct the account: emcli account edit";
	if (why->kind == ERR_NETWORK)
		return "try again later; if it persists, check host, port and "
		       "security, and ask whoever runs the server";
	return "emcli audit list may say more";
}

static void
backend_probe_put(struct arena *a, struct probes *p, const struct probe *line)
{
	size_t size = sizeof(*p->v);

	p->v = arena_grow(a, p->v, p->n * size, (p->n + 1) * size);
	p->v[p->n++] = *line;
	if (p->tell != NULL)
		p->tell(line, p->ctx);
}

void
backend_probe_add(struct arena *a, struct probes *p, const char *what, bool ok,
    int64_t since_ms, struct str say)
{
	struct probe line = {
		.what = str_of(what),
		.ok = ok,
		.say = str_dup(a, say),
		.ms = clock_mono_ms() - since_ms,
	};

	backend_probe_put(a, p, &line);
}

void
backend_probe_fail(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct err *why)
{
	struct probe line = {
		.what = str_of(what),
		.say = str_dup(a, str_of(why->say)),
		.next = str_of(backend_probe_advice(why)),
		.detail = str_dup(a, str_of(why->detail)),
		.ms = clock_mono_ms() - since_ms,
	};

	backend_probe_put(a, p, &line);
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

	backend_probe_put(a, p, &line);
}

bool
backend_probe_step(struct backend_steps *t, const char *what, int64_t since,
    int result, struct str good, const struct err *why)
{
	if (result < 0)
		backend_probe_fail(t->a, t->out, what, since, why);
	else
		backend_probe_add(t->a, t->out, what, true, since, good);
	return result == 0;
}

bool
backend_probe_name(struct backend_steps *t, const char *what,
    const struct wire_target *target)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	unsigned n = 0;
	int r = wire_lookup(target, &n, &why);
	struct str found = S("the proxy looks up the name");

	if (n > 0)
		found = str_fmt(t->a, "the name has %u address%s", n,
		    n == 1 ? "" : "es");
	return backend_probe_step(t, what, since, r, found, &why);
}

/* How long the certificate is valid, and its names for the operator. */
static void
backend_probe_put_peer(struct backend_steps *t, const char *what, int64_t since,
    const struct wire *w)
{
	struct probe line = { .what = str_of(what), .ok = true };
	struct wire_peer peer = { 0 };
	char subject[sizeof(peer.subject)], issuer[sizeof(peer.issuer)];
	long long days;

	wire_peer(w, &peer);
	days = (peer.not_after - clock_now()) / 86400;
	line.note = days < DAYS_SOON;
	line.say = str_fmt(t->a,
	    "%s; chain and name are valid, and the certificate for %lld days",
	    peer.version, days);
	if (line.note)
		line.next = S("the certificate ends soon: remind whoever runs "
			      "the server");
	/* The names in a certificate are a server's words, too. */
	said_clean(subject, sizeof(subject), str_of(peer.subject));
	said_clean(issuer, sizeof(issuer), str_of(peer.issuer));
	line.detail = str_fmt(t->a, "%s, signed by %s, pin %s", subject, issuer,
	    peer.pin);
	line.ms = clock_mono_ms() - since;
	backend_probe_put(t->a, t->out, &line);
}

bool
backend_probe_tls(struct backend_steps *t, const char *what, int64_t since,
    int result, const struct wire *w, const struct err *why)
{
	if (result < 0)
		return backend_probe_step(t, what, since, result, S(""), why);
	backend_probe_put_peer(t, what, since, w);
	return true;
}
