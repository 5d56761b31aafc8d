/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Releases a held message for the operator: the same bytes, to the same
 * recipients, with the account and the policy of the original judgement, once.
 * The store may have been changed since, so everything is judged again and
 * compared with a digest that is computed here.
 */
#include "base/clock.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "gate/rules.h"
#include "store/journal.h"

int
outbox_release_changed(struct err *e, const char *what)
{
	(void)err_set(e, ERR_POLICY,
	    "refused by policy: the message has changed since it was held");
	e->reason = "changed";
	return err_because(e, "changed: %s", what);
}

int
outbox_release_digest(struct store *s, struct arena *a,
    const struct store_outbox *row, struct store_account *acct,
    struct str *digest, struct err *e)
{
	if (store_account_of(s, a, row->account, acct, e) < 0)
		return -1;
	*digest = outbox_digest_row(a, acct->name, row);
	if (row->message.n == 0)
		return outbox_release_changed(e, "there are no bytes");
	if (!str_eq(*digest, row->digest))
		return outbox_release_changed(e, "digest");
	return 0;
}

/* The envelope, parsed as strictly as when it was given. */
static int
outbox_release_read_envelope(struct arena *a, const struct store_account *acct,
    const struct store_outbox *row, struct strs *judged, struct err *e)
{
	struct str wire, canonical;
	bool utf8 = false;

	if (address_wire(a, acct->from_addr, &wire, &utf8, e) < 0)
		return -1;
	if (!str_eq(wire, row->sender))
		return outbox_release_changed(e, "sender");
	for (size_t i = 0; i < row->n; i++) {
		struct str there = row->rcpt[i].address;

		if (address_wire(a, there, &wire, &utf8, e) < 0 ||
		    address_canonical(a, there, &canonical, e) < 0 ||
		    !str_eq(wire, there) ||
		    !str_eq(canonical, row->rcpt[i].canonical))
			return outbox_release_changed(e, "recipients");
		str_push(a, judged, canonical);
	}
	return 0;
}

/* Does policy, which must be unchanged, still allow it? */
static int
outbox_release_judge(struct store *s, struct arena *a,
    const struct store_account *acct, const struct store_outbox *row,
    struct err *e)
{
	CLEANUP(rules_close) struct policy_rules rules = { 0 };
	struct policy_facts f = { .effect = EFFECT_SEND };
	struct decision d;

	if (rules_load(s, a, acct, &rules, e) < 0)
		return -1;
	if (!outbox_digest_policy_is(a, acct, &rules, row->policy))
		return outbox_release_changed(e, "policy");
	if (outbox_release_read_envelope(a, acct, row, &f.to, e) < 0)
		return -1;
	d = policy_decide(&rules, &f);
	if (d.verdict == VERDICT_ALLOW || d.verdict == VERDICT_ASK)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
	e->reason = d.why;
	return -1;
}

static int
outbox_release_dispatch(struct store *s, struct arena *a, struct str account,
    struct store_outbox *row, struct sent *out, struct err *e)
{
	CLEANUP(source_done) struct source src = { 0 };
	struct outbox_post post = { .store = s, .src = &src, .arena = a };
	int64_t timeout;

	if (store_setting_timeout(s, &timeout, e) < 0 ||
	    source_resolve(s, a, account, clock_mono_ms() + timeout, &src, e) <
		0)
		return -1;
	source_wire(&src, a);
	if (src.submitter == NULL)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account has nothing to send with");
	/* Once, however many processes try at the same time. */
	if (store_outbox_release(s, row->id, row->digest, clock_now(), e) < 0)
		return -1;
	row->state = STORE_OUTBOX_SENDING;
	return outbox_dispatch(&post, row, out, e);
}

/* The folders that a change names; Gmail's labels are folders too. */
static void
outbox_release_folders(struct arena *a, const struct store_account *acct,
    const struct store_journal *what, struct strs *out)
{
	if (what->folder.n > 0)
		str_push(a, out, what->folder);
	if (what->target.n > 0)
		str_push(a, out, what->target);
	if (!str_eq(acct->backend, S("gmail")))
		return;
	for (size_t i = 0; i < what->add.n; i++)
		str_push(a, out, what->add.v[i]);
	for (size_t i = 0; i < what->drop.n; i++)
		str_push(a, out, what->drop.v[i]);
}

/* A change of mail is judged by the policy of the day of its release. */
static int
outbox_release_judge_change(struct store *s, struct arena *a,
    const struct store_account *acct, const struct store_journal *what,
    struct err *e)
{
	CLEANUP(rules_close) struct policy_rules rules = { 0 };
	struct policy_facts f = { .effect = EFFECT_ORGANISE };
	struct decision d;

	if (rules_load(s, a, acct, &rules, e) < 0)
		return -1;
	outbox_release_folders(a, acct, what, &f.folders);
	d = policy_decide(&rules, &f);
	if (d.verdict == VERDICT_ALLOW || d.verdict == VERDICT_ASK)
		return 0;
	return err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
}

int
outbox_release_stands(struct store *s, struct arena *a, int64_t id,
    struct err *e)
{
	struct store_account acct = { 0 };
	struct store_outbox row = { 0 };
	struct str unused;
	int r;

	if (store_outbox_get(s, a, id, &row, e) < 0)
		return -1;
	r = outbox_release_digest(s, a, &row, &acct, &unused, e);
	if (r == 0)
		r = row.change != NULL
		    ? outbox_release_judge_change(s, a, &acct, row.change, e)
		    : outbox_release_judge(s, a, &acct, &row, e);
	if (r < 0 && e->kind != ERR_POLICY && e->kind != ERR_USAGE)
		return -1;
	*e = (struct err){ 0 };
	return r == 0;
}

int
outbox_release(struct store *s, struct arena *a, int64_t id, struct str digest,
    struct sent *out, struct err *e)
{
	struct store_account acct = { 0 };
	struct store_outbox row = { 0 };
	struct str found;

	*out = (struct sent){ 0 };
	if (store_outbox_get(s, a, id, &row, e) < 0)
		return -1;
	if (row.change != NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "no such message waits for approval: it is a change");
	if (row.state != STORE_OUTBOX_HELD)
		return err_set(e, ERR_NOT_FOUND,
		    "no such message waits for approval: it is %s",
		    store_outbox_word(row.state));
	if (outbox_release_digest(s, a, &row, &acct, &found, e) < 0)
		return -1;
	if (!str_eq(found, digest))
		return outbox_release_changed(e,
		    "it is not the digest that was approved");
	if (outbox_release_judge(s, a, &acct, &row, e) < 0)
		return -1;
	return outbox_release_dispatch(s, a, acct.name, &row, out, e);
}
