/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_CLEAN_H
#define BACKEND_AGENTBOX_CLEAN_H

/* Looks at a root without changes, and removes what nobody needs any more. */
#include "backend/agentbox/repair.h"
#include "backend/agentbox/root.h"

struct agentbox_look {
	unsigned protocol;                /* 1 or 3 */
	size_t active, inactive, stashed; /* registrations */
	size_t messages;
	size_t unfinished;  /* changes in the journal */
	size_t staged;      /* files that are not messages yet, or never */
	size_t quarantined; /* files that were put aside */
	struct strs locks;  /* of dead processes, below the root */
	/* What a repair would make; of protocol 3 nothing is known. */
	struct agentbox_report report;
};

/*
 * look.c: also of a root with unfinished changes, which stay unfinished.  Of
 * protocol 1, emcli.sqlite is made if there is none.
 * Errors as in agentbox_root_open(), but protocol 3 is none.
 */
int agentbox_look(const char *path, const struct agentbox_use *use,
    struct arena *a, struct agentbox_look *out, struct err *e);

/* What is to go, besides quarantined files and locks of dead processes. */
struct agentbox_clean {
	bool inactive; /* registrations that ended, with their mailboxes */
	bool stashed;  /* mailboxes that another one replaced */
	bool look_only;
	/* The mailboxes that were agreed to; NULL: all of these. */
	const struct strs *only;
};

struct agentbox_cleaned {
	size_t quarantined, locks;
	struct strs mailboxes; /* their names below mailboxes/ */
};

/*
 * clean.c: removes it, or with look_only says what there is.  Message files
 * stay, and so do private folders and the mailboxes of active registrations.
 */
int agentbox_clean(struct agentbox_root *r, const struct agentbox_clean *c,
    struct arena *a, struct agentbox_cleaned *out, struct err *e);

/* Messages that go on command. */
struct agentbox_clear {
	struct str address; /* whose; empty: all mailboxes and all messages */
	bool look_only;
	/* How many messages were agreed to, if not 0. */
	size_t agreed;
};

struct agentbox_cleared {
	size_t mailboxes; /* registrations of any state */
	size_t messages;  /* of them */
	size_t removed;   /* of those, whom no other mailbox has: their files */
};

/*
 * clear.c: empties a mailbox, or the root, and keeps registrations and
 * idempotency keys.  A message that another mailbox has too stays there.
 * ERR_NOT_FOUND: the address has no active registration.  ERR_CONFIG, reason
 * "changed": there are more or fewer messages than were agreed to.
 */
int agentbox_clear(struct agentbox_root *r, const struct agentbox_clear *c,
    struct arena *a, struct agentbox_cleared *out, struct err *e);

/* look.c: files in staging/quarantine/, at any depth but links' targets. */
size_t agentbox_look_quarantined(const struct agentbox_root *r);

#endif
