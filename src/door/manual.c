/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of emcli(1) and emcli-reply(5) that come from the tables, as
 * mdoc(7). Text has its own lines: on macro lines a word such as "Ar" would be
 * a macro.
 */
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/looks.h"
#include "door/skills/skills.h"
#include "door/usage.h"
#include "op/op.h"

enum {
	NESTING = 8
};

/* Finds the two spaces between sentences: each sentence begins a line. */
static bool
is_gap(struct str s, size_t i)
{
	return i > 0 && s.p[i - 1] == '.' &&
	    str_starts(str_from(s, i), S("  "));
}

/* Text that mdoc prints unchanged. */
static void
manual_put_text(struct buf *b, struct str s)
{
	bool first = true;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (is_gap(s, i)) {
			c = '\n';
			i++;
		}
		if (first && (c == '.' || c == '\''))
			buf_text(b, "\\&");
		if (c == '\\')
			buf_text(b, "\\e");
		else
			buf_char(b, c);
		first = c == '\n';
	}
}

static void
manual_put_line(struct buf *b, const char *c, const char *end)
{
	manual_put_text(b, str_of(c));
	buf_fmt(b, "%s\n", end);
}

/* A help text as a sentence. */
static void
put_sentence(struct buf *b, const char *c)
{
	struct str s = str_of(c);

	manual_put_line(b, c,
	    str_ends(s, S("?")) || str_ends(s, S(".")) ? "" : ".");
}

/* A value's choices: a line may break after each "|". */
static void
manual_put_value(struct buf *b, struct str value)
{
	for (size_t i = 0; i < value.n; i++) {
		buf_char(b, value.p[i]);
		if (value.p[i] == '|')
			buf_text(b, "\\:");
	}
}

/* ".Fl -limit Ar N": an option and its value. */
static void
manual_put_option(struct buf *b, const struct arg_spec *s)
{
	struct str value = usage_value(b->a, s);

	if (!(s->flags & ARG_POSITIONAL))
		buf_fmt(b, "Fl -%.*s", STR_ARG(argv_spell(b->a, s->name)));
	if (value.n > 0) {
		buf_text(b, s->flags & ARG_POSITIONAL ? "Ar " : " Ar ");
		manual_put_value(b, value);
	}
	buf_text(b, value.n > 0 && s->flags & ARG_MANY ? " ...\n" : "\n");
}

static void
manual_put_synopsis(struct buf *b, struct str name, const struct arg_spec *args,
    const struct op *op)
{
	buf_fmt(b, ".Ss %.*s\n.Nm emcli Cm %.*s\n", STR_ARG(name),
	    STR_ARG(name));
	for (const struct arg_spec *s = args; s->name != NULL; s++) {
		buf_text(b, args_is_required(s) ? "." : ".Op ");
		manual_put_option(b, s);
	}
	/* The manual has the common options once. */
	if (op != NULL && looks_has(looks_flags(op), "human"))
		buf_text(b, ".Op Fl -human\n");
	if (op != NULL && op->effect == EFFECT_OPERATE &&
	    looks_has(looks_flags(op), "json"))
		buf_text(b, ".Op Fl -json\n");
}

static void
manual_put_args(struct buf *b, const struct arg_spec *args)
{
	if (args->name == NULL)
		return;
	buf_text(b, ".Bl -tag -width Ds\n");
	for (const struct arg_spec *s = args; s->name != NULL; s++) {
		struct str bounds = usage_bounds(b->a, s);

		buf_text(b, ".It ");
		manual_put_option(b, s);
		put_sentence(b, s->help);
		if (bounds.n > 0) {
			buf_char(b, '(');
			manual_put_text(b, bounds);
			buf_text(b, ")\n");
		}
		if (s->type == ARG_LONG_TEXT)
			buf_fmt(b,
			    "Or\n.Fl -%.*s-file Ar PATH ,\n"
			    "a file (below the account's attach_dir, if it has "
			    "one);\n"
			    "- is standard input.\n",
			    STR_ARG(argv_spell(b->a, s->name)));
	}
	buf_text(b, ".El\n");
}

