/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_BRAIN_H
#define RUNTIME_BRAIN_H

/*
 * The manifest of a home: what it was built of, how its program is started, and
 * which mailbox was declared for it.  It is YAML that other programs read too,
 * and no secret has a place in it.
 */
#include "runtime/runtime.h"

/* A file of the user's that was put into the home. */
struct brain_file {
	struct str from, to;
	bool link;
};

struct brain {
	struct str built_at; /* RFC 3339 */
	struct str tool, agent, role, setup;
	struct strs skills;
	struct str root, home_id, home_path;
	struct str variable, executable; /* its program, and where it looks
					  * for the home */
	const struct brain_file *file;
	size_t files;
	struct declaration mailbox;
	struct strs warnings; /* of what has no effect */
};

/* ERR_LIMIT: the manifest would be too long. */
int brain_write(const struct brain *b, struct arena *a, struct str *out,
    struct err *e);
/*
 * Reads one of any program's; what is unknown in it is skipped, and `file` is
 * left empty.  ERR_CONFIG says what is wrong with it; *out is empty then.
 */
int brain_read(struct str text, struct arena *a, struct brain *out,
    struct err *e);

#endif
