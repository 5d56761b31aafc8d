/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of profile nova. */
#include "door/skills/nova.h"

#include "gate/grant.h"

#define ACCOUNT                                                                \
	{                                                                      \
		"account", ARG_ACCOUNT, ARG_REQUIRED, "", .def = NULL          \
	}
#define FOLDER                                                                 \
	{                                                                      \
		"folder", ARG_FOLDER, 0, "folder to read", .def = "INBOX"      \
	}
#define MESSAGE                                                                \
	{                                                                      \
		"message_id", ARG_UID, ARG_REQUIRED,                           \
		    "number of the message in its folder", .def = NULL         \
	}
#define ROWS                                                                   \
	{                                                                      \
		"limit", ARG_COUNT, 0, "how many at most",                     \
		    .min = 1, .max = 500, .def = "10"                          \
	}
#define TO_FOLDER                                                              \
	{                                                                      \
		"folder", "folder", "folder"                                   \
	}
#define TO_UID                                                                 \
	{                                                                      \
		"message_id", "uid", NULL                                      \
	}
#define TO_LIMIT                                                               \
	{                                                                      \
		"limit", "limit", "limit"                                      \
	}

static const struct arg_spec none[] = { ACCOUNT, { 0 } };
static const struct arg_spec list[] = { ACCOUNT, FOLDER, ROWS, { 0 } };
static const struct arg_spec files[] = { ACCOUNT, MESSAGE, FOLDER, { 0 } };
static const struct arg_spec imports[] = {
	ACCOUNT,
	MESSAGE,
	{ "attachment_ids", ARG_TEXT, ARG_REQUIRED | ARG_MANY,
	    .help = "the attachments that list_email_attachments names: all of "
		    "the message's, for they are saved together" },
	FOLDER,
	{ 0 },
};
static const struct arg_spec search[] = {
	ACCOUNT,
	{ "query", ARG_TEXT, ARG_REQUIRED,
	    .help = "part of the subject or sender" },
	FOLDER,
	ROWS,
	{ 0 },
};
static const struct arg_spec reads[] = {
	ACCOUNT,
	MESSAGE,
	FOLDER,
	{ "preview_only", ARG_FLAG,
	    .help = "only the beginning of the text; default: true" },
	{ 0 },
};
static const struct arg_spec sends[] = {
	ACCOUNT,
	{ "to", ARG_TEXT, ARG_REQUIRED, .help = "addresses, with commas" },
	{ "subject", ARG_TEXT, ARG_REQUIRED, .help = "subject" },
	{ "body", ARG_TEXT, ARG_REQUIRED, .help = "text of the message" },
	{ "cc", ARG_TEXT, .help = "addresses, with commas" },
	{ 0 },
};
static const struct arg_spec moves[] = {
	ACCOUNT,
	MESSAGE,
	{ "source_folder", ARG_FOLDER, .help = "folder it is in",
	    .def = "INBOX" },
	{ "target_folder", ARG_FOLDER, .help = "folder to move it to",
	    .def = "Junk" },
	{ 0 },
};
static const struct arg_spec control_none[] = { { 0 } };
static const struct arg_spec control_skill[] = {
	{ "skill", ARG_TEXT, ARG_REQUIRED, .help = "a skill's id" },
	{ 0 },
};

static const struct nova_map to_none[] = { { 0 } };
static const struct nova_map to_list[] = { TO_FOLDER, TO_LIMIT, { 0 } };
static const struct nova_map to_get[] = { TO_UID, TO_FOLDER, { 0 } };
static const struct nova_map to_import[] = { { "message_id", "uid", "uid" },
	{ "folder", "folder", "folder" }, { 0 } };
static const struct nova_map to_search[] = {
	{ "query", "subject_contains", "from" }, TO_FOLDER, TO_LIMIT, { 0 }
};
static const struct nova_map to_send[] = { { "to", "to", NULL },
	{ "subject", "subject", NULL }, { "body", "body", NULL },
	{ "cc", "cc", NULL }, { 0 } };
static const struct nova_map to_move[] = { TO_UID,
	{ "source_folder", "folder", NULL }, { "target_folder", "to", NULL },
	{ 0 } };

#define TOOL(n, s, e, a)                                                       \
	{                                                                      \
		.name = (n), .summary = (s), .effect = (e),                    \
		.needs = NEED_ACCOUNT, .skill = "mail", .args = (a)            \
	}

