/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SOLE_H
#define GATE_SOLE_H

/*
 * The account of an operator's call: the only one if none is named, and a list
 * of names if the named one does not exist.  EMCLI_ACCOUNT has no effect here:
 * whoever can set it (such as a folder's settings) must not choose whose rules
 * are changed.
 */
#include "gate/args.h"

struct store;

/*
 * Fills every account argument (ARG_SOLE) without a value with the only
 * account.  ERR_USAGE if there are several; ERR_NOT_FOUND.
 */
int sole_fill(struct store *s, struct arena *a, struct args *args,
    struct err *e);
/*
 * For a call that failed with ERR_NOT_FOUND because it named an account that
 * does not exist: says which, and which exist.  False: it named no such
 * account.
 */
bool sole_explain(struct store *s, struct arena *a, const struct args *args,
    struct err *e);

#endif
