/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_FENCE_H
#define DOOR_FENCE_H

#include "gate/gate.h"

/* Can it contain text by others?  A refusal is entirely emcli's. */
bool fence_needed(const struct op *op, const struct reply *r);
/* 32 random hexadecimal digits.  ERR_INTERNAL. */
int fence_word(struct arena *a, struct str *out, struct err *e);
/*
 * A reply that contains text by others, between two lines with a random number:
 * the text between them is data, and cannot end it early.  ERR_INTERNAL without
 * random bytes.
 */
int fence_put(struct arena *a, struct str text, struct str *out, struct err *e);

#endif
