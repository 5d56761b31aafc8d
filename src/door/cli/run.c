/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One operation: argv to args, through the gate, reply to stdout.  Calls that
 * cannot be parsed also pass the gate, so that they are in the audit log.
 */
#include "base/limits.h"
#include "door/argv.h"
#include "door/cli/cli.h"
#include "door/cli/human.h"
#include "door/cli/look.h"
#include "door/envelope.h"
#include "door/out.h"
#include "door/usage.h"

/* How a reply is written. */
enum as {
	AS_FITS, /* depends on standard output */
	AS_JSON,
	AS_TEXT,
	AS_HUMAN, /* from the result's fields */
};

/* One line, without the details that only the audit log gets. */
static int
cli_run_put_error(const struct flags *f, struct reply *r)
{
	r->err.detail[0] = '\0';
	look_complain(f, &r->err);
	return out_status(&r->err);
}

/* For a person.  Returns the exit status. */
static int
cli_run_put_human(struct arena *a, const struct flags *f, struct reply *r)
{
	struct buf b;

	if (r->err.kind != ERR_NONE)
		return cli_run_put_error(f, r);
	buf_init(&b, a, LIMIT_MESSAGE);
	if (human_put(&b, f->op, json_text(r->data, a),
		look_coloured(f, STDOUT_FILENO), &r->err) < 0)
		return cli_run_put_error(f, r);
	return look_done(f, &b);
}

/* Is it shown as lines? */
static bool
cli_run_has_lines(const struct flags *f, const struct gate_lines *lines,
    enum as as)
{
	return as == AS_TEXT ||
	    (as == AS_FITS && (f->op->report || lines->n > 0) &&
		isatty(STDOUT_FILENO));
}

/* Writes the reply; returns the exit status. */
static int
cli_run_put_reply(struct arena *a, const struct flags *f, struct reply *r,
    enum as as)
{
	bool written;

	if (cli_run_has_lines(f, &r->person, as)) {
		written = person_write(a, STDOUT_FILENO, &r->person,
			      look_coloured(f, STDOUT_FILENO)) == 0;
		/* Lines of a report end with its outcome. */
		if (r->err.kind != ERR_NONE && r->person.n == 0)
			out_complain(&r->err, false);
	} else {
		written = json_write(envelope_make(a, r), STDOUT_FILENO) == 0 &&
		    out_write(STDOUT_FILENO, S("\n")) == 0;
	}
	return written ? out_status(&r->err)
		       : out_unwritten(out_status(&r->err));
}

static int
cli_run_parse(struct flags *f, int argc, char **argv, struct arena *a,
    enum as *as, struct err *e)
{
	static const struct {
		const char *name;
		enum as as;
	} others[] = { { "text", AS_TEXT }, { "human", AS_HUMAN } };
	int r = flags_parse(f, argc, argv, a, e);
	bool json = flags_given(f, "json");
	const char *other = NULL;

	*as = AS_FITS;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (flags_given(f, others[i].name)) {
			other = others[i].name;
			*as = others[i].as;
		}
	/* A program that asks for JSON gets the error as JSON. */
	if (json)
		*as = AS_JSON;
	if (r == 0 && json && other != NULL)
		r = err_set(e, ERR_USAGE, "--json and --%s exclude each other",
		    other);
	return r;
}

static int
cli_run_put_usage(struct arena *a, const struct op *op)
{
	struct usage u = usage_op(a, op);
	struct buf b;

	buf_init(&b, a, 1 << 20);
	usage_put(&b, &u);
	return out_done(&b);
}

static int
cli_run_finish(struct arena *a, const struct flags *f, struct reply *r,
    enum as as)
{
	out_help(&r->err, a, argv_spell(a, f->op->name));
	if (as == AS_HUMAN)
		return cli_run_put_human(a, f, r);
	return cli_run_put_reply(a, f, r, as);
}

/* For a person at a terminal: one line, erased at the end. */
static void
cli_run_show_progress(uint64_t done, uint64_t all)
{
	if (done < all)
		(void)fprintf(stderr, "\remcli: reading the archive: %2d%%",
		    (int)(100.0 * (double)done / (double)all));
	else
		(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr);
}

