/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether an act may be done: a freeze, mode, outbound level, organise,
 * whitelist_out.
 * The first rule that refuses names itself; nobody is asked to approve what is
 * refused.
 */
#include "policy/policy.h"

static struct decision
policy_decide_deny(const char *why)
{
	return (struct decision){ VERDICT_DENY, why };
}

/* One recipient outside the whitelist stops the whole message. */
static bool
policy_decide_all_listed(const struct policy_rules *r, const struct strs *to)
{
	for (size_t i = 0; i < to->n; i++)
		if (!policy_match_rcpt(&r->out, to->v[i]))
			return false;
	return true;
}

static struct decision
decide_send(const struct policy_rules *r, const struct policy_facts *f)
{
	/* Not "!= RO": an invalid mode must refuse too. */
	if (r->mode != MODE_RW)
		return policy_decide_deny("ro_mode");
	if (r->outbound != OUTBOUND_SEND && r->outbound != OUTBOUND_APPROVE)
		return policy_decide_deny("draft_only");
	if (f->forwards && !r->forward)
		return policy_decide_deny("forward_off");
	if (f->to.n == 0 && !f->later)
		return policy_decide_deny("no_recipients");
	if (r->out_on && !policy_decide_all_listed(r, &f->to))
		return policy_decide_deny("whitelist_out");
	if (r->outbound == OUTBOUND_APPROVE)
		return (struct decision){ VERDICT_ASK, "approval" };
	return (struct decision){ VERDICT_ALLOW, "" };
}

/*
 * A draft stays until a person sends it: so only level none refuses it, and its
 * recipients are checked against the list as if it were sent.  They may be
 * known only later; then policy is asked again.
 */
static struct decision
decide_draft(const struct policy_rules *r, const struct policy_facts *f)
{
	if (r->mode != MODE_RW)
		return policy_decide_deny("ro_mode");
	if (r->outbound != OUTBOUND_DRAFT && r->outbound != OUTBOUND_APPROVE &&
	    r->outbound != OUTBOUND_SEND)
		return policy_decide_deny("no_outbound");
	if (r->out_on && !policy_decide_all_listed(r, &f->to))
		return policy_decide_deny("whitelist_out");
	return (struct decision){ VERDICT_ALLOW, "" };
}

/* One folder outside the list stops the whole change. */
static bool
policy_decide_all_inside(const struct policy_rules *r,
    const struct strs *folders)
{
	for (size_t i = 0; r->folders.n > 0 && i < folders->n; i++)
		if (!policy_match_folder(&r->folders, folders->v[i]))
			return false;
	return true;
}

/* What is hidden is not asked about here: the gate finds none of it. */
static struct decision
decide_organise(const struct policy_rules *r, const struct policy_facts *f)
{
	if (r->mode != MODE_RW)
		return policy_decide_deny("ro_mode");
	if (r->organise != ORGANISE_ON && r->organise != ORGANISE_APPROVE)
		return policy_decide_deny("organise_off");
	if (!policy_decide_all_inside(r, &f->folders))
		return policy_decide_deny("organise_folders");
	if (r->organise == ORGANISE_APPROVE)
		return (struct decision){ VERDICT_ASK, "approval" };
	return (struct decision){ VERDICT_ALLOW, "" };
}

struct decision
policy_decide(const struct policy_rules *r, const struct policy_facts *f)
{
	if (f->frozen)
		return policy_decide_deny("frozen");
	switch (f->effect) {
	case EFFECT_READ:
	case EFFECT_STATE:
		return (struct decision){ VERDICT_ALLOW, "" };
	case EFFECT_DRAFT:
		return decide_draft(r, f);
	case EFFECT_SEND:
		return decide_send(r, f);
	case EFFECT_ORGANISE:
		return decide_organise(r, f);
	case EFFECT_OPERATE:
		return policy_decide_deny("operator_only");
	}
	return policy_decide_deny("ro_mode");
}
