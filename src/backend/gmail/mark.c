/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags and labels of messages.  A label that the account does not have is
 * made, after all messages were found.
 */
#include "backend/gmail/change.h"

static const struct {
	unsigned flag;
	struct str id;
	bool inverse; /* the label is there where the flag is not */
} flags[] = {
	{ FLAG_READ, SI("UNREAD"), true },
	{ FLAG_FLAGGED, SI("STARRED"), false },
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

static void
gmail_mark_flags(struct arena *a, const struct flag_change *change,
    struct gmail_change *w)
{
	for (size_t i = 0; i < FLAGS; i++) {
		bool set = change->set & flags[i].flag;

		if (set || (change->clear & flags[i].flag))
			str_push(a,
			    set != flags[i].inverse ? &w->add : &w->remove,
			    flags[i].id);
	}
}

/* The ids of labels; those that the account does not have are made, or left
 * out: they are on no message. */
static int
gmail_mark_labels(struct gmail *g, struct arena *a, const struct strs *names,
    bool make, struct strs *ids, struct err *e)
{
	for (size_t i = 0; i < names->n; i++) {
		struct str id;
		int r = gmail_label_user(g, names->v[i], &id, e);

		if (r == 0 && !make)
			continue;
		if (r < 0 ||
		    (r == 0 && gmail_label_make(g, names->v[i], &id, e) < 0))
			return -1;
		str_push(a, ids, str_dup(a, id));
	}
	return 0;
}

/* Names that no label can have are refused before anything is asked. */
static int
gmail_mark_refuse(const struct strs *names, struct err *e)
{
	for (size_t i = 0; i < names->n; i++)
		if (!gmail_label_may_be(names->v[i]))
			return err_set(e, ERR_USAGE,
			    "Gmail cannot have a label of that name");
	return 0;
}

int
gmail_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	struct gmail *g = (struct gmail *)c;
	struct gmail_change w = { .folder = folder, .refs = refs };

	gmail_mark_flags(a, change, &w);
	if (gmail_mark_refuse(&change->add, e) < 0 ||
	    gmail_mark_refuse(&change->drop, e) < 0 ||
	    gmail_change_look(g, &w, e) < 0 ||
	    gmail_mark_labels(g, a, &change->drop, false, &w.remove, e) < 0 ||
	    gmail_mark_labels(g, a, &change->add, true, &w.add, e) < 0)
		return -1;
	return gmail_change_make(g, &w, e);
}
