/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares addresses with whitelist entries.  Both are already canonical, so
 * equal bytes are equal addresses; ASCII case is still ignored as a second line
 * of defence.  (In RFC 5321 section 2.4 the case of a local part matters; in
 * the operator's lists it does not.)
 */
#include "policy/policy.h"

/*
 * The last "@" separates them (RFC 5322 3.4.1): a quoted local part may contain
 * one.
 */
static bool
policy_match_last_at(struct str addr, size_t *at)
{
	for (size_t i = addr.n; i > 0; i--) {
		if (addr.p[i - 1] == '@') {
			*at = i - 1;
			return true;
		}
	}
	return false;
}

bool
policy_match_entry(struct str entry, struct str addr)
{
	size_t at;

	/* An address has both parts; anything else matches nothing. */
	if (!policy_match_last_at(addr, &at) || at == 0 || at + 1 == addr.n)
		return false;
	if (entry.n == 0)
		return false;
	if (entry.p[0] != '@')
		return str_eq_case(entry, addr);
	/*
	 * The whole domain: no sub-domain, and no longer name with the same
	 * end.
	 */
	return str_eq_case(entry, str_from(addr, at));
}

bool
policy_match_rcpt(const struct strs *entries, struct str addr)
{
	size_t at, i = 0;
	bool routed = false;

	if (!policy_match_last_at(addr, &at))
		return false;
	for (; i < at; i++)
		routed = routed || addr.p[i] == '@' || addr.p[i] == '%' ||
		    addr.p[i] == '!';
	if (!routed)
		return policy_match_any(entries, addr);
	for (i = 0; i < entries->n; i++)
		if (entries->v[i].n > 0 && entries->v[i].p[0] != '@' &&
		    policy_match_entry(entries->v[i], addr))
			return true;
	return false;
}

bool
policy_match_any(const struct strs *entries, struct str addr)
{
	for (size_t i = 0; i < entries->n; i++)
		if (policy_match_entry(entries->v[i], addr))
			return true;
	return false;
}

bool
policy_match_folder(const struct strs *entries, struct str folder)
{
	bool inbox = str_eq_case(folder, S("INBOX"));

	for (size_t i = 0; i < entries->n; i++)
		if (str_eq(entries->v[i], folder) ||
		    (inbox && str_eq_case(entries->v[i], folder)))
			return true;
	return false;
}
