/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels that are keywords: a keyword is an atom (RFC 9051 section 9, RFC 8621
 * section 4.1.1), and one with "\\" or "$" first has a meaning of the protocol
 * or of a registry (RFC 5788).
 */
#include "backend/internal.h"
#include "base/limits.h"

bool
backend_label_is_keyword(struct str text)
{
	if (text.n == 0 || text.n > LIMIT_LABEL || text.p[0] == '$')
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] <= ' ' || text.p[i] > '~' ||
		    strchr("(){%*\"\\]", text.p[i]) != NULL)
			return false;
	return true;
}

int
backend_label_check(const struct flag_change *change, struct err *e)
{
	const struct strs *all[] = { &change->add, &change->drop };

	for (size_t i = 0; i < 2; i++) {
		if (all[i]->n > LIMIT_LABELS)
			return err_set(e, ERR_LIMIT,
			    "that is more labels than are changed at once");
		for (size_t k = 0; k < all[i]->n; k++)
			if (!backend_label_is_keyword(all[i]->v[k]))
				return err_set(e, ERR_USAGE,
				    "a label on this server is one word of "
				    "ASCII without ( ) { %% * \" \\ ] and "
				    "without $ before it");
	}
	return 0;
}
