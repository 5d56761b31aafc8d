/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doctor's tests of an account, one step per line: the name, the server and its
 * answer, the login, the folders, whether it can send.  Ignores the cache.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"

/* One request tests the server and the login. */
static bool
jmap_probe_reach(struct jmap *j, struct backend_steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };

	if (jmap_session_need(j, &why) == 0) {
		backend_probe_add(t->a, t->out, "jmap.tcp", true, since,
		    S("a JMAP server answers"));
		backend_probe_add(t->a, t->out, "jmap.login", true, since,
		    S("the server accepted the credentials"));
		return true;
	}
	backend_probe_fail(t->a, t->out,
	    why.kind == ERR_AUTH          ? "jmap.login"
		: why.kind == ERR_NETWORK ? "jmap.tcp"
					  : "jmap.account",
	    since, &why);
	return false;
}

static void
jmap_probe_list(struct jmap *j, struct backend_steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	struct buf b;
	size_t n = 0;

	if (jmap_folder_need(j, &why) < 0) {
		backend_probe_fail(t->a, t->out, "jmap.folders", since, &why);
		return;
	}
	buf_init(&b, t->a, 4096);
	for (size_t i = 0; i < j->boxes.n; i++) {
		const struct jmap_box *box = &j->boxes.v[i];

		n += box->path.n > 0;
		if (box->path.n > 0 && box->role != FOLDER_PLAIN)
			buf_fmt(&b, ", %s: %.*s", backend_role_name(box->role),
			    STR_ARG(utf8_first(box->path, 60)));
	}
	backend_probe_add(t->a, t->out, "jmap.folders", true, since,
	    str_fmt(t->a, "%zu folders%.*s", n, STR_ARG(buf_view(&b))));
	if (j->boxes.n > n)
		backend_probe_note(t->a, t->out, "jmap.folders", since,
		    S("folders with the name of another folder are not shown"),
		    NULL);
	if (j->session.sender.n == 0)
		backend_probe_note(t->a, t->out, "jmap.submission", since,
		    S("the server sends no mail for this login"), NULL);
}

void
jmap_probe(struct jmap *j, struct arena *a, struct probes *out)
{
	struct backend_steps t = { a, out };
	struct wire_target target = {
		.deadline_ms = j->conn.acct->deadline_ms,
	};

	j->refreshed = true;
	if (jmap_url_target(a, j->base, &target) &&
	    backend_probe_name(&t, "jmap.dns", &target) &&
	    jmap_probe_reach(j, &t))
		jmap_probe_list(j, &t);
}
