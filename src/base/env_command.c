/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key that a program prints: pass(1), secret-tool(1), op.  Root runs none
 * that others could have written, nor one that it would have to look for; the
 * same holds for what the arguments name, since an interpreter runs that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/env.h"
#include "base/internal.h"
#include "base/limits.h"
#include "base/path.h"

enum {
	KEY_TEXT = 44, /* base64 of KEY_SIZE */
	KEY_SIZE = 32
};

struct env_command {
	const char *name; /* of its variable */
	char *line;
};

struct env_command *
env_command_take(const char *name)
{
	const char *line = getenv(name);
	struct env_command *c;

	if (line == NULL || line[0] == '\0')
		return NULL;
	c = calloc(1, sizeof(*c));
	if (c == NULL || (c->line = strdup(line)) == NULL)
		err_bug("out of memory");
	c->name = name;
	/* The program may call emcli itself. */
	(void)unsetenv(name);
	return c;
}

void
env_command_done(struct env_command **c)
{
	if (*c != NULL)
		free((*c)->line);
	free(*c);
	*c = NULL;
}

/* The next word, as secret_command() finds it; false: there is none. */
static bool
env_command_word(const char **at, struct str *word)
{
	static const char blanks[] = " \t";

	*at += strspn(*at, blanks);
	*word = (struct str){ *at, strcspn(*at, blanks) };
	*at += word->n;
	return word->n > 0;
}

struct strs
env_command_paths(const struct env_command *c, struct arena *a)
{
	const char *at = c->line;
	struct strs out = { 0 };
	struct str word;

	while (env_command_word(&at, &word))
		if (str_starts(word, S("/")))
			str_push(a, &out, word);
	return out;
}

/* Nothing is there, and only root and the user can put something there. */
static bool
env_command_trust_none(const char *path, uint32_t user, struct arena *a)
{
	char *at = str_c(a, str_of(path)), *slash;
	struct str why;
	struct stat st;

	while (lstat(at, &st) < 0) {
		slash = strrchr(at, '/');
		if (slash == at && at[1] == '\0')
			return false;
		slash[slash == at] = '\0';
	}
	/* In a folder such as /tmp each may. */
	return strcmp(at, path) != 0 && S_ISDIR(st.st_mode) &&
	    path_trust_is(&st, user) && path_trust(at, user, a, &why) == 0;
}

/* Its program, or an argument, which may be what the program runs. */
static int
env_command_trust_path(const struct env_command *c, struct str word, bool first,
    uint32_t user, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const char *path = str_c(a, word);
	struct str why = { 0 };

	if (path_trust(path, user, a, &why) == 0 ||
	    (!first && env_command_trust_none(path, user, a)))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "%s of %s is missing, or others than %s can change it",
	    first ? "the program" : "what an argument names", c->name,
	    user == 0 ? "root" : "root and the user that runs it");
	(void)err_because(e, "%.*s", STR_ARG(why));
	return err_hint(e,
	    "install it where only root can write, such as /usr/local/bin");
}

static int
env_command_trust_word(const struct env_command *c, struct str word, bool first,
    uint32_t user, struct err *e)
{
	if (str_starts(word, S("/")))
		return env_command_trust_path(c, word, first, user, e);
	if (!first && !str_starts(word, S("./")) && !str_starts(word, S("../")))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    first ? "%s does not begin with the whole path of its program"
		  : "an argument of %s is a path from wherever emcli is run",
	    c->name);
	return err_hint(e,
	    "root and the broker do not look for a program: write where it is, "
	    "such as /usr/bin/pass");
}

int
env_command_trust(const struct env_command *c, uint32_t user, struct err *e)
{
	const char *at = c->line;
	bool first = true;
	struct str word;

	while (env_command_word(&at, &word) || first) {
		if (env_command_trust_word(c, word, first, user, e) < 0)
			return -1;
		first = false;
	}
	return 0;
}

/* Without showing what it is instead. */
static bool
env_command_is_key(const struct secret *s)
{
	CLEANUP(secret_close) struct secret *raw = NULL;

	if (secret_size(s) == KEY_TEXT)
		raw = secret_base64(s);
	return raw != NULL && secret_size(raw) == KEY_SIZE;
}

static int
env_command_run(const void *ctx, struct secret **out, struct err *e)
{
	const struct env_command *c = ctx;
	CLEANUP(secret_close) struct secret *got = NULL;
	char what[64];

	(void)snprintf(what, sizeof(what), "the program of %s", c->name);
	if ((geteuid() == 0 && env_command_trust(c, 0, e) < 0) ||
	    secret_command(what, c->line, LIMIT_SECRET_COMMAND_MS, &got, e) < 0)
		return -1;
	if (!env_command_is_key(got)) {
		(void)err_set(e, ERR_CONFIG,
		    "%s printed no key: its first line is not base64 of 32 "
		    "bytes",
		    what);
		return err_hint(e,
		    "emcli key generate prints a key: check that the program "
		    "prints one, complete and with nothing around it");
	}
	*out = got;
	got = NULL;
	return 0;
}

void
env_command_use(const struct env_command *c, struct secret **key,
    enum env_from *from)
{
	if (c == NULL || *key != NULL)
		return;
	*key = secret_later(env_command_run, c);
	*from = ENV_COMMAND;
}

static const struct secret *
env_command_of_calls(const struct env *v)
{
	return v->agent_key != NULL ? v->agent_key : v->admin_key;
}

int
env_command_ask(const struct env *v, struct err *e)
{
	return secret_later_get(env_command_of_calls(v), e);
}

bool
env_command_due(const struct env *v)
{
	return secret_later_due(env_command_of_calls(v));
}

void
env_command_for_agents(struct env *copy)
{
	if (copy->agent_key != NULL && secret_later_due(copy->admin_key))
		copy->admin_key = NULL;
}
