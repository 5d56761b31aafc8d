/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ACCOUNT_IMPORT_H
#define DESK_ACCOUNT_IMPORT_H

/* Only for account import. */
#include "desk/account_text.h"
#include "desk/plan.h"

struct account_import {
	struct call *c;
	struct document d;
	const struct yaml_node *accounts;
	struct plan plan;
	struct strs passwords, consents; /* accounts that need one */
	bool dry;
};

/* account_import_one.c: one account, within a transaction. */
int account_import_one(struct account_import *im, struct store *s,
    const struct yaml_node *at, struct err *e);

#endif
