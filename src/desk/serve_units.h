/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SERVE_UNITS_H
#define DESK_SERVE_UNITS_H

/* What systemd reads to run the broker. */
#include "base/str.h"

#define SERVE_UNITS_HOME "/var/lib/emcli"
#define SERVE_UNITS_CREDENTIAL "/etc/emcli.cred"

struct serve_units_file {
	const char *path;
	const char *text; /* "%s" in it: the absolute path of emcli */
};

/* path NULL after the last. */
extern const struct serve_units_file serve_units_files[];

/* A unit of the broker where packages put theirs; NULL: there is none. */
const char *serve_units_of_package(void);
/* May that path of a program be in a unit?  No blank, quote or "%". */
bool serve_units_may_start(struct str program);
/* The text with the program in it. */
struct str serve_units_text(const struct serve_units_file *f,
    struct str program, struct arena *a);

#endif
