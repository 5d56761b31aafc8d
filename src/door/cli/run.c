/*
 * One operation, once: argv to args, through the gate, reply to stdout.  What
 * cannot be parsed passes the gate too, so that it is in the audit log.
 */
#include "base/limits.h"
#include "door/argv.h"
#include "door/cli/cli.h"
#include "door/cli/internal.h"
#include "door/envelope.h"
#include "door/out.h"
#include "door/usage.h"

/* How a reply is written. */
enum as {
	AS_FITS, /* by what standard output is */
	AS_JSON,
	AS_TEXT,
};

static const struct arg_spec json_flag = {
	.name = "json",
	.type = ARG_FLAG,
	.help = "JSON even where a terminal would be shown something else",
};

static const struct arg_spec text_flag = {
	.name = "text",
	.type = ARG_FLAG,
	.help = "what a terminal is shown, wherever it goes",
};

/* Writes the reply; returns the exit status. */
static int
put_reply(struct arena *a, struct reply *r, bool report, enum as as)
{
	bool written;

	if (as == AS_TEXT ||
	    (as == AS_FITS && (report || r->person.n > 0) &&
		isatty(STDOUT_FILENO))) {
		written = person_write(a, &r->person) == 0;
		/* Lines of a report end with what came of it. */
		if (r->err.kind != ERR_NONE && r->person.n == 0)
			out_complain(&r->err, false);
	} else {
		written = json_write(envelope_make(a, r), STDOUT_FILENO) == 0 &&
		    out_write(STDOUT_FILENO, S("\n")) == 0;
	}
	return written ? out_status(&r->err)
		       : out_unwritten(out_status(&r->err));
}

/* The operation's table, --json after it, and --text where there is a report.
 */
static struct arg_spec *
with_flags(const struct op *op, struct arena *a, size_t *n)
{
	struct arg_spec *table;

	*n = 0;
	while (op->args[*n].name != NULL)
		(*n)++;
	table = arena_array(a, *n + 3, sizeof(*table));
	for (size_t i = 0; i < *n; i++)
		table[i] = op->args[i];
	table[*n] = json_flag;
	if (op->report)
		table[*n + 1] = text_flag;
	return table;
}

/* Parses into args of the operation's own table. */
static int
parse(const struct op *op, int argc, char **argv, struct arena *a,
    struct args *args, enum as *as, bool *help, struct err *e)
{
	struct args all;
	size_t n;
	int r = argv_parse(with_flags(op, a, &n), argc, argv, a, &all, help, e);

	*as = all.v[n].text.n > 0 ? AS_JSON : AS_FITS;
	if (op->report && all.v[n + 1].text.n > 0) {
		if (r == 0 && *as == AS_JSON)
			r = err_set(e, ERR_USAGE,
			    "--json and --text exclude each other");
		*as = *as == AS_JSON ? AS_JSON : AS_TEXT;
	}
	args_init(args, op->args, a);
	for (size_t i = 0; i < n; i++) {
		args->v[i].shown = all.v[i].shown;
		args->v[i].text = all.v[i].text;
		args->v[i].file = all.v[i].file;
	}
	return r;
}

static int
put_usage(struct arena *a, const struct op *op)
{
	struct usage u = { argv_spell(a, op->name), op->summary, op->args,
		op->result, true };
	struct buf b;

	buf_init(&b, a, 1 << 20);
	usage_put(&b, &u);
	return out_done(&b);
}

/* For who waits at a terminal: one line, taken away at the end. */
static void
show_progress(uint64_t done, uint64_t all)
{
	if (done < all)
		(void)fprintf(stderr, "\remcli: reading the archive: %2d%%",
		    (int)(100.0 * (double)done / (double)all));
	else
		(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}

int
cli_run(const struct op *op, int argc, char **argv, const struct env *env,
    const struct err *broken)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	struct err bad = { 0 }, e = { 0 };
	struct reply r = { 0 };
	struct args args;
	enum as as;
	bool help;
	int parsed = parse(op, argc, argv, a, &args, &as, &help, &bad);

	if (parsed == 0 && help)
		return put_usage(a, op);
	if (broken == NULL)
		(void)gate_open(env, &g, &e);
	else
		e = *broken;
	if (g != NULL && isatty(STDERR_FILENO))
		gate_progress(g, show_progress);
	if (parsed < 0)
		gate_refuse(g, op->name, &bad, a, &r);
	else if (g == NULL)
		gate_refuse(NULL, op->name, &e, a, &r);
	else
		gate_call(g, op, &args, a, &r);
	out_help(&r.err, a, argv_spell(a, op->name));
	return put_reply(a, &r, op->report, as);
}

int
cli_run_refuse(const char *action, const struct env *env, const struct err *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	struct reply r = { 0 };
	struct err e = { 0 };

	if (env != NULL)
		(void)gate_open(env, &g, &e);
	gate_refuse(g, action, why, a, &r);
	return put_reply(a, &r, false, AS_FITS);
}
