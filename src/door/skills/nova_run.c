/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of profile nova: maps its arguments to ours, and our replies to its
 * sentences.
 */
#include "base/limits.h"
#include "door/fence.h"
#include "door/skills/nova.h"
#include "gate/grant.h"

/* "a@b.example, c@d.example" as two. */
static int
nova_run_add_all(struct args *args, struct arena *a, const char *to,
    struct str value, struct err *e)
{
	struct arg *arg = args_find(args, str_of(to));
	bool more = (arg->spec->flags & ARG_MANY) != 0;
	struct str one;

	if (!more)
		return args_add(args, a, arg, value, e);
	while (more) {
		more = str_cut(value, ',', &one, &value);
		one = str_trim(one);
		if (one.n > 0 && args_add(args, a, arg, one, e) < 0)
			return -1;
	}
	return 0;
}

static int
nova_run_add_text(struct args *args, struct arena *a, const char *to,
    const char *value, struct err *e)
{
	return args_add(args, a, args_find(args, str_of(to)), str_of(value), e);
}

/* The operation's arguments; `again` is for its second call. */
static int
nova_run_translate(struct skills_call *c, const struct nova_tool *t,
    const struct args *given, bool again, struct args *out, struct err *e)
{
	args_init(out, op_find(str_of(t->does))->args, c->arena);
	if (nova_run_add_all(out, c->arena, "account",
		args_text(given, "account"), e) < 0)
		return -1;
	for (const struct nova_map *m = t->map; m->name != NULL; m++) {
		struct str value = args_text(given, m->name);

		if (value.n > 0 &&
		    nova_run_add_all(out, c->arena, again ? m->again : m->to,
			value, e) < 0)
			return -1;
	}
	if (t->flag != NULL &&
	    nova_run_add_text(out, c->arena, t->flag, "true", e) < 0)
		return -1;
	if (t->attachments[again] == NULL)
		return 0;
	return nova_run_add_text(out, c->arena, "attachments",
	    t->attachments[again], e);
}

/* It is true by default, unlike every flag of emcli. */
static bool
nova_run_wants_preview(const struct turn_call *call)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct err none = { 0 };
	bool on = true;

	if (json_parse_open(call->args, LIMIT_ARGV, &d, &none) == 0)
		(void)json_parse_bool(json_parse_member(json_parse_root(d),
					  "preview_only"),
		    &on);
	return on;
}

/* One mail call on its way. */
struct way {
	struct skills_call *c;
	const struct nova_tool *tool;
	const struct op *op; /* the operation for the tool */
	struct args given;
	struct buf said;
	struct strs rows;
	bool preview;
};

/* Records a call that was not made. */
static void
nova_run_refuse(struct skills_call *c, const char *name, const struct err *why,
    struct answer *out)
{
	struct reply r = { 0 };

	gate_refuse(c->gate, name, why, c->arena, &r);
	out->failed = true;
	out->text =
	    str_fmt(c->arena, "Error (%s): %s", err_code(why->kind), why->say);
}

/* The first of two calls for attachments only lists them. */
static int
nova_run_say(struct way *w, bool again, struct str data, struct answer *out,
    struct err *e)
{
	struct err bad = { 0 };

	if (w->tool->attachments[1] != NULL && !again) {
		if (nova_files_all(args_list(&w->given, "attachment_ids"), data,
			&bad) == 0)
			return 1;
		nova_run_refuse(w->c, w->op->name, &bad, out);
		return 0;
	}
	return nova_say(&w->said, w->tool, &w->given, w->preview, data,
		   &w->rows, e) < 0
	    ? -1
	    : 1;
}

/* 1: success; 0: *out has the reason; -1. */
static int
nova_run_call_mail_once(struct way *w, bool again, struct answer *out,
    struct err *e)
{
	struct skills_call *c = w->c;
	struct reply r = { 0 };
	struct err bad = { 0 };
	struct args args;
	int done;

	if (nova_run_translate(c, w->tool, &w->given, again, &args, &bad) < 0)
		gate_refuse(c->gate, w->op->name, &bad, c->arena, &r);
	else
		gate_call(c->gate, w->op, &args, c->arena, &r);
	if (r.err.kind == ERR_NONE || w->op->report) {
		done =
		    nova_run_say(w, again, json_text(r.data, c->arena), out, e);
		/* A report that fails elsewhere may have what is asked for. */
		if (!w->op->report || w->said.n > 0 || done < 0)
			return done;
	}
	out->failed = true;
	if (r.err.kind == ERR_NONE) {
		out->text =
		    S("Error (unsupported): this mailbox is on no IMAP server");
		return 0;
	}
	if (r.err.kind == ERR_SKILL)
		out->text =
		    nova_say_refused(c->arena, true, r.err.reason, S("mail"));
	else
		out->text = nova_say_failed(c->arena, w->tool, &w->given,
		    selector_address(&c->boxes,
			args_text(&w->given, "account")),
		    &r.err);
	return 0;
}

