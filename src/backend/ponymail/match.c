/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a message match a query?  The list needs no check: every message of the
 * archive belongs to one.
 */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"

bool
ponymail_match(struct arena *a, struct str raw, const struct query *q)
{
	struct mime_header h;

	mime_header_parse(a, raw, &h);
	if (!backend_match_date(&h, q) || !backend_match_fields(a, &h, q))
		return false;
	return backend_match_head(a, &h, q->text) ||
	    backend_match_body(a, raw, q->text);
}
