/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key that a program prints: pass(1), secret-tool(1), op.  Root runs none
 * that command_trust() refuses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/env.h"
#include "base/internal.h"
#include "base/limits.h"

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

struct strs
env_command_paths(const struct env_command *c, struct arena *a)
{
	const char *at = c->line;
	struct strs out = { 0 };
	struct str word;

	while (command_word(&at, &word))
		if (str_starts(word, S("/")))
			str_push(a, &out, word);
	return out;
}

int
env_command_trust(const struct env_command *c, uint32_t user, struct err *e)
{
	return command_trust(c->name, c->line, NULL, user, e);
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
