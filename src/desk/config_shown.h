/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_CONFIG_SHOWN_H
#define DESK_CONFIG_SHOWN_H

/* A setting of the whole store, as shown by `config get` and `config list`. */
#include "gate/config.h"
#include "gate/gate.h"

/* The argument that names one. */
#define CONFIG_SHOWN_KEY                                                       \
	.name = "key", .type = ARG_TEXT,                                       \
	.flags = ARG_REQUIRED | ARG_POSITIONAL,                                \
	.help = "its name, as emcli config list shows it"

extern const struct field config_shown_fields[];
/* Puts the members of one; text is its value. */
void config_shown_put(struct json *j, struct arena *a, const struct setting *s,
    struct str text);

#endif
