/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/said.h"
#include "base/secret.h"
#include "base/utf8.h"

static const struct {
	const char *code, *means, *advice;
} kinds[ERR_KINDS] = {
	[ERR_NONE] = { "none", "no error", "go on" },
	[ERR_USAGE] = { "usage", "unknown option or bad value",
	    "correct the call" },
	[ERR_CONFIG] = { "config",
	    "key missing or wrong, no such database, or account settings "
	    "unusable",
	    "tell the operator" },
	[ERR_NOT_FOUND] = { "not_found",
	    "no such account, folder, message or thread, or not yours to see",
	    "do not guess again" },
	[ERR_POLICY] = { "policy", "refused by policy; reason says which rule",
	    "do not try again" },
	[ERR_APPROVAL] = { "approval", "held for the operator; carries an id",
	    "go on, and ask for its state later" },
	[ERR_SKILL] = { "skill",
	    "the operation's skill is not active; carries the exact "
	    "load_skill call",
	    "load the skill, then call again" },
	[ERR_UNSUPPORTED] = { "unsupported", "this source cannot do that",
	    "use another source" },
	[ERR_LIMIT] = { "limit", "too big, too many, too soon",
	    "ask for less" },
	[ERR_AUTH] = { "auth", "the server refused the credentials",
	    "tell the operator" },
	[ERR_REJECTED] = { "rejected",
	    "the mail server refused the message or a recipient; nothing was "
	    "sent",
	    "correct it or tell the operator" },
	[ERR_NETWORK] = { "network",
	    "server unreachable, TLS failed, or timed out", "try again later" },
	[ERR_UNKNOWN_OUTCOME] = { "unknown_outcome",
	    "the result of a send is unknown; emcli never sends it again by "
	    "itself",
	    "check Sent before repeating" },
	[ERR_DB] = { "db", "the store failed", "tell the operator" },
	[ERR_INTERNAL] = { "internal", "a broken invariant", "report it" },
};

#define MORE 4 /* extra bytes after the cut, so that no character is halved */

/* Cuts a text to n bytes, its NUL included. */
static void
err_shorten(char *p, size_t n)
{
	p[utf8_first(str_of(p), n - 1).n] = '\0';
}

int
err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
	char say[sizeof(e->say) + MORE]; /* because e->say may be an argument */
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(say, sizeof(say), fmt, ap);
	va_end(ap);
	err_shorten(say, sizeof(e->say));
	*e = (struct err){ .kind = kind };
	memcpy(e->say, say, strlen(say) + 1);
	return -1;
}

int
err_because(struct err *e, const char *fmt, ...)
{
	char text[sizeof(e->detail) + MORE], all[2 * sizeof(text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/*
	 * In case a caller forgot said_clean(): the audit must not show
	 * secrets.
	 */
	if (said_secret(str_of(text))) {
		secret_wipe(text, sizeof(text));
		(void)snprintf(text, sizeof(text), "%s", SAID_HIDDEN);
	}
	(void)snprintf(all, sizeof(all), "%s%s%s", e->detail,
	    e->detail[0] != '\0' ? "; " : "", text);
	err_shorten(all, sizeof(e->detail));
	memcpy(e->detail, all, strlen(all) + 1);
	return -1;
}

int
err_errno(struct err *e, const char *what)
{
	return err_because(e, "%s: %s", what, strerror(errno));
}

int
err_conn(struct err *e)
{
	e->scope = ERR_SCOPE_CONN;
	return -1;
}

int
err_hint(struct err *e, const char *hint)
{
	e->hint = hint;
	return -1;
}

static size_t
err_index_of(enum err_kind kind)
{
	if ((unsigned)kind >= ERR_KINDS)
		err_bug("no such error kind: %d", (int)kind);
	return kind;
}

const char *
err_code(enum err_kind kind)
{
	return kinds[err_index_of(kind)].code;
}

const char *
err_means(enum err_kind kind)
{
	return kinds[err_index_of(kind)].means;
}

const char *
err_advice(enum err_kind kind)
{
	return kinds[err_index_of(kind)].advice;
}
