/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor's lines: does the archive answer, and accept the session? */
#include "backend/ponymail/internal.h"
#include "base/clock.h"

static void
ponymail_probe_try_session(struct pony *p, struct arena *a, struct probes *out)
{
	int64_t since = clock_mono_ms();
	struct err e = { 0 };

	if (!ponymail_session_is_there(p->conn.acct)) {
		backend_probe_note(a, out, "ponymail.session", since,
		    S("no session: public lists only"), NULL);
		return;
	}
	if (ponymail_session_check(p, &e) < 0)
		backend_probe_fail(a, out, "ponymail.login", since, &e);
	else if (p->conn.acct->list.n == 0)
		backend_probe_note(a, out, "ponymail.login", since,
		    S("the archive accepts the session, but it opens no list"),
		    "the session is sent only for the account's own list: "
		    "emcli account edit --list");
	else
		backend_probe_add(a, out, "ponymail.login", true, since,
		    S("the archive accepts the session"));
}

/* Is the account's own list visible?  One request. */
static void
ponymail_probe_try_list(struct pony *p, struct arena *a, struct probes *out)
{
	int64_t since = clock_mono_ms();
	struct pony_list *l = &p->list;
	struct err e = { 0 };
	int r;

	l->a = arena_open(LIMIT_ARENA);
	l->folder = str_dup(l->a, p->conn.acct->list);
	ponymail_session_for(p, l->folder);
	if (!ponymail_folder_cut(l->folder, &l->name, &l->domain))
		r = ponymail_folder_absent(&e);
	else
		r = ponymail_stats_months(p, l, ponymail_date_of(clock_now()),
		    &e);
	if (r < 0)
		backend_probe_fail(a, out, "ponymail.list", since, &e);
	else
		backend_probe_add(a, out, "ponymail.list", true, since,
		    S("the account's list can be read"));
	ponymail_list_close(l);
}

void
ponymail_probe(struct pony *p, struct arena *a, struct probes *out)
{
	int64_t since = clock_mono_ms();
	struct json_doc *d = NULL;
	struct err e = { 0 };
	int found = ponymail_call_json(p, PONY_PREFERENCES, S(""), &d, &e);

	if (found == 0)
		(void)err_set(&e, ERR_CONFIG,
		    "there is no Pony Mail archive at this address");
	json_parse_close(&d);
	if (found <= 0) {
		backend_probe_fail(a, out, "ponymail.api", since, &e);
		return;
	}
	backend_probe_add(a, out, "ponymail.api", true, since,
	    S("the archive answers"));
	ponymail_probe_try_session(p, a, out);
	if (p->conn.acct->list.n > 0)
		ponymail_probe_try_list(p, a, out);
}
