#ifndef RUNTIME_MANIFEST_H
#define RUNTIME_MANIFEST_H

/*
 * manifest.json of a session, schema_version 4: how its program is started
 * again, and which mailbox it has.  Houmao reads and writes the same file and
 * refuses members that it does not know, so what is ours alone is elsewhere.
 * Values of the environment are never written, only names; nothing that is
 * written comes from a struct with a member for a secret.
 */
#include "runtime/runtime.h"

#define MANIFEST_FILE "manifest.json"
#define MANIFEST_TMUX "local_interactive" /* a backend: in tmux, */
#define MANIFEST_PLAIN "local_process"    /* and without */

struct manifest {
	struct str session_id, backend, tool, role;
	struct str created_at; /* RFC 3339 */
	struct str workdir, home_manifest;
	struct str agent, agent_id; /* empty: it has none */
	struct str tmux;            /* the session's name there, or empty */
	struct str executable;
	struct strs args, variables; /* names of the environment's */
	struct str home_variable, home;
	struct binding mailbox;
};

/*
 * manifest_put.c: the whole file, for a new session.  agent_id is made of the
 * agent's name, and the backend of tmux.
 */
struct str manifest_put_text(const struct manifest *m, struct arena *a);

/*
 * manifest_get.c: reads the text of a file.  Unknown members are no error.
 * ERR_CONFIG names what is wrong: cut off, another version, a member missing.
 */
int manifest_get(struct str text, struct arena *a, struct manifest *out,
    struct err *e);

/*
 * manifest.c: all are given the open folder of a session.
 * Reads the file: the whole one of before a change, or of after it.
 * ERR_NOT_FOUND: there is none; ERR_CONFIG, ERR_LIMIT.
 */
int manifest_read(int folder, struct arena *a, struct manifest *out,
    struct err *e);
/* Writes the first one, 0600.  ERR_CONFIG: there is one already. */
int manifest_create(int folder, const struct manifest *m, struct arena *a,
    struct err *e);
/*
 * Replaces the mailbox and keeps all else, whosever it is.  The binding gets
 * the bindings_version that follows the one in the file; for TRANSPORT_NONE
 * there is none.  `expect` is the version that the caller has seen, or empty:
 * ERR_USAGE with the reason "stale_binding" when the file has another.
 */
int manifest_rebind(int folder, struct binding *b, struct str expect,
    struct arena *a, struct err *e);

#endif
