/* SPDX-License-Identifier: Apache-2.0 */
/* A password on its way in: from a file, a pipe, a program or the keyboard;
 * never from argv, which all can see. */
#include <fcntl.h>

#include "base/env.h"
#include "base/limits.h"
#include "base/path.h"
#include "desk/account.h"
#include "source/provider.h"

static bool
account_secret_is_given(const struct call *c, const char *name)
{
	const struct arg *arg = args_find(c->args, str_of(name));

	return arg != NULL && arg->text.n > 0;
}

static int
account_secret_read_file(const struct call *c, struct secret **out,
    struct err *e)
{
	struct str path = args_text(c->args, "password_file");
	CLEANUP(path_close) int fd = -1;

	if (path.n == 0)
		return 0;
	fd = open(str_c(c->arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "--password-file cannot be read");
		return err_errno(e, "open");
	}
	if (env_key_guarded(fd, "the file of --password-file",
		str_c(c->arena, path),
		"chmod 600 the file, and change the password if others may "
		"have read it",
		e) < 0)
		return -1;
	return secret_read(fd, out, e);
}

/*
 * A password where a provider takes none would be kept as an access token, or
 * be sent to who refuses it.  Whoever has a token says so.
 */
int
account_secret_fits(const struct call *c, const struct store_account *v,
    struct err *e)
{
	const struct provider *p = provider_of_imap(v->imap_host);
	bool none = str_eq(v->auth_type, S("oauth2")) ||
	    (p != NULL && p->login == PROVIDER_OAUTH2);

	if (!account_secret_given(c) || args_has(c->args, "auth") || !none)
		return 0;
	return err_set(e, ERR_USAGE,
	    "%s takes no passwords: leave it out, then run emcli account "
	    "consent %.*s; an access token needs --auth oauth2",
	    p != NULL ? p->title : "this provider", STR_ARG(v->name));
}

bool
account_secret_given(const struct call *c)
{
	return account_secret_is_given(c, "password_file") ||
	    account_secret_is_given(c, "password_stdin") ||
	    account_secret_is_given(c, "password_command") ||
	    account_secret_is_given(c, "password_ask");
}

int
account_secret_read(const struct call *c, const char *question,
    struct secret **out, struct err *e)
{
	bool file = account_secret_is_given(c, "password_file");
	bool in = account_secret_is_given(c, "password_stdin");
	bool run = account_secret_is_given(c, "password_command");

	if (file + in + run + account_secret_is_given(c, "password_ask") > 1)
		return err_set(e, ERR_USAGE,
		    "--password-file, --password-stdin and --password-command "
		    "exclude each other");
	if (file)
		return account_secret_read_file(c, out, e);
	if (in)
		return secret_read(STDIN_FILENO, out, e);
	if (run)
		return secret_command("the program of --password-command",
		    str_c(c->arena, args_text(c->args, "password_command")),
		    LIMIT_SECRET_COMMAND_MS, out, e);
	if (!operate_door(c)->person)
		return err_set(e, ERR_USAGE,
		    "give --password-file, --password-stdin or "
		    "--password-command");
	return operate_door(c)->secret(question, out, e);
}
