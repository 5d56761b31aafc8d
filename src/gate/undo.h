/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_UNDO_H
#define GATE_UNDO_H

/*
 * Changes of mail are taken back: only as far as the change itself changed a
 * message, and only where nobody has changed it since.  An undo is a change
 * with a row of its own in the journal (store/journal.h), so it can be taken
 * back.
 */
#include "gate/gate.h"

struct mailbox;

/* A message that stays as it is. */
struct undo_left {
	uint32_t uid; /* as the change named it; 0: by no uid */
	struct str message_id;
	const char *why; /* "moved", "gone": undo_plan.c */
};

struct undone {
	int64_t change; /* the undo; 0: nothing was written down */
	int64_t undoes;
	int64_t account;
	struct str agent;  /* whose change it was */
	bool move;         /* they are moved back */
	struct str folder; /* where they are then; empty: in several */
	/* Those put back, or with a dry run that would be, as the change named
	 * them; and what they are called now in `folder`; 0: not known. */
	uint32_t *uid, *now;
	size_t n;
	size_t before;     /* messages that had been put back already */
	const char *state; /* of the change that was taken back */
	struct undo_left *left;
	size_t lefts;
};

/*
 * mailbox_undo.c.  One of this agent's own changes in the account.
 * ERR_NOT_FOUND for another agent's; ERR_LIMIT for one that is not over.  A
 * hidden message counts as gone.
 */
int mailbox_undo(struct mailbox *m, int64_t id, bool dry, struct undone *out,
    struct err *e);

/* Which of all agents' changes. */
struct undo_want {
	int64_t id;       /* this one; or 0, and: */
	struct str agent; /* empty: everyone's */
	int64_t account;  /* 0: in all */
	int64_t since_s;
	bool dry;
};
/*
 * undo_operate.c.  For the operator, newest first.  After an error the changes
 * of other accounts are taken back all the same; *out is what was done.
 */
int undo_operate(struct call *c, const struct undo_want *w, struct undone **out,
    size_t *n, struct err *e);

/* undo_say.c: members of a reply: what was left, with Message-IDs or without.
 */
#define UNDO_LEFT_FIELDS                                                       \
	{ "uid", FIELD_INT, .nullable = true,                                  \
		.help = "as the change named it; null: it had none" },         \
	{                                                                      \
		"reason", FIELD_TEXT,                                          \
		    .help = "changed since, moved to another folder, gone, "   \
			    "folder_gone, copied: it is in both folders, "     \
			    "failed: the server did not do it, or begun: "     \
			    "that change is not over"                          \
	}
void undo_say_left(struct json *out, const struct undone *u, bool ids);
/* The flags and labels of a change, in words. */
void undo_say_marks(struct json *out, struct arena *a, const char *key,
    unsigned flags, const struct strs *labels);

#endif
