#ifndef DESK_CREDENTIAL_ARGS_H
#define DESK_CREDENTIAL_ARGS_H

/* What the commands on mailboxes' passwords have in common. */
#include "desk/session_args.h"
#include "runtime/session_credential.h"
#include "runtime/stalwart.h"

#define CREDENTIAL_ARGS_REF                                                    \
	{                                                                      \
		.name = "ref", .type = ARG_TEXT,                               \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "the credential, as credential list has it"            \
	}
#define CREDENTIAL_ARGS_YES                                                    \
	{                                                                      \
		.name = "yes", .type = ARG_FLAG, .help = "do not ask"          \
	}

#define CREDENTIAL_ARGS_FIELDS                                                 \
	{ "credential_ref", FIELD_TEXT, .help = "the credential" },            \
	    { "address", FIELD_TEXT, .help = "the mailbox's" },                \
	    { "sessions", FIELD_INT, .help = "sessions that name it" },        \
	{                                                                      \
		"account", FIELD_TEXT, .nullable = true,                       \
				       .help = "the account that is the "      \
					       "mailbox"                       \
	}

/* credential_args.c.  A session is about to start with that mailbox. */
int credential_args_provision(struct call *c, const struct binding *b,
    struct err *e);
/* ERR_USAGE, unless --yes is given or a person agrees. */
int credential_args_agree(struct call *c, struct str question, struct err *e);
/*
 * Does `change` to the credential that the call names, after a yes to
 * `question` with its address in it, and then what follows of it here.
 */
struct credential_args_verb {
	const char *question; /* "Replace the password of %s", for one %.*s */
	int (*change)(const struct place *p, const struct stalwart_want *w,
	    struct arena *a, struct err *e);
	bool gone; /* there is no password here afterwards */
	const char *done;
};
int credential_args_change(struct call *c, const struct credential_args_verb *v,
    struct json *out, struct err *e);

#endif
