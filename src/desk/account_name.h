/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ACCOUNT_NAME_H
#define DESK_ACCOUNT_NAME_H

#include "gate/gate.h"

/* Names of accounts, for rows that have their numbers. */
struct account_names {
	struct store_account *v;
	size_t n;
};

int account_name_load(const struct call *c, struct account_names *out,
    struct err *e);
/* Empty for an account that was removed. */
struct str account_name(const struct account_names *names, int64_t id);
/* The number of the account that the call names; 0: it names none. */
int account_name_id(const struct call *c, int64_t *out, struct err *e);

#endif
