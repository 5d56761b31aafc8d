/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The person whom a caller asks, such as the one at the terminal of `emcli
 * ask`: before anything is sent, and before many messages are changed.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/freeze.h"
#include "gate/internal.h"
#include "gate/mailbox.h"
#include "gate/rules.h"
#include "source/source.h"

/* As long as the person takes, the time of the call does not run. */
static int
gate_consent_ask(const struct call *c, const struct gate_act *act,
    struct err *e)
{
	const int r = c->gate->caller.consent(act, e);

	store_until(c->gate->store, clock_mono_ms() + LIMIT_TIMEOUT_MS);
	return r;
}

int
gate_consent(struct call *c, const struct args *shown, struct err *e)
{
	const struct gate_caller *who = &c->gate->caller;
	const struct gate_act act = { .op = c->op, .args = shown };

	if (c->op->effect != EFFECT_SEND || who->consent == NULL ||
	    args_given(shown, "dry_run"))
		return 0;
	return gate_consent_ask(c, &act, e);
}

/* What the operator has changed meanwhile holds; which messages were found by
 * their subjects stays. */
static int
gate_consent_rules(struct call *c, struct err *e)
{
	struct policy_rules *now = arena_new(c->arena, struct policy_rules);
	struct mailbox *m = c->mailbox;
	struct store_account acct;

	if (store_account_of(c->gate->store, c->arena, m->src->acct.id, &acct,
		e) < 0 ||
	    rules_load(c->gate->store, c->arena, &acct, now, e) < 0)
		return -1;
	rules_close(now);
	now->subject = m->rules->subject;
	m->rules = now;
	return 0;
}

/* The answer took as long as it took: what was frozen or forbidden meanwhile
 * stays so. */
static int
gate_consent_go_on(struct call *c, struct err *e)
{
	int64_t timeout;

	if (gate_freeze_check(c->gate, e) < 0 || gate_consent_rules(c, e) < 0 ||
	    store_setting_timeout(c->gate->store, &timeout, e) < 0)
		return -1;
	c->mailbox->src->view.deadline_ms = clock_mono_ms() + timeout;
	store_until(c->gate->store, c->mailbox->src->view.deadline_ms);
	return 0;
}

int
gate_consent_change(struct call *c, const struct mails *l, struct err *e)
{
	const struct gate_caller *who = &c->gate->caller;
	struct strs some = { 0 };
	struct gate_act act = { .op = c->op, .args = c->args };

	if (who->consent == NULL || l->n <= LIMIT_ORGANISE_UNASKED)
		return 0;
	for (size_t i = 0; i < l->n && i < LIMIT_ORGANISE_UNASKED; i++)
		str_push(c->arena, &some, l->v[i].env.subject);
	act.messages = l->n;
	act.some = &some;
	return gate_consent_ask(c, &act, e) < 0 ? -1 : gate_consent_go_on(c, e);
}
