#ifndef DOOR_ADMIN_SOURCES_H
#define DOOR_ADMIN_SOURCES_H

/* What the source commands share; nobody else includes it. */
#include "base/limits.h"
#include "door/admin/internal.h"
#include "source/declare.h"
#include "source/roster.h"
#include "store/source.h"

/* sources.c: the table of `source list`. */
int sources_table(struct admin_call *c, struct err *e);

/* sources_settings.c: adds remarks on a declaration's settings; `to` as
 * declare_bind() has it. */
int sources_settings_judge(struct admin_call *c, struct declare *d,
    const struct role_source *all, const size_t *to, struct err *e);
/* Puts them into the accounts; says which changed, and how. */
int sources_settings_keep(struct admin_call *c, const struct declare *d,
    const struct role_source *all, const size_t *to, struct buf *told,
    struct err *e);

#endif
