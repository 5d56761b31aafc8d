/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the header show that a message is from a mailing list?  The list is an
 * addr-spec; its List-Id (RFC 2919) is by convention the same with a dot.  If
 * there is a List-Id, only that counts.
 */
#include "backend/internal.h"

struct str
backend_list_id(struct arena *a, struct str list)
{
	char *p = arena_alloc(a, list.n);

	for (size_t i = 0; i < list.n; i++)
		p[i] = (char)(list.p[i] == '@' ? '.' : list.p[i]);
	return (struct str){ p, list.n };
}

bool
backend_list_has(struct arena *a, const struct mime_header *h, struct str list)
{
	static const char *const by_address[] = { "To", "Cc", "List-Post" };
	struct str id = backend_list_id(a, list);
	const struct mime_field *f;

	for (size_t i = 0; (f = mime_header_get(h, "List-Id", i)) != NULL; i++)
		if (str_find_case(f->value, id) >= 0)
			return true;
	if (mime_header_count(h, "List-Id") > 0)
		return false;
	for (size_t k = 0; k < sizeof(by_address) / sizeof(by_address[0]); k++)
		for (size_t i = 0;
		     (f = mime_header_get(h, by_address[k], i)) != NULL; i++)
			if (str_find_case(f->value, list) >= 0)
				return true;
	return false;
}
