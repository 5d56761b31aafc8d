#ifndef DOOR_ADMIN_SOURCES_H
#define DOOR_ADMIN_SOURCES_H

/* What the source commands share; nobody else includes it. */
#include "door/admin/internal.h"
#include "source/roster.h"
#include "store/source.h"

/* sources.c: the accounts, those that play a part asked what they can. */
int sources_load(struct admin_call *c, struct role_source **out, size_t *n,
    struct err *e);
/* The table of `source list`. */
int sources_table(struct admin_call *c, struct err *e);

#endif
