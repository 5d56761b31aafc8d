/* SPDX-License-Identifier: Apache-2.0 */
/* Overviews of commands, for a person at a terminal. */
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/mcp/mcp.h"
#include "door/skills/skills.h"
#include "door/usage.h"
#include "op/op.h"

enum {
	NAME_WIDTH = 24,
	LINE = 78,
	INDENT = 2
};

static const char head[] = "emcli " EMCLI_VERSION ", a mail gate for agents\n"
			   "\n"
			   "usage: emcli COMMAND [OPTIONS]\n"
			   "       emcli COMMAND --help\n";

static const char tail[] =
    "\n"
    "About emcli itself:\n"
    "  help [COMMAND]          This text, or a command's options and reply\n"
    "  version [--json]        The version; its commit and libraries too\n"
    "  schema [OPERATION]      The operations as JSON Schema\n"
    "  completion SHELL        Completion for bash, zsh or fish\n"
    "  mcp [OPTIONS]           The operations for an MCP client\n"
    "\n"
    "Environment:\n"
    "  EMCLI_KEY               the agent's key: operations\n"
    "  EMCLI_ADMIN_KEY         the operator's key: everything; not for agents\n"
    "  ..._FILE, ..._COMMAND   a file that holds it, a program that prints it\n"
    "  EMCLI_DB                the database (~/.config/emcli/emcli.db)\n"
    "  EMCLI_AGENT             the agent's name in the audit log (agent)\n"
    "  EMCLI_ACCOUNT           the account, if a call names none\n"
    "\n"
    "Examples:\n"
    "  emcli list --new\n"
    "  emcli get --uid 42\n"
    "  emcli ack --account work --folder INBOX --uid 42\n"
    "\n"
    "  export EMCLI_ADMIN_KEY=$(emcli key generate)\n"
    "  export EMCLI_KEY=$(emcli key generate)\n"
    "  emcli init\n"
    "  emcli account add work --mode RO --username me@example.org \\\n"
    "      --imap-host imap.example.org --password-file secret\n"
    "\n"
    "For more, see emcli(1) and emcli-reply(5).\n";

static const char brief_head[] =
    "emcli " EMCLI_VERSION ", a mail gate for agents\n"
    "\n"
    "usage: emcli COMMAND [OPTIONS]\n"
    "\n"
    "To begin: emcli init makes keys, database and an account; emcli doctor "
    "checks\n"
    "that it works; emcli mcp install sets up emcli in an MCP client.\n";

static const char brief_tail[] =
    "\n"
    "emcli help lists all commands, a line each; emcli help COMMAND describes\n"
    "one; for more, see emcli(1).\n";

static void
help_line(struct buf *b, struct str name, const char *summary)
{
	buf_fmt(b, "  %-*.*s%s%s\n", NAME_WIDTH, STR_ARG(name),
	    name.n < NAME_WIDTH ? "" : " ", summary);
}

void
help_put(struct buf *b)
{
	struct agents_command agents;

	buf_text(b, head);
	buf_text(b,
	    "\nOperations (one JSON object on stdout; exit status 0 or not "
	    "0):\n");
	for (size_t i = 0; op_table[i] != NULL; i++)
		help_line(b, argv_spell(b->a, op_table[i]->name),
		    op_table[i]->summary);
	buf_text(b,
	    "\nAn agent's own mailbox (in its session, without a key):\n");
	for (size_t i = 0; agents_command_at(b->a, i, &agents); i++)
		help_line(b, agents.name, agents.summary);
	buf_text(b,
	    "\nWith a model (the first two take its request on stdin):\n");
	for (size_t i = 0; skills_table[i].name != NULL; i++)
		help_line(b, str_of(skills_table[i].name),
		    skills_table[i].summary);
	buf_text(b, "\nOperator commands (they need EMCLI_ADMIN_KEY):\n");
	for (size_t i = 0; desk_table[i] != NULL; i++)
		help_line(b, str_of(desk_table[i]->name),
		    desk_table[i]->summary);
	buf_text(b, tail);
}

