/* What the agent is given.  No key is in it: it stays on the screen. */
#include "door/admin/account.h"
#include "door/admin/init.h"
#include "door/out.h"
#include "gate/operate.h"

/* A word for a shell, whatever is in it. */
static void
init_tell_put_quoted(struct buf *b, struct str s)
{
	buf_char(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_text(b, "'\\''");
		else
			buf_char(b, s.p[i]);
	}
	buf_char(b, '\'');
}

void
init_tell(struct admin_call *c, bool made, const struct init_added *x)
{
	struct str path = out_line(c->arena, str_of(c->env->db));
	struct str added = x->acct != NULL ? x->acct->name : S("");
	struct buf *b = c->out;

	buf_fmt(b, "%s %.*s\n", made ? "made" : "kept", STR_ARG(path));
	if (added.n > 0) {
		buf_fmt(b, "added %.*s\n", STR_ARG(added));
		account_new_notes(b, x->acct, x->in, x->out);
	}
	buf_fmt(b,
	    "\n"
	    "Give the agent's environment:\n"
	    "  EMCLI_KEY   %s\n"
	    "  EMCLI_DB    %.*s\n"
	    "Keep EMCLI_ADMIN_KEY to yourself: it is not for agents.\n",
	    added.n > 0 ? "the agent's key" : "the key you set just now",
	    STR_ARG(path));
	if (added.n == 0) {
		buf_text(b,
		    x->there == 0
			? "\nNext: emcli account add --help\n"
			: "\nNext: emcli doctor looks whether it all works; "
			  "emcli account add NAME adds\nanother mailbox\n");
		return;
	}
	buf_text(b,
	    "\nIn the shell that starts the agent (the first line waits for "
	    "the agent's key\nto be pasted, and does not show it):\n"
	    "  read -rs EMCLI_KEY && export EMCLI_KEY\n"
	    "  export EMCLI_DB=");
	init_tell_put_quoted(b, path);
	buf_fmt(b, "\n  emcli list --account %.*s --folder INBOX\n",
	    STR_ARG(added));
	if (x->consent)
		buf_fmt(b, "\nNext: emcli account consent %.*s\n",
		    STR_ARG(added));
	else
		buf_fmt(b, "\nNext: emcli doctor --account %.*s\n",
		    STR_ARG(added));
}

void
init_tell_open(const struct store *s, struct arena *a)
{
	struct gate_lines l = { 0 };

	operate_opened(s, a, &l);
	for (size_t i = 0; i < l.n; i++)
		(void)fprintf(stderr, "%.*s\n", STR_ARG(l.v[i].text));
}
