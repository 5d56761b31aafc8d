#ifndef DOOR_ADMIN_APPROVE_H
#define DOOR_ADMIN_APPROVE_H

/* What waits for the operator, and the words that make it wait. */
#include "door/admin/internal.h"

struct outbox_held;

/* approve.c */
extern const struct arg_spec approve_list_args[];
int approve_list(struct admin_call *c, struct err *e);
extern const struct arg_spec approve_show_args[];
int approve_show(struct admin_call *c, struct err *e);
extern const struct arg_spec approve_release_args[];
int approve_release(struct admin_call *c, struct err *e);
extern const struct arg_spec approve_deny_args[];
int approve_deny(struct admin_call *c, struct err *e);
/* approve_put.c: one message, for a person and as JSON; whom it goes to. */
void approve_put_recipients(struct buf *b, struct arena *a,
    const struct outbox_held *h);
void approve_put_text(struct buf *b, struct arena *a,
    const struct outbox_held *h);
void approve_put_json(struct buf *b, struct arena *a,
    const struct outbox_held *h);

/*
 * picture.c.  Text in which nothing is out of sight: controls are shown as
 * their pictures (U+2400 and on), what else nobody sees as "<U+200B>".  Line
 * ends stay only when `lines`.
 */
struct str picture_text(struct arena *a, struct str s, bool lines);

/* canary.c */
extern const struct arg_spec canary_change_args[];
int canary_add(struct admin_call *c, struct err *e);
int canary_remove(struct admin_call *c, struct err *e);
extern const struct arg_spec canary_list_args[];
int canary_list(struct admin_call *c, struct err *e);

#endif
