/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_MANIFEST_H
#define RUNTIME_MANIFEST_H

/*
 * manifest.json of a session, schema_version 4: how its program is restarted,
 * and which mailbox it has.  Houmao reads and writes the same file and refuses
 * unknown members, so data that is only ours is kept elsewhere.  Only names of
 * environment variables are written, never their values; no struct that is
 * written has a member for a secret.
 */
#include "runtime/runtime.h"

#define MANIFEST_FILE "manifest.json"
#define MANIFEST_TMUX "local_interactive" /* a backend: in tmux */
#define MANIFEST_PLAIN "local_process"    /* without tmux */

struct manifest {
	struct str session_id, backend, tool, role;
	struct str created_at; /* RFC 3339 */
	struct str workdir, home_manifest;
	struct str agent, agent_id; /* empty: none */
	struct str tmux;            /* the session's name in tmux, or empty */
	struct str executable;
	struct strs args, variables; /* names of environment variables */
	struct str home_variable, home;
	struct binding mailbox;
};

/*
 * manifest_put.c: the whole file, for a new session.  agent_id is derived from
 * the agent's name, and the backend from tmux.
 */
struct str manifest_put_text(const struct manifest *m, struct arena *a);

/*
 * manifest_get.c: reads the text of a file.  Unknown members are no error.
 * ERR_CONFIG names what is wrong: cut off, another version, a member missing.
 */
int manifest_get(struct str text, struct arena *a, struct manifest *out,
    struct err *e);

/*
 * manifest.c: all functions take the open folder of a session.
 * Reads the file: a complete one, from before or after a change.
 * ERR_NOT_FOUND: there is none; ERR_CONFIG, ERR_LIMIT.
 */
int manifest_read(int folder, struct arena *a, struct manifest *out,
    struct err *e);
/* Writes the first version, 0600.  ERR_CONFIG: there is one already. */
int manifest_create(int folder, const struct manifest *m, struct arena *a,
    struct err *e);
/*
 * Replaces the mailbox and keeps everything else.  The binding gets the
 * bindings_version after the one in the file, or where the file has none, after
 * its own; for TRANSPORT_NONE there is none.
 * `expect` is the version that the caller has seen, or empty: ERR_USAGE with
 * the reason "stale_binding" if the file has another.
 */
int manifest_rebind(int folder, struct binding *b, struct str expect,
    struct arena *a, struct err *e);

#endif
