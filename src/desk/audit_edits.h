/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_AUDIT_EDITS_H
#define DESK_AUDIT_EDITS_H

#include "gate/gate.h"

struct store_signed;

/* Says a line for each change made without emcli. */
void audit_edits_say(struct call *c, const struct store_signed *v);
/* The member "edits". */
void audit_edits_put(struct json *j, const struct store_signed *v);
extern const struct field audit_edits_fields[];

#endif