static void
help_relative(struct buf *b, struct str words, struct str name,
    const char *summary, bool *found)
{
	if (name.n <= words.n || !str_starts(name, words) ||
	    name.p[words.n] != ' ')
		return;
	if (!*found)
		buf_fmt(b, "The commands of %.*s:\n", STR_ARG(words));
	help_line(b, name, summary);
	*found = true;
}

/* The commands that begin with these words: "account", "whitelist in". */
static bool
help_family(struct buf *b, struct str words)
{
	struct agents_command agents;
	bool found = false;

	for (size_t i = 0; desk_table[i] != NULL; i++)
		help_relative(b, words, str_of(desk_table[i]->name),
		    desk_table[i]->summary, &found);
	for (size_t i = 0; agents_command_at(b->a, i, &agents); i++)
		help_relative(b, words, agents.name, agents.summary, &found);
	return found;
}

static void
help_op(struct buf *b, const struct op *op)
{
	struct usage u = usage_op(b->a, op);

	usage_put(b, &u);
}

/* An agent's operation, one of the operator's, or both of that name. */
static bool
help_ops(struct buf *b, struct str words)
{
	const struct op *op = op_find(words);
	bool found = op != NULL;

	if (found)
		help_op(b, op);
	for (size_t i = 0; desk_table[i] != NULL; i++) {
		if (!str_eq(str_of(desk_table[i]->name), words))
			continue;
		if (found)
			buf_text(b, "\nWith the admin key:\n\n");
		help_op(b, desk_table[i]);
		found = true;
	}
	return found;
}

bool
help_command(struct buf *b, struct str words)
{
	struct agents_command agents;
	struct usage u = { 0 };

	if (help_ops(b, words))
		return true;
	for (size_t i = 0; skills_table[i].name != NULL; i++) {
		const struct skills_command *c = &skills_table[i];

		if (!str_eq(str_of(c->name), words))
			continue;
		u = (struct usage){ .name = words,
			.summary = c->summary,
			.args = c->args };
		usage_put(b, &u);
		return true;
	}
	if (agents_command_find(b->a, words, &agents)) {
		u = (struct usage){ .name = words,
			.summary = agents.summary,
			.args = agents.args,
			.result = agents.result };
		usage_put(b, &u);
		return true;
	}
	if (str_eq(words, S("mcp"))) {
		u = (struct usage){ .name = words,
			.summary = mcp_summary,
			.args = mcp_args };
		usage_put(b, &u);
		return true;
	}
	return words.n > 0 && help_family(b, words);
}

/* Names side by side, as many on a line as fit. */
struct words {
	struct buf *b;
	size_t column;
};

static void
help_put_word(struct words *w, struct str word)
{
	if (w->column == 0 || w->column + 2 + word.n > LINE) {
		if (w->column > 0)
			buf_text(w->b, ",\n");
		buf_text(w->b, "  ");
		w->column = INDENT;
	} else {
		buf_text(w->b, ", ");
		w->column += 2;
	}
	buf_str(w->b, word);
	w->column += word.n;
}

static void
help_put_ops(struct buf *b)
{
	struct words w = { b, 0 };

	buf_text(b,
	    "\nFor agents, with EMCLI_KEY (one JSON object on stdout):\n");
	for (size_t i = 0; op_table[i] != NULL; i++)
		help_put_word(&w, argv_spell(b->a, op_table[i]->name));
	buf_char(b, '\n');
}

/* Lists "account" once for "account add", "account edit" and so on. */
static void
help_put_families(struct buf *b)
{
	struct words w = { b, 0 };
	struct strs seen = { 0 };

	buf_text(b, "\nFor the operator, with EMCLI_ADMIN_KEY:\n");
	for (size_t i = 0; desk_table[i] != NULL; i++) {
		struct str word, rest;

		(void)str_cut(str_of(desk_table[i]->name), ' ', &word, &rest);
		if (str_among(&seen, word))
			continue;
		str_push(b->a, &seen, word);
		help_put_word(&w, word);
	}
	buf_char(b, '\n');
}

void
help_brief(struct buf *b)
{
	buf_text(b, brief_head);
	help_put_ops(b);
	help_put_families(b);
	buf_text(b, brief_tail);
}
