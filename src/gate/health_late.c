/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries on this machine that accounts may need. */
#include "gate/health_report.h"
#include "gate/internal.h"
#include "source/late.h"

/* Is there an account that needs libcurl? */
static bool
health_late_needs_web(const struct source_health *v, size_t n)
{
	static const struct str backends[] = { SI("jmap"), SI("gmail"),
		SI("ponymail") };

	for (size_t i = 0; i < n; i++) {
		if (str_eq(v[i].acct.auth_type, S("oauth2")))
			return true;
		for (size_t k = 0; k < 3; k++)
			if (str_eq(v[i].acct.backend, backends[k]))
				return true;
	}
	return false;
}

static void
health_late_put_library(struct health *h, const struct late *l, bool needed)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("library"), .ok = true };

	if (late_there(l)) {
		line.say = str_fmt(a, "%.*s is there", STR_ARG(l->name));
	} else {
		line.ok = !needed;
		line.note = !needed;
		line.say = str_fmt(a, "%.*s is missing: no %.*s",
		    STR_ARG(l->name), STR_ARG(l->use));
		line.next = str_fmt(a, "install %.*s", STR_ARG(l->package));
	}
	health_line_put(h, &line);
}

static void
health_late_put_authorities(struct health *h)
{
	struct health_line line = { .check = S("authorities"), .ok = true };
	const char *where = late_authorities();

	if (where != NULL) {
		line.say =
		    S("this machine has certificate authorities for TLS");
		line.detail = str_dup(h->call->arena, str_of(where));
	} else {
		line.note = true;
		line.say =
		    S("this machine has no certificate authorities for TLS: "
		      "only servers with --ca or --pin are trusted");
		line.next =
		    S("install ca-certificates, or correct SSL_CERT_FILE or "
		      "SSL_CERT_DIR");
	}
	health_line_put(h, &line);
}

static void
health_late_put_sqlite(struct health *h)
{
	const char *version;
	bool ours = store_connect_sqlite(&version);
	struct health_line line = { .check = S("sqlite"),
		.ok = true,
		.note = !ours };

	line.say = str_fmt(h->call->arena, "SQLite %s%s", version,
	    ours ? "" : ", which is not the one emcli was compiled for");
	if (!ours)
		line.next = S("build emcli again");
	health_line_put(h, &line);
}

void
health_late(struct health *h, const struct source_health *v, size_t n)
{
	if (!health_line_operator(h->call))
		return;
	for (size_t i = 0; late_list[i].name.n > 0; i++)
		health_late_put_library(h, &late_list[i],
		    i == 0 && health_late_needs_web(v, n));
	health_late_put_authorities(h);
	health_late_put_sqlite(h);
}
