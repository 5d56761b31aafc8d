#ifndef DOOR_ADMIN_FACE_H
#define DOOR_ADMIN_FACE_H

/* The three ways of asking what flow.h wants to know. */
#include "door/admin/flow.h"

/* face_tui.c: forms on the whole screen. */
extern const struct flow_face face_tui;
/* face_plain.c: one line after the other, for a terminal of any kind. */
extern const struct flow_face face_plain;
/* face_flags.c: asks nobody; what no option answered is an error. */
extern const struct flow_face face_flags;

/* face.c: flow_run() with the best face that can be shown to a person here,
 * forms only when they are wanted. */
int face_ask(struct flow *f, bool forms, const struct flow_hooks *h,
    struct err *e);

#endif
