/* The content of one mailbox. */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

static int
view_reg(struct agentbox_root *r, struct str address, struct arena *a,
    struct agentbox_reg *out, struct err *e)
{
	int got = agentbox_register_find(r, address, a, out, e);

	if (got == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "the address has no active registration");
	return got < 0 ? -1 : 0;
}

int
agentbox_view_list(struct agentbox_root *r, struct str address,
    const struct agentbox_want *w, struct arena *a,
    struct agentbox_entries *out, size_t *total, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_reg reg;

	if (view_reg(r, address, a, &reg, e) < 0 ||
	    db_view_open(&d, r, &reg, e) < 0 ||
	    db_view_list(&d, &reg, w, a, out, e) < 0)
		return -1;
	return total == NULL ? 0 : db_view_count(&d, &reg, w, total, e);
}

int
agentbox_view_boxes(struct agentbox_root *r, struct str address,
    struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };
	struct agentbox_reg reg;

	*out = (struct strs){ 0 };
	str_push(a, out, S("inbox"));
	str_push(a, out, S("sent"));
	str_push(a, out, S("archive"));
	str_push(a, out, S("drafts"));
	if (view_reg(r, address, a, &reg, e) < 0 ||
	    db_view_open(&d, r, &reg, e) < 0)
		return -1;
	return db_view_boxes(&d, &reg, a, out, e);
}