static const struct nova_tool table[] = {
	{ TOOL("list_emails", "List the newest messages of a folder",
	      EFFECT_READ, list),
	    .does = "list", .map = to_list },
	{ TOOL("read_email", "Read a message, or the beginning of its text",
	      EFFECT_READ, reads),
	    .does = "get", .map = to_get, .attachments = { "meta" } },
	{ TOOL("list_email_attachments", "List the attachments of a message",
	      EFFECT_READ, files),
	    .does = "get", .map = to_get, .attachments = { "meta" } },
	/* Called first to list the files, then to save them. */
	{ TOOL("import_email_attachments",
	      "Save the attachments of a message where attachments are sent "
	      "from",
	      EFFECT_READ, imports),
	    .does = "get", .map = to_import, .attachments = { "meta", "." } },
	{ TOOL("search_emails", "Find messages by their subject or sender",
	      EFFECT_READ, search),
	    .does = "search", .map = to_search },
	{ TOOL("list_mailboxes", "List the folders", EFFECT_READ, none),
	    .does = "folders", .map = to_none },
	{ TOOL("move_email_to_folder", "Move a message into another folder",
	      EFFECT_ORGANISE, moves),
	    .does = "move", .map = to_move, .done = "moved" },
	{ TOOL("mark_email_as_read", "Mark a message as read", EFFECT_ORGANISE,
	      files),
	    .does = "mark", .map = to_get, .flag = "read",
	    .done = "marked as read" },
	{ TOOL("mark_email_as_unread", "Mark a message as unread",
	      EFFECT_ORGANISE, files),
	    .does = "mark", .map = to_get, .flag = "unread",
	    .done = "marked as unread" },
	{ TOOL("delete_email",
	      "Move a message to Trash: nothing is deleted for good",
	      EFFECT_ORGANISE, files),
	    .does = "trash", .map = to_get,
	    .done = "moved to Trash, not deleted" },
	{ TOOL("get_server_capabilities",
	      "Show what the mail server can do, and how full the mailbox is",
	      EFFECT_READ, none),
	    .does = "doctor", .map = to_none },
	{ TOOL("send_email", "Send a message", EFFECT_SEND, sends),
	    .does = "send", .map = to_send },
	{ TOOL("save_draft", "Save a message as a draft, for a person to send",
	      EFFECT_DRAFT, sends),
	    .does = "create_draft", .map = to_send },
};

static const struct op control[] = {
	{ .name = "list_skills",
	    .summary = "List the skills that can be loaded",
	    .args = control_none },
	{ .name = "load_skill",
	    .summary = "Load a skill: its tools are available in this turn",
	    .args = control_skill },
};

enum {
	TOOLS = sizeof(table) / sizeof(table[0]),
	CONTROLS = sizeof(control) / sizeof(control[0])
};

const struct nova_tool *
nova_find(struct str name)
{
	for (size_t i = 0; i < TOOLS; i++)
		if (str_eq(turn_tool(name), str_of(table[i].op.name)))
			return &table[i];
	return NULL;
}

const struct op *
nova_op(struct str name)
{
	const struct nova_tool *t = nova_find(name);

	for (size_t i = 0; i < CONTROLS; i++)
		if (str_eq(turn_tool(name), str_of(control[i].name)))
			return &control[i];
	return t != NULL ? &t->op : NULL;
}

static void
nova_add(struct skills_call *c, struct tools *t, const struct op *op,
    bool visible)
{
	struct str name = str_of(op->name);

	t->v[t->n++] =
	    (struct tool){ op, name, tools_text(c, op, name), visible };
}

/* Does policy ever allow the operation for this tool? */
static int
nova_may(struct skills_call *c, const struct nova_tool *t, bool *out,
    struct err *e)
{
	const struct skill *s = skill_of_op(str_of(t->does));

	*out = gate_caller_may(c->gate, str_of(t->does));
	return *out && s != NULL ? gate_grant_may(c->gate, c->arena, s, out, e)
				 : 0;
}

int
nova_tools(struct skills_call *c, bool all, struct tools *out, struct err *e)
{
	const struct skill *mail = skill_find(S("mail"));
	bool any = false, live = false;

	*out = (struct tools){
		arena_array(c->arena, TOOLS + CONTROLS, sizeof(struct tool)), 0
	};
	if (mail != NULL &&
	    gate_grant_may(c->gate, c->arena, mail, &any, e) < 0)
		return -1;
	for (size_t i = 0; any && i < CONTROLS; i++)
		nova_add(c, out, &control[i], true);
	if (any && c->turn.token.n > 0 &&
	    gate_grant_live(c->gate, c->arena, mail, &live, e) < 0)
		return -1;
	for (size_t i = 0; (live || all) && i < TOOLS; i++) {
		if (nova_may(c, &table[i], &any, e) < 0)
			return -1;
		if (any)
			nova_add(c, out, &table[i].op, live);
	}
	return 0;
}
