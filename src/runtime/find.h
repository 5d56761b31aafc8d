/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_FIND_H
#define RUNTIME_FIND_H

/*
 * The session that a command is about: the one that was named, or the one that
 * the command runs in.  Nothing is locked and nothing changed, so an agent
 * without a key can do it.  A manifest is believed only if others can write
 * neither to it nor to its folder; no link is followed on the way to it.
 */
#include "runtime/session.h"

struct find_by {
	/* At most one of them. */
	struct str agent_name, agent_id, manifest_path;
	struct str runtime_root; /* empty: the usual one */
	/* For a call that names none. */
	const char *(*env)(const char *name); /* getenv(3) */
};

struct find {
	int folder;               /* the session's, open */
	struct str path;          /* of that folder, absolute */
	struct str manifest_path; /* absolute */
	struct manifest manifest;
	bool ours;                  /* it has a state */
	struct session_state state; /* of one that is ours */
};

/*
 * By what was named, else HOUMAO_MANIFEST_PATH, of the environment or of the
 * tmux session that the caller is in, else HOUMAO_AGENT_ID.  Of
 * several that match it is the one that runs.  ERR_USAGE: several things are
 * named, several sessions match, or nothing says which.  ERR_NOT_FOUND.
 * ERR_CONFIG: the manifest is damaged or not to be believed.  Call find_close()
 * in any case.
 */
int find_session(const struct find_by *by, struct arena *a, struct find *out,
    struct err *e);
/* For CLEANUP(find_close). */
void find_close(struct find *f);

#endif
