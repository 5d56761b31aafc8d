/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into another folder: the label of the one goes, and that of the other comes.
 * All Mail has none, so out of INBOX into it is archiving; "archive" means that
 * where no label has the name.  Trash and spam hide every other label: what is
 * moved out of them is again where it was, too.  Ids stay.
 */
#include "backend/gmail/change.h"

/* Which labels messages can be moved into and out of. */
enum place {
	MOVABLE,
	EVERYTHING, /* no label */
	HIDING,     /* TRASH, SPAM */
	FIXED,      /* only Gmail gives and takes it: SENT, DRAFT */
	STATE,      /* no place: STARRED, IMPORTANT */
};

static const enum place places[] = {
	[FOLDER_ALL] = EVERYTHING,
	[FOLDER_TRASH] = HIDING,
	[FOLDER_JUNK] = HIDING,
	[FOLDER_SENT] = FIXED,
	[FOLDER_DRAFTS] = FIXED,
	[FOLDER_FLAGGED] = STATE,
	[FOLDER_IMPORTANT] = STATE,
};

static int
gmail_move_refuse(struct err *e)
{
	(void)err_set(e, ERR_UNSUPPORTED,
	    "Gmail itself decides which messages are in that folder");
	return err_hint(e,
	    "move messages from and to INBOX, TRASH, SPAM, All Mail or a label "
	    "of the account");
}

static void
gmail_move_take(struct arena *a, struct gmail_change *w, struct str id,
    struct str to)
{
	if (!str_eq(id, to) && !str_among(&w->remove, id))
		str_push(a, &w->remove, id);
}

void
gmail_move_fill(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, struct gmail_change *w)
{
	enum place out = from != NULL ? places[from->role] : HIDING;
	enum place in = places[to->role];

	if (in == FIXED)
		w->must = to->id;
	else if (in == MOVABLE || in == HIDING)
		str_push(a, &w->add, to->id);
	if (from != NULL && (out == MOVABLE || out == HIDING))
		gmail_move_take(a, w, from->id, to->id);
	if (from == NULL || in == HIDING) {
		gmail_move_take(a, w, S("INBOX"), to->id);
		gmail_move_take(a, w, S("TRASH"), to->id);
		gmail_move_take(a, w, S("SPAM"), to->id);
	}
}

int
gmail_move_plan(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, struct gmail_change *w, struct err *e)
{
	enum place out = from != NULL ? places[from->role] : HIDING;
	enum place in = places[to->role];

	if (in == STATE || (in == FIXED && out != HIDING) ||
	    (in != HIDING && (out == STATE || out == FIXED)))
		return gmail_move_refuse(e);
	gmail_move_fill(a, from, to, w);
	return 0;
}

int
gmail_move_target(struct gmail *g, struct arena *a, struct str name,
    struct gmail_label *out, struct err *e)
{
	if (gmail_label_find(g, a, name, out, e) == 0)
		return 0;
	if (e->kind != ERR_NOT_FOUND || !str_eq(name, S("archive")))
		return -1;
	*e = (struct err){ 0 };
	return gmail_label_find(g, a, GMAIL_ALL_MAIL, out, e);
}

int
gmail_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	struct gmail *g = (struct gmail *)c;
	struct gmail_change w = { .folder = folder, .refs = refs };
	struct gmail_label source, target;
	const struct gmail_label *from = folder.n > 0 ? &source : NULL;

	(void)by;
	if ((from != NULL && gmail_label_find(g, a, folder, &source, e) < 0) ||
	    gmail_move_target(g, a, to, &target, e) < 0)
		return -1;
	/* Where they are is where they stay. */
	if (from != NULL && str_eq(source.id, target.id)) {
		if (gmail_change_look(g, &w, e) < 0)
			return -1;
	} else if (gmail_move_plan(a, from, &target, &w, e) < 0 ||
	    gmail_change_look(g, &w, e) < 0 ||
	    gmail_change_make(g, &w, e) < 0) {
		return -1;
	}
	*moved = *refs;
	return 0;
}
