/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SOURCE_H
#define STORE_SOURCE_H

/*
 * The roles of accounts as mail sources, as words; source/role.h defines them.
 */
#include "store/store.h"

struct store_source {
	int64_t account;
	struct str name, backend;
	struct str role; /* "none" to "primary" */
	bool mandatory;
	struct strs ops; /* the operations it is preferred for */
};

/* Every account: sources in the declared order, then the others by name. */
int store_source_list(struct store *s, struct arena *a,
    struct store_source **out, size_t *n, struct err *e);
/*
 * Changes them in one transaction: the list is read, given to `change`, which
 * alters roles and order or refuses, and written back.
 */
struct store_source_change {
	int (*change)(struct store_source *v, size_t n, void *ctx,
	    struct err *e);
	void *ctx;
};

int store_source_set(struct store *s, struct arena *a,
    const struct store_source_change *ch, struct err *e);

#endif
