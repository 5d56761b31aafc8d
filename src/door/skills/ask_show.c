/* SPDX-License-Identifier: Apache-2.0 */
/* Output for the person: each call and its result, and what is asked first. */
#include <inttypes.h>

#include "base/utf8.h"
#include "door/argv.h"
#include "door/out.h"
#include "door/prompt.h"
#include "door/skills/ask.h"

enum {
	ARGS_SHOWN = 200
};

void
ask_show_call(const struct turn_call *call)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str args = out_line(a, utf8_first(call->args, ARGS_SHOWN));

	(void)fprintf(stderr, "emcli: > %.*s %.*s%s\n",
	    STR_ARG(out_line(a, utf8_first(call->name, ARGS_SHOWN))),
	    STR_ARG(args), call->args.n > args.n ? "..." : "");
}

void
ask_show_reply(const struct turn_call *call, const struct reply *r)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	if (r->err.kind == ERR_NONE)
		(void)fprintf(stderr, "emcli: < %.*s: ok\n",
		    STR_ARG(out_line(a, utf8_first(call->name, ARGS_SHOWN))));
	else
		(void)fprintf(stderr, "emcli: < %.*s: %s: %.*s\n",
		    STR_ARG(out_line(a, utf8_first(call->name, ARGS_SHOWN))),
		    err_code(r->err.kind),
		    STR_ARG(out_line(a, str_of(r->err.say))));
}

static const char *
ask_show_plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

void
ask_show_sum(const struct ask_sum *s)
{
	(void)fprintf(stderr, "emcli: %u step%s, %u call%s", s->steps,
	    ask_show_plural(s->steps), s->calls, ask_show_plural(s->calls));
	if (s->counted)
		(void)fprintf(stderr,
		    ", %" PRId64 " token%s in, %" PRId64 " out\n", s->tokens_in,
		    ask_show_plural(s->tokens_in), s->tokens_out);
	else
		(void)fputs(", tokens unknown\n", stderr);
}

/* A bar precedes each line of a value: none can pass for our own words. */
static void
ask_show_put_lines(struct buf *b, const char *name, struct str text)
{
	struct str line;

	do {
		(void)str_cut(text, '\n', &line, &text);
		buf_fmt(b, "  %-15s | ", name);
		buf_str(b, line);
		buf_char(b, '\n');
		name = "";
	} while (text.n > 0);
}

/* The arguments that name recipients, or the others. */
static void
ask_show_put_args(struct buf *b, const struct args *args, bool people)
{
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		/* Numbers tell a person nothing: their subjects do. */
		if ((arg->spec->type == ARG_ADDRESS) != people ||
		    arg->spec->type == ARG_UIDS)
			continue;
		for (size_t k = 0; k < arg->text.n; k++)
			ask_show_put_lines(b,
			    argv_spell(b->a, arg->spec->name).p,
			    out_safe(b->a, arg->text.v[k]));
	}
}

/* "change them": what a person who declines has declined. */
static const char *
ask_show_deed(const struct gate_act *act)
{
	return act->messages > 0 ? "change them" : "send it";
}

static int
ask_show_nobody(const struct gate_act *act, struct err *e)
{
	if (act->messages > 0)
		(void)err_set(e, ERR_POLICY,
		    "not changed: %zu messages are more than %d, and nobody is "
		    "at a terminal to agree",
		    act->messages, LIMIT_ORGANISE_UNASKED);
	else
		(void)err_set(e, ERR_POLICY,
		    "not sent: nobody is at a terminal to agree");
	e->reason = "no_terminal";
	return err_hint(e,
	    act->messages > 0
		? "the user runs emcli ask at a terminal, where it asks; "
		  "dry_run shows what would be changed"
		: "run it at a terminal, or with --yes-send");
}

/* How many messages, and the subjects of the first. */
static void
ask_show_put_messages(struct buf *b, const struct gate_act *act)
{
	ask_show_put_lines(b, "messages", str_fmt(b->a, "%zu", act->messages));
	for (size_t i = 0; i < act->some->n; i++)
		ask_show_put_lines(b, i == 0 ? "such as" : "",
		    out_line(b->a, utf8_first(act->some->v[i], ARGS_SHOWN)));
}

int
ask_show_consent(const struct gate_act *act, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const char *deed = ask_show_deed(act);
	struct buf b;

	if (!prompt_possible())
		return ask_show_nobody(act, e);
	buf_init(&b, a, LIMIT_ARENA);
	buf_fmt(&b, "\nThe model wants to %.*s:\n",
	    STR_ARG(argv_spell(a, act->op->name)));
	ask_show_put_args(&b, act->args, false);
	/* At the end, so that a long body cannot scroll them away. */
	ask_show_put_args(&b, act->args, true);
	if (act->messages > 0)
		ask_show_put_messages(&b, act);
	prompt_say(buf_view(&b));
	if (prompt_word(deed, a))
		return 0;
	(void)err_set(e, ERR_POLICY,
	    "the person at the terminal declined to %s", deed);
	e->reason = "declined";
	return -1;
}

int
ask_show_consent_change(const struct gate_act *act, struct err *e)
{
	return act->messages > 0 ? ask_show_consent(act, e) : 0;
}
