#ifndef GATE_SOLE_H
#define GATE_SOLE_H

/*
 * The account that the operator's call is about: the only one where none is
 * named, and the names there are where a wrong one is.  EMCLI_ACCOUNT says
 * nothing here: whoever may set it (a folder's settings do) must not choose
 * whose rules are changed.
 */
#include "gate/args.h"

struct store;

/*
 * Names the only account there is wherever an argument that takes one
 * (ARG_SOLE) was given none.  ERR_USAGE when there are several; ERR_NOT_FOUND.
 */
int sole_fill(struct store *s, struct arena *a, struct args *args,
    struct err *e);
/*
 * What a call that named an account that is not there failed with
 * (ERR_NOT_FOUND): says which, and what there is.  False: it named none such.
 */
bool sole_explain(struct store *s, struct arena *a, const struct args *args,
    struct err *e);

#endif
