/* SPDX-License-Identifier: Apache-2.0 */
#include "base/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/internal.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ENV_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ENV_ASAN 1
#endif

#define AGENT_NAME_MAX 64
#define STALWART "HOUMAO_STALWART_MANAGEMENT_"

static char *
env_copy(const char *c)
{
	char *p = strdup(c);

	if (p == NULL) {
		(void)fputs("emcli: out of memory\n", stderr);
		abort();
	}
	return p;
}

/* "operator" is the holder of the admin key, in every log. */
bool
env_is_agent(const char *c)
{
	size_t n = strlen(c);

	return n > 0 && n <= AGENT_NAME_MAX && strcasecmp(c, "operator") != 0 &&
	    strspn(c,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789._-") == n;
}

bool
env_is_new_agent(const char *c)
{
	return c[0] != '-' && env_is_agent(c);
}

static const char *
env_get(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : NULL;
}

char *
env_db(void)
{
	const char *db = env_get("EMCLI_DB"), *home = env_get("HOME");
	char *p;

	if (db != NULL)
		return env_copy(db);
	if (home == NULL)
		return NULL;
	if (asprintf(&p, "%s/.config/emcli/emcli.db", home) < 0) {
		(void)fputs("emcli: out of memory\n", stderr);
		abort();
	}
	return p;
}

/* LeakSanitizer traces its own process, so its builds stay dumpable. */
static void
env_forbid_dumps(void)
{
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
#ifndef ENV_ASAN
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

static int
env_take_stalwart(struct env *v, struct err *e)
{
	int token =
	    env_key_variable(STALWART "BEARER_TOKEN", &v->stalwart_token, e);
	int key = env_key_variable(STALWART "API_KEY", &v->stalwart_key, e);
	int secret =
	    env_key_variable(STALWART "API_SECRET", &v->stalwart_secret, e);

	return token < 0 || key < 0 || secret < 0 ? -1 : 0;
}

/* All variables are wiped before any file is opened, even after an error. */
static int
env_take_keys(struct env *v, struct err *e)
{
	int admin = env_key_variable("EMCLI_ADMIN_KEY", &v->admin_key, e);
	int own = env_key_variable("EMCLI_KEY", &v->agent_key, e);
	int fresh = env_key_variable("EMCLI_NEW_KEY", &v->new_key, e);
	int others = env_take_stalwart(v, e);
	enum env_from unused;
	char *file = NULL;
	int r;

	v->admin_command = env_command_take("EMCLI_ADMIN_KEY_COMMAND");
	v->agent_command = env_command_take("EMCLI_KEY_COMMAND");
	if (admin < 0 || own < 0 || fresh < 0 || others < 0)
		return -1;
	r = env_key_file("EMCLI_NEW_KEY_FILE", NULL, &v->new_key, &unused,
	    &file, e);
	free(file);
	if (r < 0 ||
	    env_key_file("EMCLI_ADMIN_KEY_FILE", "emcli-admin-key",
		&v->admin_key, &v->admin_from, &v->admin_file, e) < 0 ||
	    env_key_file("EMCLI_KEY_FILE", "emcli-key", &v->agent_key,
		&v->agent_from, &v->agent_file, e) < 0)
		return -1;
	env_command_use(v->admin_command, &v->admin_key, &v->admin_from);
	env_command_use(v->agent_command, &v->agent_key, &v->agent_from);
	return 0;
}

static int
env_take_one(struct env *v, struct err *e)
{
	const char *agent;

	if (env_take_keys(v, e) < 0)
		return -1;
	agent = env_get("EMCLI_AGENT");
	if (agent != NULL && !env_is_agent(agent))
		return err_set(e, ERR_CONFIG,
		    "EMCLI_AGENT is not a name: 1 to "
		    "64 of A-Z a-z 0-9 . _ -, and not operator");
	v->agent = env_copy(agent != NULL ? agent : "agent");
	v->named = agent != NULL;
	if (env_get("EMCLI_SOCKET") != NULL)
		v->socket = env_copy(env_get("EMCLI_SOCKET"));
	if (env_get("EMCLI_ACCOUNT") != NULL)
		v->account = env_copy(env_get("EMCLI_ACCOUNT"));
	if (env_get("EMCLI_TRACE") != NULL)
		v->trace = env_copy(env_get("EMCLI_TRACE"));
	v->db = env_db();
	if (v->db == NULL)
		return err_set(e, ERR_CONFIG,
		    "neither EMCLI_DB nor HOME is set");
	return 0;
}

bool
env_is_far(const struct env *v)
{
	return v->socket != NULL && strcmp(v->socket, "none") != 0;
}

int
env_take(struct env *out, struct err *e)
{
	struct env v = { 0 };

	env_forbid_dumps();
	if (env_take_one(&v, e) < 0) {
		env_done(&v);
		return -1;
	}
	*out = v;
	return 0;
}

void
env_done(struct env *v)
{
	secret_close(&v->admin_key);
	secret_close(&v->agent_key);
	secret_close(&v->new_key);
	secret_close(&v->stalwart_token);
	secret_close(&v->stalwart_key);
	secret_close(&v->stalwart_secret);
	free(v->admin_file);
	free(v->agent_file);
	env_command_done(&v->admin_command);
	env_command_done(&v->agent_command);
	free(v->db);
	free(v->agent);
	free(v->socket);
	free(v->account);
	free(v->trace);
	*v = (struct env){ 0 };
}
