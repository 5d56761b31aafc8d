#include "base/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/limits.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ENV_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ENV_ASAN 1
#endif

#define AGENT_NAME_MAX 64

static char *
copy(const char *c)
{
	char *p = strdup(c);

	if (p == NULL) {
		(void)fputs("emcli: out of memory\n", stderr);
		abort();
	}
	return p;
}

/*
 * Takes the first value and overwrites every one where it lies: the block the
 * kernel shows in /proc/self/environ is that very memory, and a name may
 * stand in it twice.
 */
static int
take_key(const char *name, struct secret **out, struct err *e)
{
	size_t n = strlen(name);
	bool too_long = false;

	for (char **v = environ; v != NULL && *v != NULL; v++) {
		char *value = *v + n + 1;
		size_t size;

		if (strncmp(*v, name, n) != 0 || (*v)[n] != '=')
			continue;
		size = strlen(value);
		if (size > LIMIT_SECRET)
			too_long = true;
		else if (size > 0 && *out == NULL)
			*out = secret_new(value, size);
		secret_wipe(value, size);
	}
	(void)unsetenv(name);
	if (too_long)
		return err_set(e, ERR_CONFIG, "%s is too long", name);
	return 0;
}

/* "operator" is who holds the admin key, in every log. */
static bool
is_agent_name(const char *c)
{
	size_t n = strlen(c);

	return n > 0 && n <= AGENT_NAME_MAX && strcasecmp(c, "operator") != 0 &&
	    strspn(c,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789._-") == n;
}

static const char *
get(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : NULL;
}

static char *
find_db(void)
{
	const char *db = get("EMCLI_DB"), *home = get("HOME");
	char *p;

	if (db != NULL)
		return copy(db);
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
forbid_dumps(void)
{
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
#ifndef ENV_ASAN
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

static int
take(struct env *v, struct err *e)
{
	const char *agent = get("EMCLI_AGENT");
	/* Both keys are wiped, whatever is wrong with the first. */
	int admin = take_key("EMCLI_ADMIN_KEY", &v->admin_key, e);
	int own = take_key("EMCLI_KEY", &v->agent_key, e);

	if (admin < 0 || own < 0)
		return -1;
	if (agent != NULL && !is_agent_name(agent))
		return err_set(e, ERR_CONFIG,
		    "EMCLI_AGENT is not a name: 1 to "
		    "64 of A-Z a-z 0-9 . _ -, and not operator");
	v->agent = copy(agent != NULL ? agent : "agent");
	v->db = find_db();
	if (v->db == NULL)
		return err_set(e, ERR_CONFIG,
		    "neither EMCLI_DB nor HOME is set");
	return 0;
}

int
env_take(struct env *out, struct err *e)
{
	struct env v = { 0 };

	forbid_dumps();
	if (take(&v, e) < 0) {
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
	free(v->db);
	free(v->agent);
	*v = (struct env){ 0 };
}
