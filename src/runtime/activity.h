/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_ACTIVITY_H
#define RUNTIME_ACTIVITY_H

/*
 * Whether the agent of a session works or waits for a person, as the hooks of
 * its program say: `emcli session hook`, which runs without a key.  It is a
 * hint: an agent can write the file itself, and a turn that a person broke off
 * has no hook.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct activity {
	bool idle;
	int64_t at_us; /* since 1970: when it said so */
};

/*
 * Writes it into the folder of the session with that manifest.  ERR_CONFIG:
 * there is no such session of this user.
 */
int activity_say(struct str manifest_path, bool idle, struct arena *a,
    struct err *e);
/* The same in an open folder. */
int activity_write(int folder, bool idle, struct arena *a, struct err *e);
/* False: nothing was said, or it cannot be read. */
bool activity_read(int folder, struct arena *a, struct activity *out);
/* Forgets it. */
void activity_drop(int folder);

#endif
