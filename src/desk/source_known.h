/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SOURCE_KNOWN_H
#define DESK_SOURCE_KNOWN_H

/* Shared by the commands on sources. */
#include "gate/sources.h"

/*
 * The accounts, with open facts resolved for those with a role, or for all if
 * none has one.
 */
int source_known_load(struct store *s, struct arena *a,
    struct role_source **out, size_t *n, struct err *e);
/* The operations it cannot do; those with "?" are unknown. */
struct str source_known_cannot(struct arena *a, const struct role_source *s);

/* The result of the commands that end with the table, and its columns. */
extern const struct field source_known_result[];
extern const struct field source_known_fields[]; /* of a source in it */
#define SOURCE_KNOWN_COLUMNS "name backend role mandatory preferred_for cannot"
/* Puts the current table. */
int source_known_put(struct call *c, struct json *out, struct err *e);

#endif
