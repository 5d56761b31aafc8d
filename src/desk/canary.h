#ifndef DESK_CANARY_H
#define DESK_CANARY_H

#include "gate/gate.h"

struct store;

/* Each word that was given: `fn` does it, a line says `done`. */
int canary_each(struct call *c, const char *done,
    int (*fn)(struct store *s, struct str word, struct err *e), struct err *e);
extern const struct arg_spec canary_args[];

#endif
