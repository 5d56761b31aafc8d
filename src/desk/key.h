#ifndef DESK_KEY_H
#define DESK_KEY_H

#include "gate/gate.h"

/* A new key as base64, on the caller's stack, who wipes it. */
#define KEY_TEXT 45 /* its line end included */
int key_make(char text[KEY_TEXT], struct err *e);
/* Hands it over, to the disk where it goes to one. */
int key_hand_over(const struct call *c, const char text[KEY_TEXT],
    struct err *e);

#endif
