#ifndef BASE_ENV_H
#define BASE_ENV_H

/*
 * What emcli takes from its environment, taken once at the very start.  The
 * key variables are overwritten where they lie before anything else runs, so
 * that /proc/self/environ and children show none.
 *
 * A key is in its variable (EMCLI_KEY), or in the file that EMCLI_KEY_FILE
 * names, or is a credential of systemd's ($CREDENTIALS_DIRECTORY/emcli-key);
 * the first of these that is there is taken.
 */
#include "base/err.h"
#include "base/secret.h"

enum env_from {
	ENV_UNSET,
	ENV_VARIABLE,
	ENV_FILE,
	ENV_CREDENTIAL,
};

struct env {
	struct secret *admin_key; /* EMCLI_ADMIN_KEY as text; NULL: unset */
	struct secret *agent_key; /* EMCLI_KEY as text; NULL: unset */
	struct secret *new_key;   /* EMCLI_NEW_KEY, for `key rotate` */
	enum env_from admin_from, agent_from;
	char *admin_file, *agent_file; /* where it was read from, or NULL */
	char *db;      /* EMCLI_DB, else ~/.config/emcli/emcli.db */
	char *agent;   /* EMCLI_AGENT, else "agent" */
	char *account; /* EMCLI_ACCOUNT, or NULL */
	char *trace;   /* EMCLI_TRACE, or NULL: for the operator alone */
};

/*
 * Fills *out; everything is owned by it.  An empty variable counts as unset.
 * ERR_CONFIG: EMCLI_AGENT is no name (1 to 64 of A-Z a-z 0-9 . _ -), there is
 * neither EMCLI_DB nor HOME, or a file that should hold a key is not there, no
 * regular file, or open to others.  Also switches core dumps off and makes the
 * process undumpable.
 */
int env_take(struct env *out, struct err *e);
/* EMCLI_DB, or where it is without; NULL: there is neither that nor HOME. */
char *env_db(void);
/* Is it an agent's name?  See above; and it is not the operator's. */
bool env_is_agent(const char *c);
void env_done(struct env *v);
/*
 * env_key.c.  Refuses a file or pipe that others may read or write: what is in
 * it is nobody's secret.  `what` names it, as in "the file of EMCLI_KEY"; the
 * static `hint` is the operator's next step.  ERR_CONFIG.
 */
int env_key_guarded(int fd, const char *what, const char *path,
    const char *hint, struct err *e);
/*
 * A key from a file that `name` named on the command line, by the
 * same rules.  ERR_CONFIG.
 */
int env_key_read(const char *name, const char *path, struct secret **out,
    struct err *e);

#endif
