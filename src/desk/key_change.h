#ifndef DESK_KEY_CHANGE_H
#define DESK_KEY_CHANGE_H

#include "gate/gate.h"

/* After a key or the data key was changed: says when its log still holds what
 * the old one opened. */
void key_change_note_log(struct call *c);

#endif