static int
nova_run_finish(struct way *w, struct answer *out, struct err *e)
{
	struct arena *a = w->c->arena;
	struct str text = buf_view(&w->said);
	bool lists = w->tool->map->name != NULL &&
	    args_find(&w->given, S("limit")) != NULL;

	if (w->said.over)
		return err_set(e, ERR_LIMIT, "the result is too long");
	if (lists)
		text = str_fmt(a,
		    w->rows.n > 0 ? "Emails in %.*s:\n%.*s"
				  : "No emails found in %.*s%.*s",
		    STR_ARG(args_text(&w->given, "folder")), STR_ARG(text));
	out->text = text;
	if (w->op->effect == EFFECT_READ && (!lists || w->rows.n > 0))
		return fence_put(a, text, &out->text, e);
	return 0;
}

/* The gate asks for a grant only where the operation is of a skill. */
static int
nova_run_is_loaded(struct skills_call *c, const struct op *op, bool *loaded,
    struct err *e)
{
	const struct skill *mail = skill_find(S("mail"));

	*loaded = skill_of_op(str_of(op->name)) != NULL;
	if (*loaded || mail == NULL || c->turn.token.n == 0)
		return 0;
	return gate_grant_live(c->gate, c->arena, mail, loaded, e);
}

static int
run_mail(struct skills_call *c, const struct nova_tool *t, struct answer *out,
    struct err *e)
{
	struct way w = {
		.c = c,
		.tool = t,
		.op = op_find(str_of(t->does)),
		.preview = nova_run_wants_preview(out->call),
	};
	struct err bad = { 0 };
	struct str told = { 0 };
	bool twice = t->attachments[1] != NULL ||
	    (t->map->again != NULL &&
		!str_eq(str_of(t->map->again), str_of(t->map->to)));
	bool loaded;
	int done;

	if (nova_run_is_loaded(c, w.op, &loaded, e) < 0)
		return -1;
	if (!loaded) {
		(void)err_set(&bad, ERR_SKILL,
		    "the skill mail is not active: load it");
		nova_run_refuse(c, w.op->name, &bad, out);
		out->text = nova_say_refused(c->arena, true, "skill_not_active",
		    S("mail"));
		return 0;
	}
	buf_init(&w.said, c->arena, LIMIT_MESSAGE);
	if (arguments_read(c, &t->op, out->call, &w.given, &told, &bad) < 0 ||
	    args_check(&w.given, c->arena, &bad) < 0) {
		nova_run_refuse(c, w.op->name, &bad, out);
		if (told.n > 0)
			out->text = told;
		return 0;
	}
	done = nova_run_call_mail_once(&w, false, out, e);
	if (done == 1 && twice)
		done = nova_run_call_mail_once(&w, true, out, e);
	return done == 1 ? nova_run_finish(&w, out, e) : done;
}

/* Through the gate, because loads are recorded. */
static int
run_control(struct skills_call *c, const struct op *op, struct answer *out,
    struct err *e)
{
	const struct op *real = op_find(str_of(op->name));
	const struct skill *mail = skill_find(S("mail"));
	struct str asked = { 0 }, say = { 0 };
	struct err bad = { 0 };
	struct args given, args;
	struct reply r = { 0 };
	bool any = false;

	if (mail != NULL &&
	    gate_grant_may(c->gate, c->arena, mail, &any, e) < 0)
		return -1;
	args_init(&args, real->args, c->arena);
	if (arguments_read(c, op, out->call, &given, &say, &bad) == 0 &&
	    op->args->name != NULL) {
		asked = args_text(&given, "skill");
		/* Its parts are not separate skills in this profile. */
		if (skill_find(asked) != mail)
			(void)err_set(&bad, ERR_NOT_FOUND,
			    "the skill does not exist");
		else
			(void)nova_run_add_text(&args, c->arena, "skill",
			    "mail", &bad);
	}
	if (bad.kind != ERR_NONE)
		gate_refuse(c->gate, real->name, &bad, c->arena, &r);
	else
		gate_call(c->gate, real, &args, c->arena, &r);
	out->failed = r.err.kind != ERR_NONE;
	if (!out->failed)
		out->text = op->args->name != NULL ? nova_say_loaded(c->arena)
						   : nova_say_skills(c->arena);
	else if (r.err.kind == ERR_NOT_FOUND)
		out->text =
		    nova_say_refused(c->arena, any, "unknown_skill", asked);
	else
		out->text = r.err.kind == ERR_POLICY
		    ? nova_say_refused(c->arena, any, "not_permitted", asked)
		    : str_fmt(c->arena, "Error (%s): %s", err_code(r.err.kind),
			  r.err.say);
	return 0;
}

int
nova_run(struct skills_call *c, const struct op *op, struct answer *out,
    struct err *e)
{
	const struct nova_tool *t = nova_find(str_of(op->name));

	if (out->call->twice) {
		out->failed = true;
		out->text = S(
		    "Error (usage): two calls have this id: neither was made");
		return 0;
	}
	return t != NULL ? run_mail(c, t, out, e) : run_control(c, op, out, e);
}
