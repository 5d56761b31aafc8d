/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_CONTRACT_H
#define BACKEND_AGENTBOX_CONTRACT_H

/*
 * The half of this room that backend.h sees: one mailbox of a root as an
 * account.  Boxes are folders, and "inbox" is INBOX; a message's id is the
 * store's.  The other half keeps the root.
 */
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/view.h"

#define AGENTBOX_DOMAIN "@houmao.localhost" /* of Message-IDs */

/* Messages that the last `find` read whole, for `body`, which is next. */
struct agentbox_kept {
	struct arena *a; /* or NULL */
	struct agentbox_kept_one {
		struct str id, raw;
	} v[LIMIT_PAGE];
	size_t n, bytes;
};

struct agentbox {
	struct conn conn;
	struct arena *a;
	struct agentbox_root *root; /* NULL until something is asked */
	struct agentbox_reg reg;    /* the account's own, then */
	struct agentbox_kept kept;
};

/* own.c: opens the root and finds the account's registration.  ERR_CONFIG with
 * reason "not_actionable": there is none that is active. */
int agentbox_own_need(struct agentbox *b, struct err *e);

/* folder.c */
int agentbox_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e);
/* The box of a folder that is there; empty for no folder.  ERR_NOT_FOUND. */
int agentbox_folder_box(struct agentbox *b, struct arena *a, struct str folder,
    struct str *box, struct err *e);
struct str agentbox_folder_name(struct str box);
int agentbox_folder_absent(struct err *e);

/* read.c */
struct agentbox_whole {
	struct agentbox_loaded at;
	struct str raw; /* RFC 5322; the files are only named */
};

/* 1; 0: it is damaged, which is to say not there; -1. */
int agentbox_read_row(struct agentbox *b, struct arena *a,
    const struct agentbox_entry *entry, struct agentbox_whole *whole,
    struct row *out, struct err *e);
int agentbox_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e);
int agentbox_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e);
/* What is wanted, newest first: by the second it was sent in, then as it
 * came. */
int agentbox_read_newest(struct agentbox *b, struct arena *a,
    const struct agentbox_want *want, struct agentbox_entries *out,
    struct err *e);
/* The entries of messages, in whatever order; those of `box`, if any. */
int agentbox_read_entries(struct agentbox *b, struct arena *a, struct str box,
    const struct strs *ids, struct agentbox_entries *out, struct err *e);
const struct agentbox_entry *
agentbox_read_entry(const struct agentbox_entries *l, struct str id);

/* changes.c */
int agentbox_changes_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
int agentbox_changes(struct conn *c, struct arena *a, struct str folder,
    struct str since, struct folder_state *st, struct strs *came,
    struct strs *gone, struct err *e);

/* kept.c */
void agentbox_kept_drop(struct agentbox *b);
/* Unless there is no room: LIMIT_AGENTBOX_KEPT bytes. */
void agentbox_kept_put(struct agentbox *b, struct str id, struct str raw);
bool agentbox_kept_find(const struct agentbox *b, struct str id,
    struct arena *a, struct str *raw);

/* find.c */
int agentbox_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);

/* submit.c */
int agentbox_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e);
struct str agentbox_submit_id(struct arena *a, const unsigned char rnd[16],
    int64_t date_s);
/* "<msg-...@houmao.localhost>": the id in it, or empty. */
struct str agentbox_submit_read_id(struct str message_id);

/* watch.c */
int agentbox_watch(struct conn *c, struct arena *a,
    const struct backend_watch *w, bool *changed, struct err *e);

/* mark.c, move.c */
int agentbox_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
int agentbox_mark_change(struct agentbox *b, struct arena *a, struct str folder,
    const struct refs *refs, const struct agentbox_change *change,
    struct err *e);
int agentbox_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);

#endif
