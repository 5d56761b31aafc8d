/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_CANARY_H
#define DESK_CANARY_H

#include "gate/gate.h"

struct store;

/* Calls `fn` for each given word, and says a line with `done`. */
int canary_each(struct call *c, const char *done,
    int (*fn)(struct store *s, struct str word, struct err *e), struct err *e);
extern const struct arg_spec canary_args[];

#endif
