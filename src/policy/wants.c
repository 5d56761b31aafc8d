/* SPDX-License-Identifier: Apache-2.0 */
/* Is it worthwhile to authenticate the sender of a message? */
#include "policy/policy.h"

bool
policy_wants_auth(const struct policy_rules *r, const struct policy_mail *m)
{
	struct policy_mail vouched = *m;

	if (m->auth != SENDER_UNCHECKED || policy_sees(r, m))
		return false;
	vouched.auth = SENDER_PASS;
	return policy_sees(r, &vouched);
}
