/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ENV_H
#define BASE_ENV_H

/*
 * What emcli takes from its environment, once, at the very start.  The key
 * variables are overwritten in place before anything else runs, so that neither
 * /proc/self/environ nor a child shows them.
 *
 * A key is in its variable (EMCLI_KEY), in the file that EMCLI_KEY_FILE names,
 * in a systemd credential ($CREDENTIALS_DIRECTORY/emcli-key), or a program
 * prints it (EMCLI_KEY_COMMAND).  The first of these that exists is used.
 *
 * A program may ask a person, so its key is got when it is first used
 * (secret_later_get()): until then it is there, and empty.
 */
#include "base/err.h"
#include "base/secret.h"

enum env_from {
	ENV_UNSET,
	ENV_VARIABLE,
	ENV_FILE,
	ENV_CREDENTIAL,
	ENV_COMMAND,
};

struct env_command; /* env_command.c */

struct store_keeper; /* store/keeper.h */

struct env {
	struct secret *admin_key; /* EMCLI_ADMIN_KEY as text; NULL: unset */
	struct secret *agent_key; /* EMCLI_KEY as text; NULL: unset */
	struct secret *new_key;   /* EMCLI_NEW_KEY, for `key rotate` */
	/* HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN, ..._API_KEY and
	 * ..._API_SECRET: of a mail server's administrator; NULL: unset */
	struct secret *stalwart_token, *stalwart_key, *stalwart_secret;
	enum env_from admin_from, agent_from;
	char *admin_file, *agent_file; /* the file it was read from, or NULL */
	/* EMCLI_ADMIN_KEY_COMMAND, EMCLI_KEY_COMMAND; or NULL */
	struct env_command *admin_command, *agent_command;
	char *db;      /* EMCLI_DB, else ~/.config/emcli/emcli.db */
	char *agent;   /* EMCLI_AGENT, else "agent" */
	bool named;    /* EMCLI_AGENT is set */
	char *socket;  /* EMCLI_SOCKET, or NULL: where a broker listens */
	char *account; /* EMCLI_ACCOUNT, or NULL */
	char *trace;   /* EMCLI_TRACE, or NULL: for the operator only */
	/*
	 * The caller is a process of another user, and the kernel says of
	 * which: gate_open() admits that user's agent, the one of that name if
	 * `named`.
	 */
	bool foreign;
	uint32_t uid;
	/* The process with the key, if this one has none; or NULL. */
	const struct store_keeper *keeper;
	const char *confined_by; /* what confines this process, or NULL, */
	bool confined;           /* and nothing is missing of it */
	const char *served_at;   /* the broker's socket, in its processes */
};

/*
 * Fills *out, which owns everything in it.  An empty variable counts as unset.
 * ERR_CONFIG: EMCLI_AGENT is not a name (1 to 64 of A-Z a-z 0-9 .  _ -),
 * neither EMCLI_DB nor HOME is set, or a key file is missing, not a regular
 * file, or accessible to others.  Also turns core dumps off and makes the
 * process undumpable.
 */
int env_take(struct env *out, struct err *e);
/*
 * env_command.c.  Gets the key that agents' calls are made with, for a process
 * that forks others for them: the agent's, or the operator's if there is none.
 * ERR_CONFIG.
 */
int env_command_ask(const struct env *v, struct err *e);
/* Would a program be asked for that key? */
bool env_command_due(const struct env *v);
/*
 * In a copy, for a door of agents beside the operator's own: no call has the
 * operator's program asked for its key, unless that key is the only one.
 */
void env_command_for_agents(struct env *copy);
/*
 * Does the command begin with the whole path of a program, and can only root
 * and the user change or replace that and each argument that is a whole path?
 * An argument that begins with "./" or "../" is refused.  ERR_CONFIG.
 */
int env_command_trust(const struct env_command *c, uint32_t user,
    struct err *e);
/* Its words that are whole paths: its program, and what its arguments name. */
struct strs env_command_paths(const struct env_command *c, struct arena *a);
/* Does EMCLI_SOCKET name a broker? */
bool env_is_far(const struct env *v);
/* EMCLI_DB, or its default; NULL if neither it nor HOME is set. */
char *env_db(void);
/* Is it a valid name for an agent, and not the operator's?  See above. */
bool env_is_agent(const char *c);
/* The same for an agent that is added: the command line takes its name. */
bool env_is_new_agent(const char *c);
void env_done(struct env *v);
/*
 * env_key.c. Refuses a file or pipe that others may read or write, because its
 * content is not secret.  `what` names it, as in "the file named by
 * EMCLI_KEY_FILE"; the static `hint` is the operator's next step.  ERR_CONFIG.
 */
int env_key_guarded(int fd, const char *what, const char *path,
    const char *hint, struct err *e);
/*
 * Reads a key from a file named on the command line by option `name`, by the
 * same rules.  ERR_CONFIG.
 */
int env_key_read(const char *name, const char *path, struct secret **out,
    struct err *e);

#endif
