/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a message exists for this agent: whitelist_in and the subject
 * rule.  Parsers disagree which of two From fields wins, so none is chosen:
 * with the whitelist on there must be exactly one, parsed strictly.
 */
#include "policy/policy.h"

static bool
policy_sees_sender_listed(const struct policy_rules *r,
    const struct policy_mail *m)
{
	if (m->from_fields != 1 || m->from.n == 0)
		return false;
	if (policy_match_any(&r->in, m->from))
		return true;
	return m->auth == SENDER_PASS &&
	    policy_match_any(&r->in_dmarc, m->from);
}

/* A partial subject proves nothing: the rest could decide otherwise. */
static bool
subject_fits(const struct policy_rules *r, const struct policy_mail *m)
{
	if (m->subject_cut)
		return false;
	return policy_regex_match(r->subject, m->subject);
}

bool
policy_sees(const struct policy_rules *r, const struct policy_mail *m)
{
	if (r->in_on && !policy_sees_sender_listed(r, m))
		return false;
	if (r->subject != NULL && !subject_fits(r, m))
		return false;
	return true;
}
