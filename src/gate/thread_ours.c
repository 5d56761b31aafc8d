/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes messages that the account itself wrote. */
#include "gate/judge.h"
#include "gate/thread.h"
#include "mime/address.h"

/* Does it have a recipient who may write to the agent or be written to? */
static bool
thread_ours_goes_to_listed(struct arena *a, const struct policy_rules *r,
    const struct addresses *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct err none = { 0 };
		struct str addr;

		if (address_canonical(a, l->v[i].addr, &addr, &none) < 0)
			continue;
		if (policy_match_any(&r->in, addr) ||
		    policy_match_any(&r->in_dmarc, addr) ||
		    (r->out_on && policy_match_rcpt(&r->out, addr)))
			return true;
	}
	return false;
}

bool
thread_ours(const struct mailbox *m, struct arena *a, const struct mail *mail)
{
	const struct mime_envelope *v = &mail->env;
	struct policy_rules open = *m->rules;
	const struct policy_mail pm = judge_facts(mail);
	struct err none = { 0 };
	struct str us;

	if (!open.in_on || v->from_fields != 1 || v->from_sole.n == 0 ||
	    address_canonical(a, m->src->acct.from_addr, &us, &none) < 0 ||
	    !str_eq(us, v->from_sole))
		return false;
	open.in_on = false;
	return policy_sees(&open, &pm) &&
	    (thread_ours_goes_to_listed(a, m->rules, &v->to) ||
		thread_ours_goes_to_listed(a, m->rules, &v->cc));
}
