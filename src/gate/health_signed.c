/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes made without emcli to the audit log and the operator's rows.  Only a
 * holder of the operator's key can detect them.
 */
#include "gate/health_report.h"
#include "gate/internal.h"
#include "gate/notice.h"
#include "store/audit.h"
#include "store/signed.h"

static void
health_signed_put_taken(struct health *h, const struct store *s)
{
	struct store_taken t;
	struct health_line line = { .check = S("signed"),
		.ok = true,
		.note = true };

	if (!store_signed_taken(s, &t))
		return;
	line.say = str_fmt(h->call->arena,
	    "the database was older than signatures over accounts and policy: "
	    "%lld accounts, %lld whitelist entries and %lld agents were signed "
	    "as they are",
	    (long long)t.accounts, (long long)t.entries, (long long)t.agents);
	line.next = S("look at them once; emcli key rotate --admin makes it "
		      "final");
	health_line_put(h, &line);
}

static int
health_signed_put_log(struct health *h, struct store *s, struct err *e)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("audit") };
	struct store_chain v;

	if (store_chain_verify(s, a, &v, e) < 0)
		return -1;
	notice_audit(s, v.whole, false);
	line.ok = v.whole;
	if (v.whole) {
		line.say = str_fmt(a, "the audit log is intact: %lld rows",
		    (long long)v.rows);
	} else {
		line.say = str_fmt(a, "the audit log was tampered with: %.*s",
		    STR_ARG(v.why));
		line.next = S("see emcli audit verify");
	}
	health_line_put(h, &line);
	return 0;
}

static int
health_signed_put_rows(struct health *h, struct store *s, struct err *e)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("signed") };
	struct store_signed v;

	if (store_signed_check(s, a, &v, e) < 0)
		return -1;
	notice_audit(s, v.n == 0, false);
	for (size_t i = 0; i < v.n; i++) {
		line.say = str_fmt(a, "changed without emcli: %.*s: %.*s",
		    STR_ARG(v.v[i].where), STR_ARG(v.v[i].what));
		line.next =
		    S("undo it with emcli's commands, or sign it: emcli "
		      "audit accept");
		health_line_put(h, &line);
	}
	if (v.n > 0)
		return 0;
	line.ok = true;
	line.say = S("accounts, policy and settings are as emcli wrote them");
	health_line_put(h, &line);
	return 0;
}

void
health_signed(struct health *h)
{
	const struct env *env = h->call->gate->env;
	struct store_keys keys = { env->admin_key, env->agent_key };
	CLEANUP(store_close) struct store *s = NULL;
	struct health_line line = { .check = S("signed") };
	struct err e = { 0 };

	if (!health_line_operator(h->call))
		return;
	if (store_enter(env->db, STORE_ADMIN, &keys, &s, &e) == 0) {
		health_signed_put_taken(h, s);
		if (health_signed_put_log(h, s, &e) == 0 &&
		    health_signed_put_rows(h, s, &e) == 0)
			return;
	}
	line.say = str_fmt(h->call->arena,
	    "it cannot be looked at whether rows were changed: %s", e.say);
	line.detail = str_dup(h->call->arena, str_of(e.detail));
	health_line_put(h, &line);
}
