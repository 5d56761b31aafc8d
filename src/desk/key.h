/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_KEY_H
#define DESK_KEY_H

#include "gate/gate.h"

/* A new key as base64, in the caller's buffer; the caller wipes it. */
#define KEY_TEXT 45 /* its line end included */
int key_make(char text[KEY_TEXT], struct err *e);
/* Writes it out, to disk if it goes to a file. */
int key_hand_over(const struct call *c, const char text[KEY_TEXT],
    struct err *e);

#endif
