/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli mcp install: adds emcli to a client, by printing the entry for its file
 * or by writing it there.  Files hold no key and no token: they name a file
 * that holds it, or a variable: of the key, or of a program that prints it.
 */
#include "desk/desk.h"
#include "desk/mcp_client.h"
#include "desk/mcp_merge.h"
#include "desk/mcp_write.h"

static const struct arg_spec args[] = {
	/* As in mcp_client.c. */
	{ "client", ARG_CHOICE, ARG_REQUIRED,
	    .help = "the program that is to start emcli, or to connect to it",
	    .choices = "claude|claude-desktop|cline|codex|continue|copilot|"
		       "cursor|gemini|hermes|openclaw|opencode|qwen|vscode|"
		       "windsurf" },
	{ "write", ARG_FLAG,
	    .help = "put it into the client's file, beside what is there" },
	{ "file", ARG_PATH,
	    .help = "another file than where the client looks by itself" },
	{ "http", ARG_TEXT,
	    .help = "of a server that runs: its address; the token comes from "
		    "EMCLI_TOKEN" },
	{ "key_file", ARG_PATH,
	    .help = "the file with the agent's key; else EMCLI_KEY, or "
		    "EMCLI_KEY_COMMAND, is handed on" },
	{ 0 },
};

static const struct field result[] = {
	{ "client", FIELD_TEXT, .help = "as --client calls it" },
	{ "file", FIELD_TEXT, .help = "where it looks for its servers" },
	{ "entry", FIELD_TEXT, .nullable = true,
	    .help = "what goes into that file; null with --write" },
	{ "written", FIELD_BOOL,
	    .help = "whether it was put there; false if it was there" },
	{ "backup", FIELD_TEXT, .nullable = true,
	    .help = "the file with what was there before" },
	{ "next", FIELD_TEXT, .help = "what to do then" },
	{ 0 },
};

static int
mcp_install_where(struct call *c, const struct mcp_client *to, const char **out,
    struct err *e)
{
	struct str given = args_text(c->args, "file"), file = str_of(to->file);
	const char *home = getenv("HOME");

	*out = str_c(c->arena, given.n > 0 ? given : file);
	if (given.n > 0 || !str_starts(file, S("~/")))
		return 0;
	if (home == NULL || home[0] != '/')
		return err_set(e, ERR_CONFIG,
		    "HOME is not set: say --file PATH");
	*out = str_fmt(c->arena, "%s%s", home, to->file + 1).p;
	return 0;
}

static void
mcp_install_put_reply(struct json *out, const struct mcp_client *to,
    const char *path)
{
	json_put_text(out, "client", to->name);
	json_put_text(out, "file", path);
	json_put_text(out, "next", to->next);
}

static void
mcp_install_put_backup(struct json *out, const char *path)
{
	json_put_text(out, "backup", path);
}

static void
mcp_install_say_written(struct call *c, const char *path,
    const struct mcp_write *w)
{
	struct str said = str_fmt(c->arena, "%s: written", path);

	if (!w->written)
		said = str_fmt(c->arena, "%s: it is there already", path);
	else if (w->backup != NULL)
		said = str_fmt(c->arena, "%s: written; what was there is in %s",
		    path, w->backup);
	gate_say_line(c, said);
}

static int
mcp_install_write(struct call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, const char *path, struct json *out,
    struct err *e)
{
	struct mcp_write w;
	struct str text;
	int r;

	if (mcp_write_read(path, c->arena, &w, e) < 0)
		return -1;
	if (to->first != NULL && str_trim(w.text).n == 0) {
		mcp_write_done(&w);
		return err_set(e, ERR_CONFIG, "%s: %s", path, to->first);
	}
	r = mcp_merge(to, s, w.text, c->arena, &text, e);
	if (r == 0 && !str_eq(text, w.text))
		r = mcp_write_put(&w, text, c->arena, e);
	if (r == 0) {
		mcp_install_put_reply(out, to, path);
		json_put_null(out, "entry");
		json_put_bool(out, "written", w.written);
		mcp_install_put_backup(out, w.backup);
		mcp_install_say_written(c, path, &w);
		mcp_next_say(c, to);
	}
	mcp_write_done(&w);
	return r;
}

static int
mcp_install_print(struct call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, const char *path, struct json *out,
    struct err *e)
{
	struct str text;

	if (mcp_merge(to, s, S(""), c->arena, &text, e) < 0)
		return -1;
	mcp_install_put_reply(out, to, path);
	json_put_str(out, "entry", text);
	json_put_bool(out, "written", false);
	mcp_install_put_backup(out, NULL);
	gate_say_raw(c, text);
	operate_note(c,
	    "emcli: this goes into %s; --write puts it there; then %s", path,
	    to->next);
	return 0;
}

static int
mcp_install_run(struct call *c, struct json *out, struct err *e)
{
	struct mcp_client_server s = { 0 };
	const struct mcp_client *to =
	    mcp_client_find(args_text(c->args, "client"));
	const char *path;

	if (to == NULL)
		err_bug("a client that is not in the table");
	if (mcp_server_describe(c, to, &s, e) < 0 ||
	    mcp_install_where(c, to, &path, e) < 0 ||
	    mcp_next_check(c, to, &s, e) < 0)
		return -1;
	return args_has(c->args, "write")
	    ? mcp_install_write(c, to, &s, path, out, e)
	    : mcp_install_print(c, to, &s, path, out, e);
}

const struct op desk_mcp_install = {
	.name = "mcp install",
	.summary = "Tell a model's host of emcli, or print how",
	.effect = EFFECT_OPERATE,
	.needs = NEED_FILES,
	.when = "write",
	.args = args,
	.result = result,
	.run = mcp_install_run,
};
