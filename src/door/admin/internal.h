#ifndef DOOR_ADMIN_INTERNAL_H
#define DOOR_ADMIN_INTERNAL_H

/* The families of commands, one file each, and what they share. */
#include "base/buf.h"
#include "base/secret.h"
#include "door/admin/admin.h"
#include "store/store.h"

/* init_tell.c: says on stderr what opening the store came upon. */
void init_tell_open(const struct store *s, struct arena *a);

/* init.c */
extern const struct arg_spec init_args[];
int init_run(struct admin_call *c, struct err *e);
/* May it run without keys, since a person is there to be shown new ones? */
bool init_makes_keys(const struct admin_call *c);

/* account_add.c and so on; they share account.h */
extern const struct arg_spec account_args_add[];
int account_add_run(struct admin_call *c, struct err *e);
extern const struct arg_spec account_args_edit[];
int account_edit_run(struct admin_call *c, struct err *e);

/* record.c: runs the command, with a row of the audit log around it. */
int record_run(struct admin_call *c, struct err *e);

#endif