static void
manual_put_fields(struct buf *b, const struct field *f, int depth)
{
	if (f == NULL || f->name == NULL || depth > NESTING)
		return;
	buf_text(b, ".Bl -tag -width Ds -compact\n");
	for (; f->name != NULL; f++) {
		buf_fmt(b, ".It Va %s\n%s%s%s", f->name, usage_type(f->type),
		    f->nullable ? " or null" : "",
		    f->optional ? ", may be absent" : "");
		if (f->help != NULL) {
			buf_text(b, ":\n");
			put_sentence(b, f->help);
		} else {
			buf_text(b, ".\n");
		}
		manual_put_fields(b, f->sub, depth + 1);
	}
	buf_text(b, ".El\n");
}

static void
manual_put_operations(struct buf *b)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		const struct op *op = op_table[i];

		manual_put_synopsis(b, argv_spell(b->a, op->name), op->args,
		    op);
		buf_text(b, ".Pp\n");
		manual_put_line(b, op->summary, ".");
		manual_put_args(b, op->args);
	}
}

static void
manual_put_commands(struct buf *b)
{
	for (size_t i = 0; desk_table[i] != NULL; i++) {
		const struct op *op = desk_table[i];

		manual_put_synopsis(b, str_of(op->name), op->args, op);
		buf_text(b, ".Pp\n");
		manual_put_line(b, op->summary, ".");
		manual_put_args(b, op->args);
	}
}

static void
manual_put_agents(struct buf *b)
{
	struct agents_command c;

	for (size_t i = 0; agents_command_at(b->a, i, &c); i++) {
		manual_put_synopsis(b, c.name, c.args, NULL);
		buf_text(b, ".Pp\n");
		manual_put_line(b, c.summary, ".");
		manual_put_args(b, c.args);
	}
}

static void
manual_put_pipes(struct buf *b)
{
	for (size_t i = 0; skills_table[i].name != NULL; i++) {
		const struct skills_command *c = &skills_table[i];

		manual_put_synopsis(b, str_of(c->name), c->args, NULL);
		buf_text(b, ".Pp\n");
		manual_put_line(b, c->summary, ".");
		manual_put_args(b, c->args);
	}
}

static void
manual_put_results(struct buf *b)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		const struct op *op = op_table[i];

		buf_fmt(b, ".Ss %.*s\n", STR_ARG(argv_spell(b->a, op->name)));
		manual_put_line(b, op->summary, ".");
		manual_put_fields(b, op->result, 0);
	}
}

static void
manual_put_errors(struct buf *b)
{
	buf_text(b, ".Bl -tag -width Ds\n");
	for (int k = ERR_NONE + 1; k < ERR_KINDS; k++) {
		enum err_kind kind = (enum err_kind)k;

		buf_fmt(b, ".It Sy %s\n", err_code(kind));
		manual_put_line(b, err_means(kind), ".");
		buf_text(b, "What to do:\n");
		manual_put_line(b, err_advice(kind), ".");
	}
	buf_text(b, ".El\n");
}

static void
manual_put_warnings(struct buf *b)
{
	buf_text(b, ".Bl -tag -width Ds\n");
	for (int i = 0; i < WARNINGS; i++) {
		buf_fmt(b, ".It Sy %s\n", warning_table[i].code);
		manual_put_line(b, warning_table[i].help, "");
	}
	buf_text(b, ".El\n");
}

bool
manual_put(struct buf *b, struct str part)
{
	if (str_eq(part, S("operations")))
		manual_put_operations(b);
	else if (str_eq(part, S("commands")))
		manual_put_commands(b);
	else if (str_eq(part, S("agents")))
		manual_put_agents(b);
	else if (str_eq(part, S("pipes")))
		manual_put_pipes(b);
	else if (str_eq(part, S("errors")))
		manual_put_errors(b);
	else if (str_eq(part, S("results")))
		manual_put_results(b);
	else if (str_eq(part, S("warnings")))
		manual_put_warnings(b);
	else
		return false;
	return true;
}
