#ifndef BASE_ENV_H
#define BASE_ENV_H

/*
 * What emcli takes from its environment, taken once at the very start.  The
 * key variables are overwritten where they lie before anything else runs, so
 * that /proc/self/environ and children show none.
 */
#include "base/err.h"
#include "base/secret.h"

struct env {
	struct secret *admin_key; /* EMCLI_ADMIN_KEY as text; NULL: unset */
	struct secret *agent_key; /* EMCLI_KEY as text; NULL: unset */
	char *db;                 /* EMCLI_DB, else ~/.config/emcli/emcli.db */
	char *agent;              /* EMCLI_AGENT, else "agent" */
};

/*
 * Fills *out; everything is owned by it.  An empty variable counts as unset.
 * ERR_CONFIG: EMCLI_AGENT is no name (1 to 64 of A-Z a-z 0-9 . _ -), or there
 * is neither EMCLI_DB nor HOME.  Also switches core dumps off and makes the
 * process undumpable.
 */
int env_take(struct env *out, struct err *e);
void env_done(struct env *v);

#endif
