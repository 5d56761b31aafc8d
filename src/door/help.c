/* What there is to ask for, for a person at a terminal. */
#include "door/admin/admin.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/mcp/mcp.h"
#include "door/skills/skills.h"
#include "door/usage.h"
#include "op/op.h"

enum {
	NAME_WIDTH = 24
};

static const char head[] = "emcli " EMCLI_VERSION ", a mail gate for agents\n"
			   "\n"
			   "usage: emcli COMMAND [OPTIONS]\n"
			   "       emcli COMMAND --help\n";

static const char tail[] =
    "\n"
    "About emcli itself:\n"
    "  help [COMMAND]          This text, or a command's options and reply\n"
    "  version                 The version\n"
    "  schema [OPERATION]      The operations as JSON Schema\n"
    "  completion SHELL        Completion for bash, zsh or fish\n"
    "  mcp [OPTIONS]           The operations for a model's host, by MCP\n"
    "\n"
    "Environment:\n"
    "  EMCLI_KEY               the agent's key: operations\n"
    "  EMCLI_ADMIN_KEY         the operator's key: everything; not for agents\n"
    "  EMCLI_DB                the database (~/.config/emcli/emcli.db)\n"
    "  EMCLI_AGENT             the agent's name in the audit log (agent)\n"
    "  EMCLI_ACCOUNT           the account, where a call names none\n"
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
    "emcli(1) and emcli-reply(5) tell the rest.\n";

static void
line(struct buf *b, struct str name, const char *summary)
{
	buf_fmt(b, "  %-*.*s%s\n", NAME_WIDTH, STR_ARG(name), summary);
}

void
help_put(struct buf *b)
{
	buf_text(b, head);
	buf_text(b,
	    "\nOperations (one JSON object on stdout; exit status 0 or not "
	    "0):\n");
	for (size_t i = 0; op_table[i] != NULL; i++)
		line(b, argv_spell(b->a, op_table[i]->name),
		    op_table[i]->summary);
	buf_text(b,
	    "\nWith a model (the first two take its request on stdin):\n");
	for (size_t i = 0; skills_table[i].name != NULL; i++)
		line(b, str_of(skills_table[i].name), skills_table[i].summary);
	buf_text(b, "\nOperator commands (they need EMCLI_ADMIN_KEY):\n");
	for (size_t i = 0; admin_table[i].name != NULL; i++)
		line(b, str_of(admin_table[i].name), admin_table[i].summary);
	buf_text(b, tail);
}

/* The commands that begin with these words: "account", "whitelist in". */
static bool
family(struct buf *b, struct str words)
{
	bool found = false;

	for (size_t i = 0; admin_table[i].name != NULL; i++) {
		struct str name = str_of(admin_table[i].name);

		if (name.n <= words.n || !str_starts(name, words) ||
		    name.p[words.n] != ' ')
			continue;
		if (!found)
			buf_fmt(b, "The commands of %.*s:\n", STR_ARG(words));
		line(b, name, admin_table[i].summary);
		found = true;
	}
	return found;
}

bool
help_command(struct buf *b, struct str words)
{
	const struct op *op = op_find(words);
	struct usage u = { 0 };

	if (op != NULL) {
		u = (struct usage){ argv_spell(b->a, op->name), op->summary,
			op->args, op->result, true };
		usage_put(b, &u);
		return true;
	}
	for (size_t i = 0; admin_table[i].name != NULL; i++) {
		const struct admin_command *c = &admin_table[i];

		if (!str_eq(str_of(c->name), words))
			continue;
		u = (struct usage){ words, c->summary, c->args, NULL, false };
		usage_put(b, &u);
		return true;
	}
	for (size_t i = 0; skills_table[i].name != NULL; i++) {
		const struct skills_command *c = &skills_table[i];

		if (!str_eq(str_of(c->name), words))
			continue;
		u = (struct usage){ words, c->summary, c->args, NULL, false };
		usage_put(b, &u);
		return true;
	}
	if (str_eq(words, S("mcp"))) {
		u = (struct usage){ words, mcp_summary, mcp_args, NULL, false };
		usage_put(b, &u);
		return true;
	}
	return words.n > 0 && family(b, words);
}
