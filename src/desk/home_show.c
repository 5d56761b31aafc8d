/* SPDX-License-Identifier: Apache-2.0 */
/* emcli home show: one home, and the contents of its manifest. */
#include "desk/desk.h"
#include "desk/home_args.h"

static const struct arg_spec args[] = {
	HOME_ARGS_HOME,
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field launch[] = {
	{ "env_var", FIELD_TEXT, .nullable = true,
	    .help = "the variable that its program finds it by" },
	{ "executable", FIELD_TEXT, .nullable = true,
	    .help = "the program that is started" },
	{ 0 },
};

static const struct field mailbox[] = {
	{ "transport", FIELD_TEXT, .help = "none, filesystem or stalwart" },
	{ "principal_id", FIELD_TEXT, .optional = true,
	    .help = "who the agent is among agents" },
	{ "address", FIELD_TEXT, .optional = true, .help = "its address" },
	{ "filesystem_root", FIELD_TEXT, .optional = true,
	    .help = "the mailbox root" },
	{ "base_url", FIELD_TEXT, .optional = true, .help = "the server" },
	{ "jmap_url", FIELD_TEXT, .optional = true,
	    .help = "where it speaks JMAP" },
	{ "management_url", FIELD_TEXT, .optional = true,
	    .help = "where accounts are made" },
	{ 0 },
};

static const struct field result[] = {
	HOME_ARGS_FIELDS,
	{ "launch", FIELD_OBJECT, .help = "how it is started", .sub = launch },
	{ "skills", FIELD_TEXTS, .help = "the skills in it" },
	{ "mailbox", FIELD_OBJECT, .nullable = true,
	    .help = "the mailbox that is declared for it", .sub = mailbox },
	{ 0 },
};

static void
home_show_put_mailbox(struct json *out, const struct brain *b)
{
	if (!b->mailbox.said) {
		json_put_null(out, "mailbox");
		return;
	}
	json_open_object(out, "mailbox");
	json_put_str(out, "transport", home_args_transport(b));
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++) {
		struct str s = declaration_get(&b->mailbox, f);

		if (s.n > 0)
			json_put_str(out, f->key, s);
	}
	json_close_object(out);
}

static void
home_show_put_text(struct json *out, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(out, key, s);
	else
		json_put_null(out, key);
}

static void
home_show_say(struct call *c, const struct home_entry *h)
{
	const struct brain *b = &h->brain;
	const struct {
		const char *name;
		struct str value;
	} rows[] = {
		{ "home", h->id },
		{ "not ready", h->why },
		{ "folder", h->path },
		{ "manifest", h->manifest },
		{ "tool", b->tool },
		{ "agent", b->agent },
		{ "role", b->role },
		{ "built", b->built_at },
		{ "variable", b->variable },
		{ "mailbox", home_args_transport(b) },
		{ "principal", b->mailbox.principal_id },
		{ "address", b->mailbox.address },
		{ "mailbox root", b->mailbox.filesystem_root },
		{ "server", b->mailbox.base_url },
		{ "JMAP", b->mailbox.jmap_url },
		{ "management", b->mailbox.management_url },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value.n > 0)
			gate_say_pair(c, rows[i].name, rows[i].value);
	for (size_t i = 0; i < b->skills.n; i++)
		gate_say_pair(c, i == 0 ? "skills" : "", b->skills.v[i]);
}

static int
home_show_run(struct call *c, struct json *out, struct err *e)
{
	struct home_entry h;

	if (home_list_find(args_text(c->args, "runtime_root"),
		args_text(c->args, "home"), c->arena, &h, e) < 0)
		return -1;
	home_args_put(out, &h);
	json_open_object(out, "launch");
	home_show_put_text(out, "env_var", h.brain.variable);
	home_show_put_text(out, "executable", h.brain.executable);
	json_close_object(out);
	json_put_strs(out, "skills", &h.brain.skills);
	home_show_put_mailbox(out, &h.brain);
	home_args_warn(c, &h);
	home_show_say(c, &h);
	return 0;
}

const struct op desk_home_show = {
	.name = "home show",
	.summary = "Show one home of an agent",
	.effect = EFFECT_OPERATE,
	.shows = "emcli home list",
	.args = args,
	.result = result,
	.run = home_show_run,
};
