/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changed in a box, at the cost of the changes.  A listing is a mark: how
 * far the rows of each table went.  What stands behind the mark is looked at
 * again; what cannot be told from it (another file, an earlier row that is not
 * the same, a message marked as deleted) needs a scan.
 */
#include "backend/agentbox/contract.h"
#include "backend/agentbox/db.h"

enum {
	CHANGES = 500,     /* ids that are looked at one by one */
	OF_OTHERS = 10000, /* rows of others that a mark may leave behind */
};

/* "1.4711.4712.7.<same>.<last>". */
static struct str
changes_text(struct arena *a, const struct db_mark *m)
{
	return str_fmt(a, "1.%lld.%lld.%lld.%.*s.%.*s", (long long)m->state,
	    (long long)m->projection, (long long)m->moved, STR_ARG(m->same),
	    STR_ARG(m->last));
}

static bool
changes_number(struct str *rest, int64_t *out)
{
	struct str word;
	uint64_t n;

	if (!str_cut(*rest, '.', &word, rest) ||
	    !str_to_u64(word, INT64_MAX, &n))
		return false;
	*out = (int64_t)n;
	return true;
}

static bool
changes_mark(struct str text, struct db_mark *out)
{
	int64_t version;

	*out = (struct db_mark){ 0 };
	return changes_number(&text, &version) && version == 1 &&
	    changes_number(&text, &out->state) &&
	    changes_number(&text, &out->projection) &&
	    changes_number(&text, &out->moved) &&
	    str_cut(text, '.', &out->same, &out->last);
}

/* Of this box, in the order that they came in; `ids` NULL: all. */
static int
changes_list(struct agentbox *b, struct arena *a, struct str box,
    const struct strs *ids, struct strs *out, struct err *e)
{
	const struct agentbox_want want = {
		.box = box,
		.ids = ids,
		.deleted = AGENTBOX_NO,
	};
	struct agentbox_entries l;

	*out = (struct strs){ 0 };
	if (agentbox_read_newest(b, a, &want, &l, e) < 0)
		return -1;
	for (size_t i = l.n; i-- > 0;)
		str_push(a, out, l.v[i].id);
	return 0;
}

static int
changes_now(struct agentbox *b, struct arena *a, struct db **d,
    const struct agentbox_reg **reg, struct db_mark *now, struct err *e)
{
	*d = db_read(b->root, b->reg.address, reg, e);
	return *d == NULL ? -1 : db_change_mark(*d, b->root, *reg, a, now, e);
}

int
agentbox_changes_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	const struct agentbox_reg *reg;
	struct db_mark now;
	struct str box;
	struct db *d;

	*ids = (struct strs){ 0 };
	/* The mark is read first, so that what comes meanwhile is after it. */
	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, folder, &box, e) < 0 ||
	    changes_now(b, a, &d, &reg, &now, e) < 0 ||
	    changes_list(b, a, box, NULL, ids, e) < 0)
		return -1;
	*st = (struct folder_state){ .exists = (uint32_t)ids->n,
		.listing = changes_text(a, &now) };
	return 0;
}

/* Can it be told from the mark? */
static int
changes_are_known(struct db *d, const struct db_mark *was,
    const struct db_mark *now, struct arena *a, struct err *e)
{
	struct str last;

	if (!str_eq(was->same, now->same) || was->state > now->state ||
	    was->projection > now->projection || was->moved > now->moved)
		return 0;
	if (db_change_last(d, was, a, &last, e) < 0)
		return -1;
	return str_eq(was->last, last);
}

int
agentbox_changes(struct conn *c, struct arena *a, struct str folder,
    struct str since, struct folder_state *st, struct strs *came,
    struct strs *gone, struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	const struct agentbox_reg *reg;
	struct db_mark was, now;
	struct strs ids = { 0 };
	struct str box;
	struct db *d;
	int r;

	*came = *gone = (struct strs){ 0 };
	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, folder, &box, e) < 0 ||
	    changes_now(b, a, &d, &reg, &now, e) < 0)
		return -1;
	if (!changes_mark(since, &was))
		return 0;
	r = changes_are_known(d, &was, &now, a, e);
	if (r <= 0 || db_change_ids(d, reg, &was, CHANGES + 1, a, &ids, e) < 0)
		return r <= 0 ? r : -1;
	if (ids.n > CHANGES || changes_list(b, a, box, &ids, came, e) < 0)
		return ids.n > CHANGES ? 0 : -1;
	for (size_t i = 0; i < ids.n; i++)
		if (!str_among(came, ids.v[i]))
			str_push(a, gone, ids.v[i]);
	*st = (struct folder_state){ 0 };
	st->listing = ids.n > 0 || now.projection - was.projection > OF_OTHERS
	    ? changes_text(a, &now)
	    : since;
	return 1;
}
