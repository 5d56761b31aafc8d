/* Output for the person: each call and its result, and outgoing mail. */
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

		if ((arg->spec->type == ARG_ADDRESS) != people)
			continue;
		for (size_t k = 0; k < arg->text.n; k++)
			ask_show_put_lines(b,
			    argv_spell(b->a, arg->spec->name).p,
			    out_safe(b->a, arg->text.v[k]));
	}
}

int
ask_show_consent(const struct op *op, const struct args *args, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct buf b;

	if (!prompt_possible()) {
		(void)err_set(e, ERR_POLICY,
		    "not sent: nobody is at a terminal to agree");
		e->reason = "no_terminal";
		return err_hint(e, "run it at a terminal, or with --yes-send");
	}
	buf_init(&b, a, LIMIT_ARENA);
	buf_fmt(&b, "\nThe model wants to %.*s:\n",
	    STR_ARG(argv_spell(a, op->name)));
	ask_show_put_args(&b, args, false);
	/* At the end, so that a long body cannot scroll them away. */
	ask_show_put_args(&b, args, true);
	prompt_say(buf_view(&b));
	if (prompt_word("send it", a))
		return 0;
	(void)err_set(e, ERR_POLICY,
	    "the person at the terminal declined to send it");
	e->reason = "declined";
	return -1;
}