/* What another process answered, shown as if it had been made here. */
static int
cli_run_put_far(struct arena *a, const struct flags *f,
    const struct far_reply *r, enum as as)
{
	struct reply shown = { .person = r->lines };
	bool written;

	if (as == AS_HUMAN && r->status == 0) {
		struct buf b;

		buf_init(&b, a, LIMIT_MESSAGE);
		if (human_put(&b, f->op, far_data(r->envelope),
			look_coloured(f, STDOUT_FILENO), &shown.err) < 0)
			return cli_run_put_error(f, &shown);
		return look_done(f, &b);
	}
	if (as == AS_HUMAN) {
		far_error(a, r->envelope, &shown.err);
		(void)cli_run_put_error(f, &shown);
		return r->status;
	}
	if (cli_run_has_lines(f, &r->lines, as)) {
		written = person_write(a, STDOUT_FILENO, &r->lines,
			      look_coloured(f, STDOUT_FILENO)) == 0;
		if (r->status != 0 && r->lines.n == 0) {
			far_error(a, r->envelope, &shown.err);
			out_complain(&shown.err, false);
		}
	} else {
		written = out_write_line(STDOUT_FILENO, r->envelope) == 0;
	}
	return written ? r->status : out_unwritten(r->status);
}

/* One call in another process; false, and a reply: there is none. */
static bool
cli_run_far(const struct far *far, const struct env *env, struct arena *a,
    const struct flags *f, enum as as, struct reply *r, int *status)
{
	const struct far_call c = {
		.op = f->op,
		.args = &f->args,
		.person = as == AS_HUMAN,
		.lines =
		    as == AS_TEXT || (as == AS_FITS && isatty(STDOUT_FILENO)),
		.progress =
		    isatty(STDERR_FILENO) ? cli_run_show_progress : NULL,
	};
	struct far_reply got = { 0 };
	struct err e = { 0 };

	if (far->call(env, &c, a, &got, &e) < 0) {
		gate_refuse(NULL, f->op->name, &e, a, r);
		return false;
	}
	*status = cli_run_put_far(a, f, &got, as);
	return true;
}

int
cli_run(const struct op *op, int argc, char **argv, const struct env *env,
    const struct err *broken, const struct far *far)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	struct err bad = { 0 }, e = { 0 };
	struct reply r = { 0 };
	struct flags f = { .op = op };
	bool elsewhere;
	enum as as;
	int status, parsed = cli_run_parse(&f, argc, argv, a, &as, &bad);

	if (parsed == 0 && f.help)
		return cli_run_put_usage(a, op);
	elsewhere = broken == NULL && far->is(env);
	if (broken == NULL && parsed == 0 && flags_given(&f, "follow"))
		return follow_run(&f, env, elsewhere ? far : NULL);
	if (elsewhere && parsed == 0) {
		if (cli_run_far(far, env, a, &f, as, &r, &status))
			return status;
		return cli_run_finish(a, &f, &r, as);
	}
	if (broken != NULL)
		e = *broken;
	else if (!elsewhere)
		(void)gate_open(env, &g, &e);
	if (g != NULL && as == AS_HUMAN)
		gate_caller_set_person(g);
	if (g != NULL && isatty(STDERR_FILENO))
		gate_progress(g, cli_run_show_progress);
	if (parsed < 0)
		gate_refuse(g, op->name, &bad, a, &r);
	else if (g == NULL)
		gate_refuse(NULL, op->name, &e, a, &r);
	else
		gate_call(g, op, &f.args, a, &r);
	return cli_run_finish(a, &f, &r, as);
}

int
cli_run_refuse(const char *action, const struct env *env, const struct err *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	struct reply r = { 0 };
	struct err e = { 0 };

	/* No program is asked for a key for a word that is no command. */
	if (env != NULL && !env_command_due(env))
		(void)gate_open(env, &g, &e);
	gate_refuse(g, action, why, a, &r);
	return cli_run_put_reply(a, NULL, &r, AS_JSON);
}
