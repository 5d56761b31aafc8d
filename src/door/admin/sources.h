#ifndef DOOR_ADMIN_SOURCES_H
#define DOOR_ADMIN_SOURCES_H

/* What the source commands share; nobody else includes it. */
#include "door/admin/internal.h"
#include "source/roster.h"
#include "store/source.h"

/* sources.c: the table of `source list`. */
int sources_table(struct admin_call *c, struct err *e);

#endif
