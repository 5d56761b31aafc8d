/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor's tests of a Gmail account: its address, and what can be read. */
#include "backend/gmail/internal.h"
#include "backend/internal.h"
#include "base/clock.h"

/* The failed step, which determines a source's reason. */
static const char *
step_of(enum err_kind kind)
{
	if (kind == ERR_NETWORK)
		return "gmail.api";
	return kind == ERR_LIMIT ? "gmail.quota" : "gmail.login";
}

/* The mailbox's address, for the operator only. */
static bool
gmail_probe_login(struct gmail *g, struct backend_steps *t)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	int64_t since = clock_mono_ms();
	struct gmail_ask q = {
		.target = S(GMAIL_ME "/profile?fields=emailAddress"),
	};
	struct str who = S("");
	struct err why = { 0 };
	int r = gmail_call_json(g, &q, &d, &why);

	if (r == 0 &&
	    !json_parse_str(json_parse_member(json_parse_root(d),
				"emailAddress"),
		&who))
		r = gmail_call_garbled(&why, "a profile without an address");
	if (r < 0)
		return backend_probe_step(t, step_of(why.kind), since, r, S(""),
		    &why);
	if (!str_eq_case(who, g->conn.acct->from)) {
		backend_probe_note(t->a, t->out, "gmail.login", since,
		    S("the token is valid, but for another address than the "
		      "account's"),
		    "check that the right Google account gave consent");
		return true;
	}
	return backend_probe_step(t, "gmail.login", since, 0,
	    S("the token is valid for the account's own address"), &why);
}

static bool
gmail_probe_inbox(struct gmail *g, struct backend_steps *t)
{
	int64_t since = clock_mono_ms();
	struct gmail_label label = { S("INBOX"), S("INBOX"), FOLDER_INBOX,
		false };
	struct gmail_list l = { .g = g, .a = t->a, .label = &label };
	struct strs ids = { 0 };
	struct err why = { 0 };
	int r = gmail_list_more(&l, 1, &ids, &why);

	/* Without the number: an agent must not count hidden mail. */
	return backend_probe_step(t, "gmail.list", since, r,
	    S("messages can be listed"), &why);
}

/* Is there mail of the account's list?  Otherwise it is not a source for it. */
static void
gmail_probe_subscription(struct gmail *g, struct backend_steps *t)
{
	int64_t since = clock_mono_ms();
	struct gmail_label every = { .id = S("") };
	const struct query q = { .list = g->conn.acct->list };
	struct gmail_list l = { .g = g,
		.a = t->a,
		.label = &every,
		.q = gmail_query_words(t->a, &q) };
	struct strs ids = { 0 };
	struct err why = { 0 };
	int r = gmail_list_more(&l, 1, &ids, &why);

	if (r == 0 && ids.n == 0) {
		r = err_set(&why, ERR_NOT_FOUND,
		    "there is no mail of the account's list");
		(void)err_hint(&why,
		    "check that the address is subscribed, and the spelling of "
		    "the list: emcli account edit --list");
	}
	(void)backend_probe_step(t, "gmail.subscription", since, r,
	    S("there is mail of the account's list"), &why);
}

static void
gmail_probe_folders(struct gmail *g, struct backend_steps *t)
{
	int64_t since = clock_mono_ms();
	struct folders f = { 0 };
	struct err why = { 0 };
	int r = gmail_label_folders(&g->conn, t->a, &f, &why);

	(void)backend_probe_step(t, "gmail.labels", since, r,
	    S("labels can be listed"), &why);
}

void
gmail_probe(struct gmail *g, struct arena *a, struct probes *out)
{
	struct backend_steps t = { .a = a, .out = out };

	if (!gmail_probe_login(g, &t) || !gmail_probe_inbox(g, &t))
		return;
	gmail_probe_folders(g, &t);
	if (g->conn.acct->list.n > 0)
		gmail_probe_subscription(g, &t);
}
