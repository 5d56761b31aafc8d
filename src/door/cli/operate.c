/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of the operator's operations: argv to args, through the gate, and the
 * reply as text for a person, or as JSON.
 */
#include "gate/operate.h"

#include <errno.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/cli/cli.h"
#include "door/cli/look.h"
#include "door/cli/show.h"
#include "door/out.h"
#include "door/prompt.h"
#include "door/usage.h"
#include "op/op.h"

/* One call: its line, and its results. */
struct line {
	const struct op *op;
	struct arena *a;
	const struct cli_beside *beside;
	struct flags flags;
};

static int
cli_operate_put_usage(const struct line *l)
{
	struct usage u = usage_op(l->a, l->op);
	struct buf b;

	buf_init(&b, l->a, 1 << 20);
	usage_put(&b, &u);
	return out_done(&b);
}

/* The words from `first` on; returns their number. */
static size_t
cli_operate_put_notes(struct arena *a, const struct gate_lines *notes,
    size_t first)
{
	for (size_t i = first; i < notes->n; i++)
		(void)fprintf(stderr, "%.*s\n",
		    STR_ARG(out_line(a, notes->v[i].text)));
	return notes->n;
}

/* A file must be on disk; a pipe or a terminal has no disk. */
static int
cli_operate_write(struct str text, bool lasts)
{
	if (out_write(STDOUT_FILENO, text) < 0)
		return -1;
	if (!lasts || fsync(STDOUT_FILENO) == 0)
		return 0;
	return errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : -1;
}

/* Lines that cannot wait for the end of the command. */
static int
cli_operate_show(struct arena *a, const struct gate_lines *lines)
{
	return person_write(a, STDOUT_FILENO, lines, false);
}

/* The same if standard output is only for JSON. */
static int
cli_operate_show_beside(struct arena *a, const struct gate_lines *lines)
{
	return person_write(a, STDERR_FILENO, lines, false);
}

static bool
cli_operate_ask(struct arena *a, struct str text, const char *word)
{
	if (text.n > 0)
		prompt_say(text);
	return word == NULL || prompt_word(word, a);
}

static bool
cli_operate_agree(struct arena *a, struct str question)
{
	return prompt_yes(str_c(a, out_safe(a, question)));
}

/* Name, description, schema. */
static bool
cli_operate_tool(struct arena *a, size_t i, struct operate_tool *out)
{
	struct json *j = json_new(a);

	out->op = op_table[i];
	if (out->op == NULL)
		return false;
	json_open_object(j, NULL);
	json_put_text(j, "name", out->op->name);
	json_put_text(j, "description", out->op->summary);
	op_schema_arguments_put(j, "inputSchema", out->op, NULL);
	json_close_object(j);
	out->text = json_text(j, a);
	return true;
}

