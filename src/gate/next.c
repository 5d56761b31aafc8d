/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to do about a refusal that does not say so itself: by the rule that
 * decided, or else by the kind of error.  Agents learn what the operator can
 * do, so that they can tell the operator; it gives them no rights.
 */
#include "gate/internal.h"

#define OPERATOR "only the operator can change that: emcli "

static const struct {
	const char *reason, *next;
} rules[] = {
	{ "ro_mode", OPERATOR "account edit NAME --mode RW" },
	{ "draft_only", OPERATOR "account edit NAME --outbound send" },
	{ "no_outbound", OPERATOR "account edit NAME --outbound draft" },
	{ "no_recipients", "name somebody to write to, with --to" },
	{ "forward_off", OPERATOR "account edit NAME --forward on" },
	{ "organise_off", OPERATOR "account edit NAME --organise on" },
	{ "organise_approve",
	    "ask the operator, who takes a change back with emcli undo "
	    "CHANGE" },
	{ "organise_folders",
	    OPERATOR "account edit NAME --organise-folders FOLDER" },
	{ "whitelist_out", OPERATOR "whitelist out add ADDRESS" },
	{ "scope_thread", OPERATOR "account edit NAME --scope any" },
	{ "loop", "leave it unanswered: a program wrote that message" },
	{ "frozen",
	    "wait: the operator stopped this and can end it with emcli thaw" },
	{ "unfinished", "finish the text; to send it as it is, give as_is" },
	{ "message_not_found",
	    "check lists the messages: give the message_ref of one" },
	{ "box_not_found",
	    "name a box that the mailbox has, such as inbox, sent or archive" },
	{ "unknown_recipient", "write to an address that has a mailbox here" },
	{ "inactive_recipient",
	    "write to somebody else, or tell the operator" },
	{ "secret", "remove what looks like a key or a password" },
	{ "attach_dir",
	    "name a file below the account's folder for files by its path "
	    "there; without one: emcli account edit NAME --attach-dir FOLDER" },
	{ "op_not_permitted", OPERATOR "agent add, with that --op" },
	{ "skill_not_permitted", OPERATOR "agent add, with that --skill" },
	{ "unknown_skill", "load one of available_skills" },
	{ "consent",
	    "the operator lets a person say yes: emcli account "
	    "consent NAME" },
};

/*
 * A missing and a hidden object have the same error; the next step must be the
 * same too.
 */
static const struct {
	const char *say, *next;
} absent[] = {
	{ "no such folder or message",
	    "folders lists the folders, and list the uids of one" },
	{ "no such thread", "list_recent_threads lists the threads" },
};

static const char *const kinds[ERR_KINDS] = {
	[ERR_CONFIG] = "the operator looks what is wrong: emcli doctor",
	[ERR_POLICY] = "do not try again: the rule is the operator's",
	[ERR_APPROVAL] =
	    "go on, and ask send_status later; see emcli approve list",
	[ERR_SKILL] = "make the call in fix, then this one again",
	[ERR_LIMIT] = "ask for less, or later",
	[ERR_AUTH] = "the operator looks what is wrong: emcli doctor",
	[ERR_REJECTED] = "correct what the server names, or tell the operator",
	[ERR_NETWORK] = "try again later; emcli doctor tells which step fails",
	[ERR_UNKNOWN_OUTCOME] =
	    "do not send it again: look into the folder for sent mail",
	[ERR_DB] = "the operator looks what is wrong: emcli doctor",
	[ERR_INTERNAL] = "report it: this is a bug in emcli",
};

const char *
next_hint(const struct err *e)
{
	if (e->kind == ERR_NONE || e->hint != NULL)
		return e->hint;
	for (size_t i = 0;
	     e->reason != NULL && i < sizeof(rules) / sizeof(rules[0]); i++)
		if (str_eq(str_of(e->reason), str_of(rules[i].reason)))
			return rules[i].next;
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (e->kind == ERR_NOT_FOUND &&
		    str_eq(str_of(e->say), str_of(absent[i].say)))
			return absent[i].next;
	if (str_find(str_of(e->say), S("emcli ")) >= 0)
		return NULL;
	return kinds[e->kind];
}
