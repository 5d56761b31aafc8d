/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that the operator may not intend: shown only to the operator. */
#include "base/clock.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "store/outbox.h"

enum {
	HELD_SHOWN = 1000,
	HELD_LATE_S = 3600 /* by now the operator should have seen it */
};

static void
health_policy_put_note(struct health *h, struct str account, const char *say,
    const char *next)
{
	struct arena *a = h->call->arena;
	const struct health_line line = {
		.account = account,
		.check = S("policy"),
		.ok = true,
		.note = true,
		.say = str_of(say),
		.next = str_fmt(a, "%s --account %.*s", next, STR_ARG(account)),
	};

	health_line_put(h, &line);
}

static int
health_policy_count_entries(struct health *h, int64_t id, size_t *in,
    size_t *out, struct err *e)
{
	struct store *s = h->call->gate->store;
	struct arena *a = h->call->arena;
	struct strs plain, dmarc, to;

	if (store_list_get(s, a, id, STORE_LIST_IN, &plain, e) < 0 ||
	    store_list_get(s, a, id, STORE_LIST_IN_DMARC, &dmarc, e) < 0 ||
	    store_list_get(s, a, id, STORE_LIST_OUT, &to, e) < 0)
		return -1;
	*in = plain.n + dmarc.n;
	*out = to.n;
	return 0;
}

static int
health_policy_look_account(struct health *h, const struct store_account *acct,
    struct err *e)
{
	bool writes = acct->mode == MODE_RW && acct->outbound != OUTBOUND_NONE;
	size_t in, out, before = h->n;

	if (health_policy_count_entries(h, acct->id, &in, &out, e) < 0)
		return -1;
	if (acct->in_on && in == 0)
		health_policy_put_note(h, acct->name,
		    "agents see no mail: whitelist in is on, and empty",
		    "list senders: emcli whitelist in add");
	if (writes && acct->out_on && out == 0)
		health_policy_put_note(h, acct->name,
		    "agents may write to nobody: whitelist out is on, and "
		    "empty",
		    "list recipients: emcli whitelist out add");
	if (writes && !acct->out_on && acct->outbound == OUTBOUND_SEND &&
	    !acct->scope_thread)
		health_policy_put_note(h, acct->name,
		    "agents may write to anybody without approval",
		    "list recipients and turn the list on: emcli whitelist "
		    "out on");
	if (h->n == before)
		health_line_put(h,
		    &(struct health_line){ .account = acct->name,
			.check = S("policy"),
			.ok = true,
			.say = S("no list is empty, and no door is open to "
				 "anybody") });
	return 0;
}

/* "message", "changes": what these are. */
static const char *
health_policy_kind(const struct store_outbox *v, size_t n)
{
	size_t changes = 0;

	for (size_t i = 0; i < n; i++)
		changes += v[i].change != NULL;
	if (changes == 0)
		return n == 1 ? "message" : "messages";
	if (changes < n)
		return "messages and changes of mail";
	return n == 1 ? "change of mail" : "changes of mail";
}

/* What has waited for long. */
static int
health_policy_look_held(struct health *h, const struct store_account *acct,
    struct err *e)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .account = acct->name,
		.check = S("approvals"),
		.ok = true,
		.note = true,
		.next = S("review them: emcli approve list") };
	struct store_outbox *v, *late;
	int64_t now = clock_now(), oldest = now;
	size_t n, gone;

	if (store_outbox_list(h->call->gate->store, a, acct->id,
		STORE_OUTBOX_EXPIRED, true, HELD_SHOWN, &late, &gone, e) < 0 ||
	    store_outbox_list(h->call->gate->store, a, acct->id,
		STORE_OUTBOX_HELD, true, HELD_SHOWN, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (v[i].created_s < oldest)
			oldest = v[i].created_s;
	if (n > 0 && now - oldest >= HELD_LATE_S)
		line.say = str_fmt(a,
		    "%zu %s wait%s for approval, the oldest for %lld hours, "
		    "and nobody looks",
		    n, health_policy_kind(v, n), n == 1 ? "s" : "",
		    (long long)((now - oldest) / 3600));
	else if (n > 0)
		line.say = str_fmt(a, "%zu %s wait%s for approval", n,
		    health_policy_kind(v, n), n == 1 ? "s" : "");
	else if (gone > 0)
		line.say = str_fmt(a,
		    "%zu %s expired before anybody had released or denied %s",
		    gone, health_policy_kind(late, gone),
		    gone == 1 ? "it" : "them");
	if (line.say.n > 0)
		health_line_put(h, &line);
	return 0;
}

void
health_policy_account(struct health *h, const struct store_account *acct)
{
	struct health_line line = { .account = acct->name,
		.check = S("policy") };
	struct err e = { 0 };

	if (!health_line_operator(h->call) ||
	    (health_policy_look_account(h, acct, &e) == 0 &&
		health_policy_look_held(h, acct, &e) == 0))
		return;
	line.say = str_dup(h->call->arena, str_of(e.say));
	health_line_put(h, &line);
}