/* One line, erased at the end. */
static void
cli_operate_progress(uint64_t done, uint64_t all)
{
	if (done < all)
		(void)fprintf(stderr, "\remcli: %llu of %llu",
		    (unsigned long long)done, (unsigned long long)all);
	else
		(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}

static bool
cli_operate_hosts(const struct line *l)
{
	return l->op->hosts &&
	    (l->op->alone == NULL || !args_has(&l->flags.args, l->op->alone));
}

/*
 * The other process finds what came of asking the programs that print keys.
 * They may take a minute, so the operation holds nothing meanwhile that others
 * wait for.  Only that process needs the agents' key: it tells of a fault.
 */
static int
cli_operate_begin(const struct line *l, const struct env *env, struct err *e)
{
	struct err later = { 0 };

	if (!cli_operate_hosts(l))
		return 0;
	if (secret_later_get(env->admin_key, e) < 0)
		return -1;
	(void)env_command_ask(env, &later);
	l->beside->gateway->begin(env);
	return 0;
}

static void
cli_operate_end(const struct line *l)
{
	if (cli_operate_hosts(l))
		l->beside->gateway->end();
}

/* Opens the gate and calls; what comes last is for when it is closed. */
static void
cli_operate_call(struct line *l, const struct env *env, struct reply *r,
    struct operate_last *last)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	const struct operate_door door = {
		.write = cli_operate_write,
		.show = flags_given(&l->flags, "json") ? cli_operate_show_beside
						       : cli_operate_show,
		.person = prompt_possible(),
		.progress =
		    isatty(STDERR_FILENO) == 1 ? cli_operate_progress : NULL,
		.remote = browser_is_remote(),
		.paste = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1,
		.ask = cli_operate_ask,
		.agree = cli_operate_agree,
		.secret = prompt_secret,
		.form = l->beside->form,
		.browse = browser_open,
		.gateway = l->beside->gateway,
		.broker = l->beside->broker,
		.tool = cli_operate_tool,
	};
	size_t said;

	if (operate_owner(env, l->op, &l->flags.args, &r->err) < 0 ||
	    cli_operate_begin(l, env, &r->err) < 0)
		return;
	if (operate_open(env, l->op, &l->flags.args, l->a, &g, &r->err) < 0) {
		cli_operate_end(l);
		return;
	}
	operate_serve(g, &door);
	said = cli_operate_put_notes(l->a, operate_notes(g), 0);
	gate_call(g, l->op, &l->flags.args, l->a, r);
	(void)cli_operate_put_notes(l->a, operate_notes(g), said);
	cli_operate_end(l);
	if (r->err.kind == ERR_NONE)
		*last = operate_last(g);
}

/* A report is complete even if it found an error. */
static bool
cli_operate_is_shown(const struct line *l, const struct reply *r)
{
	if (r->err.kind == ERR_NONE)
		return true;
	if (!l->op->report || r->data == NULL)
		return false;
	return json_text(r->data, l->a).n > sizeof("{}") - 1 ||
	    (!flags_given(&l->flags, "json") && r->person.n > 0);
}

/* A pager is for what was asked to be read.  It would take away again what a
 * change has to say, and what a person was asked before that. */
static int
cli_operate_done(const struct line *l, const struct buf *b)
{
	if (l->op->needs & (NEED_RECORD | NEED_KEY))
		return out_done(b);
	return look_done(&l->flags, b);
}

static int
cli_operate_put_reply(const struct line *l, struct reply *r)
{
	struct buf b;
	int status = 0;

	buf_init(&b, l->a, LIMIT_MESSAGE);
	if (cli_operate_is_shown(l, r)) {
		if (flags_given(&l->flags, "json")) {
			out_json(&b, l->a, r->data);
			status = out_done(&b);
		} else {
			show_put(&b, l->op, r,
			    look_coloured(&l->flags, STDOUT_FILENO));
			status = cli_operate_done(l, &b);
		}
	}
	if (r->err.kind == ERR_NONE || status != 0)
		return status;
	out_help(&r->err, l->a, str_of(l->op->name));
	look_complain(&l->flags, &r->err);
	return out_status(&r->err);
}

int
cli_operate(const struct op *op, int argc, char **argv, const struct env *env,
    const struct err *broken, const struct cli_beside *beside)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct line l = { op, a, beside, { .op = op } };
	struct operate_last last = { 0 };
	struct reply r = { 0 };
	struct err bad = { 0 };
	int parsed = flags_parse(&l.flags, argc, argv, a, &bad);
	const struct args *args = parsed == 0 ? &l.flags.args : NULL;

	if (parsed == 0 && l.flags.help)
		return cli_operate_put_usage(&l);
	if (broken != NULL && operate_needs(op, args) != 0)
		r.err = *broken;
	else if (operate_allow(env, op, args, prompt_possible(), a, &r.err) ==
		0 &&
	    parsed == 0)
		cli_operate_call(&l, env, &r, &last);
	else if (r.err.kind == ERR_NONE)
		r.err = bad;
	if (last.fn != NULL)
		(void)last.fn(last.ctx, a, &r.err);
	return cli_operate_put_reply(&l, &r);
}
