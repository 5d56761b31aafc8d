/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MODEL_H
#define DESK_MODEL_H

#include "store/model.h"

/* Its name, where it is, and whether its key can be read.  ERR_USAGE. */
int model_check(struct arena *a, const struct store_model *x, struct err *e);
/* Of one that is added: the command line takes its name. */
int model_check_new(struct arena *a, const struct store_model *x,
    struct err *e);

#endif
