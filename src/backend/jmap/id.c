/* SPDX-License-Identifier: Apache-2.0 */
/* Ids, RFC 8620 section 1.2. */
#include "backend/jmap/internal.h"

bool
jmap_id_ok(struct str id)
{
	if (id.n == 0 || id.n > JMAP_ID)
		return false;
	/* More permissive than RFC 8620 section 1.2, because servers are. */
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i] <= ' ' || id.p[i] >= 0x7f || id.p[i] == '"' ||
		    id.p[i] == '\\')
			return false;
	return true;
}

bool
jmap_id(const struct json_value *v, const char *key, struct str *out)
{
	struct str s;

	if (!json_parse_str(json_parse_member(v, key), &s) || !jmap_id_ok(s))
		return false;
	*out = s;
	return true;
}
