#ifndef DESK_SOURCE_KNOWN_H
#define DESK_SOURCE_KNOWN_H

/* What the commands on sources share. */
#include "gate/sources.h"

/* The accounts, with what is open about those that play a part settled, or
 * about all where none does. */
int source_known_load(struct store *s, struct arena *a,
    struct role_source **out, size_t *n, struct err *e);
/* The operations it cannot do; of those with "?" nobody could be asked. */
struct str source_known_cannot(struct arena *a, const struct role_source *s);

/* The result of those that end with the table, and its columns. */
extern const struct field source_known_result[];
extern const struct field source_known_fields[]; /* of a source in it */
#define SOURCE_KNOWN_COLUMNS "name backend role mandatory preferred_for cannot"
/* Puts it, as it is now. */
int source_known_put(struct call *c, struct json *out, struct err *e);

#endif
