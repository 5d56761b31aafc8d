/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli load-skill: the only operation that makes a grant.  The instructions
 * stay in the conversation; only the grant ends.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "gate/boxes.h"
#include "gate/grant.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_SKILL,
	{ "again", ARG_FLAG,
	    .help = "repeat the instructions, if they were lost" },
	{ 0 },
};

static const struct field account[] = {
	{ "name", FIELD_TEXT, .help = "value of account in the operations" },
	{ "mailbox", FIELD_TEXT, .optional = true,
	    .help = "value of mailbox in tools that have mailbox instead of "
		    "account" },
	{ "address", FIELD_TEXT, .help = "whose mailbox it is" },
	{ "sends", FIELD_BOOL, .help = "may it send?" },
	{ 0 },
};

static const struct field result[] = {
	{ "status", FIELD_TEXT,
	    .help = "loaded, or already_active: nothing changed" },
	FIELDS_SCOPE,
	{ "skill", FIELD_TEXT, .help = "its id" },
	{ "label", FIELD_TEXT, .help = "for people" },
	{ "lease", FIELD_TEXT,
	    .help = "value of lease in the skill's operations" },
	{ "expires_at", FIELD_TEXT,
	    .help = "when it ends at the latest (RFC 3339)" },
	{ "idle_seconds", FIELD_INT,
	    .help = "it also ends after this many seconds without use" },
	{ "ends", FIELD_TEXT, .help = "when it ends, in words" },
	{ "tools", FIELD_TEXTS, .help = "the operations it allows" },
	{ "accounts", FIELD_OBJECTS,
	    .help = "the accounts they may name; those without credentials are "
		    "left out",
	    .sub = account },
	{ "instructions", FIELD_TEXT, .optional = true,
	    .help = "how to use them; absent when already_active, unless asked "
		    "for" },
	{ "resources", FIELD_TEXTS, .help = "files for read_skill_resource" },
	{ "digest", FIELD_TEXT, .help = "of the skill's text" },
	FIELDS_WARNINGS,
	{ 0 },
};

/* The text, marked as a skill's, with a list of its other files. */
static struct str
load_skill_instructions(const struct call *c, const struct skill *s)
{
	const struct skill_file *f = s->resources;
	struct str prefix = gate_caller_prefix(c->gate);
	struct buf b;

	buf_init(&b, c->arena, 2 * LIMIT_SKILL);
	buf_fmt(&b, "<skill_content name=\"%s\">\n", s->name);
	if (prefix.n > 0)
		buf_fmt(&b,
		    "Here the name of each tool begins with %.*s: `get` "
		    "below is %.*sget.\n\n",
		    STR_ARG(prefix), STR_ARG(prefix));
	buf_str(&b, s->body);
	buf_text(&b, "\n\n<skill_resources>\n");
	for (; f->path != NULL; f++)
		buf_fmt(&b, "<file>%s</file>\n", f->path);
	buf_text(&b, "</skill_resources>\n</skill_content>");
	return buf_view(&b);
}

/* If the turn is unknown, nothing ends with it. */
static struct str
load_skill_ends(const struct call *c, const struct gate_grant *g)
{
	struct buf b;

	buf_init(&b, c->arena, 1000);
	if (gate_grant_in_turn(c->gate))
		buf_text(&b, "with the user's turn; before that ");
	buf_fmt(&b, "after %u seconds without use, and at %.*s", g->idle_s,
	    STR_ARG(clock_rfc3339(c->arena, g->expires_s)));
	if (g->uses > 0)
		buf_fmt(&b, ", and after %u more calls", g->uses);
	return buf_view(&b);
}

/* The names of its tools for this caller. */
static void
load_skill_put_tools(const struct call *c, struct json *out, struct str ops)
{
	struct str prefix = gate_caller_prefix(c->gate), one;
	bool more = true;

	json_open_array(out, "tools");
	while (more) {
		more = str_cut(ops, ' ', &one, &ops);
		if (one.n > 0)
			json_put_str(out, NULL,
			    str_fmt(c->arena, "%.*s%.*s", STR_ARG(prefix),
				STR_ARG(one)));
	}
	json_close_array(out);
}

/* A caller that may name an account gets the names. */
static int
load_skill_put_accounts(struct call *c, struct json *out, struct err *e)
{
	const struct strs *called = gate_caller_mailboxes(c->gate);
	struct boxes_row *v;
	size_t n, k = 0;

	if (boxes_list(c->gate, c->arena, &v, &n, e) < 0)
		return -1;
	json_open_array(out, "accounts");
	for (size_t i = 0; i < n; i++) {
		if (!v[i].ready)
			continue;
		json_open_object(out, NULL);
		json_put_str(out, "name", v[i].name);
		if (called != NULL && k < called->n)
			json_put_str(out, "mailbox", called->v[k++]);
		json_put_str(out, "address", v[i].address);
		json_put_bool(out, "sends", v[i].sends);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

static int
load_skill_run(struct call *c, struct json *out, struct err *e)
{
	const struct skill_file *f;
	const struct skill *s;
	struct gate_grant g;

	if (fields_skill(c, &s, e) < 0 || gate_grant_load(c, s, &g, e) < 0)
		return -1;
	json_put_text(out, "status", g.fresh ? "loaded" : "already_active");
	fields_put_scope(out, c);
	json_put_text(out, "skill", s->name);
	json_put_text(out, "label", s->label);
	json_put_str(out, "lease", g.lease);
	json_put_str(out, "expires_at", clock_rfc3339(c->arena, g.expires_s));
	json_put_int(out, "idle_seconds", g.idle_s);
	json_put_str(out, "ends", load_skill_ends(c, &g));
	load_skill_put_tools(c, out, g.ops);
	if (load_skill_put_accounts(c, out, e) < 0)
		return -1;
	if (g.fresh || args_has(c->args, "again"))
		json_put_str(out, "instructions",
		    load_skill_instructions(c, s));
	json_open_array(out, "resources");
	for (f = s->resources; f->path != NULL; f++)
		json_put_text(out, NULL, f->path);
	json_close_array(out);
	json_put_text(out, "digest", s->digest);
	return 0;
}

const struct op op_load_skill = {
	.name = "load_skill",
	.summary =
	    "Load a skill for mail (email, inbox): its instructions, and a "
	    "lease for its tools, which ends unused, in time, or with the "
	    "user's turn; the reply says when",
	.effect = EFFECT_STATE,
	.args = args,
	.result = result,
	.run = load_skill_run,
};
