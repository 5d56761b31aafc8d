#ifndef DOOR_FENCE_H
#define DOOR_FENCE_H

#include "gate/gate.h"

/* May it hold others' words?  A refusal's are all ours. */
bool fence_needed(const struct op *op, const struct reply *r);
/* 32 hexadecimal digits that nobody can have known.  ERR_INTERNAL. */
int fence_word(struct arena *a, struct str *out, struct err *e);
/*
 * A reply that holds others' words, between two lines with a number of its own
 * that nobody can have known: what is between them is data, and cannot end
 * it early.  ERR_INTERNAL without random bytes.
 */
int fence_put(struct arena *a, struct str text, struct str *out, struct err *e);

#endif
