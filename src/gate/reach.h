/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_REACH_H
#define GATE_REACH_H

/*
 * Which files and folders of this machine the calls of a store reach by
 * themselves, where others read mail for them: the store's own folder first,
 * then what settings and accounts name.  A door's process that is confined to
 * files asks before its first call.
 */
#include "gate/gate.h"

struct reach {
	struct str path;
	bool write;
};

/* In the order of accounts; ERR_DB. */
int reach_list(struct gate *g, struct arena *a, struct reach **out, size_t *n,
    struct err *e);
/* The first alone, for a store that cannot be opened. */
struct reach reach_store(const struct env *env, struct arena *a);

#endif
