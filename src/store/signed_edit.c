/* SPDX-License-Identifier: Apache-2.0 */
#include "base/limits.h"
#include "store/signed_rows.h"

void
signed_edit_put(struct store_signed *out, struct arena *a, struct str where,
    struct str what)
{
	if (out->n == LIMIT_EDITS) {
		out->more = true;
		return;
	}
	if (out->v == NULL)
		out->v = arena_array(a, LIMIT_EDITS, sizeof(*out->v));
	out->v[out->n++] = (struct store_edit){ where, what };
}
