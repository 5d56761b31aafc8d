/* SPDX-License-Identifier: Apache-2.0 */
/* The content of one mailbox. */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

int
agentbox_view_list(struct agentbox_root *r, struct str address,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, size_t *total, struct err *e)
{
	const struct agentbox_reg *reg;
	struct db *d = db_read(r, address, &reg, e);

	if (d == NULL || db_view_list(d, reg, w, a, out, e) < 0)
		return -1;
	return total == NULL ? 0 : db_view_count(d, reg, w, total, e);
}

int
agentbox_view_boxes(struct agentbox_root *r, struct str address,
    struct arena *a, struct strs *out, struct err *e)
{
	const struct agentbox_reg *reg;
	struct db *d = db_read(r, address, &reg, e);

	*out = (struct strs){ 0 };
	str_push(a, out, S("inbox"));
	str_push(a, out, S("sent"));
	str_push(a, out, S("archive"));
	str_push(a, out, S("drafts"));
	return d == NULL ? -1 : db_view_boxes(d, reg, a, out, e);
}
