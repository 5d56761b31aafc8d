/* SPDX-License-Identifier: Apache-2.0 */
/* What the agent is given.  No key is in it: it stays on the screen. */
#include "desk/account.h"
#include "desk/init.h"
#include "desk/picture.h"

/* The variables, in words and as a shell takes them. */
static void
init_tell_environment(struct buf *b, struct str path, struct str added)
{
	buf_fmt(b,
	    "\n"
	    "Give the agent's environment:\n"
	    "  EMCLI_KEY   %s; or in\n"
	    "              EMCLI_KEY_COMMAND a program that prints it\n"
	    "  EMCLI_DB    %.*s\n"
	    "Keep EMCLI_ADMIN_KEY to yourself: it is not for agents.\n",
	    added.n > 0 ? "the agent's key" : "the key you set just now",
	    STR_ARG(path));
	if (added.n == 0)
		return;
	buf_text(b,
	    "\nIn the shell that starts the agent (the first line waits for "
	    "the agent's key\nto be pasted, and does not show it):\n"
	    "  read -rs EMCLI_KEY && export EMCLI_KEY\n"
	    "  export EMCLI_DB=");
	buf_shell(b, path);
	buf_fmt(b, "\n  emcli list --account %.*s --folder INBOX\n",
	    STR_ARG(added));
}

static struct str
init_tell_next(const struct init *in)
{
	const struct flow *f = &in->flow;

	if (!f->enough)
		return str_fmt(f->a,
		    flow_consents(f) ? "emcli account consent %.*s"
				     : "emcli doctor --account %.*s",
		    STR_ARG(in->acct.name));
	return f->accounts == 0 ? S("emcli account add --help")
				: S("emcli doctor");
}

void
init_tell(struct init *in, struct json *out, bool made)
{
	struct str path = str_of(operate_env(in->c)->db);
	struct str added = in->acct.name, next = init_tell_next(in);
	struct arena *a = in->c->arena;
	struct flow *f = &in->flow;
	struct buf b;

	json_put_bool(out, "made", made);
	json_put_str(out, "database", path);
	if (f->enough)
		json_put_null(out, "account");
	else
		json_put_str(out, "account", added);
	json_put_str(out, "next", next);
	path = picture_text(a, path, false);
	gate_say_line(in->c,
	    str_fmt(a, "%s %.*s", made ? "made" : "kept", STR_ARG(path)));
	if (!f->enough) {
		gate_say(in->c, GATE_TEXT, "added %.*s", STR_ARG(added));
		account_new_notes(in->notes, &in->acct,
		    flow_list(f, FLOW_ALLOW_IN).n,
		    flow_list(f, FLOW_ALLOW_OUT).n);
	}
	buf_init(&b, a, 64 << 10);
	init_tell_environment(&b, path, added);
	buf_fmt(&b, "\nNext: %.*s%s\n", STR_ARG(next),
	    f->enough && f->accounts > 0
		? " checks whether everything works; emcli account add NAME "
		  "adds\nanother mailbox"
		: "");
	gate_say_text(in->c, buf_view(&b));
}
