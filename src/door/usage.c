/* SPDX-License-Identifier: Apache-2.0 */
/* Help for one command: the options that argv_parse() accepts. */
#include "door/usage.h"

#include "door/argv.h"
#include "door/fit.h"
#include "door/looks.h"

enum {
	LINE = 78,
	INDENT = 6,
	NESTING = 8
};

struct str
usage_value(struct arena *a, const struct arg_spec *s)
{
	switch (s->type) {
	case ARG_ACCOUNT:
		return S("NAME");
	case ARG_FOLDER:
		return S("FOLDER");
	case ARG_UID:
	case ARG_UIDS:
		return S("UID");
	case ARG_COUNT:
		return S("N");
	case ARG_DATE:
		return S("DATE");
	case ARG_ADDRESS:
		return S("ADDRESS");
	case ARG_PATH:
		return S("PATH");
	case ARG_REF:
		return S("REF");
	case ARG_CHOICE:
		return str_of(s->choices);
	case ARG_TEXT:
	case ARG_LONG_TEXT:
		break;
	case ARG_FLAG:
	case ARG_END:
		return S("");
	}
	return s->flags & ARG_POSITIONAL ? argv_spell_upper(a, s->name)
					 : S("TEXT");
}

struct str
usage_arg(struct arena *a, const struct arg_spec *s)
{
	struct str name = argv_spell(a, s->name);
	struct str value = usage_value(a, s);
	const char *more = s->flags & ARG_MANY ? " ..." : "";
	struct str text;

	if (s->flags & ARG_POSITIONAL)
		text = str_fmt(a, "%.*s%s", STR_ARG(value), more);
	else if (value.n == 0)
		text = str_fmt(a, "--%.*s", STR_ARG(name));
	else
		text = str_fmt(a, "--%.*s %.*s%s", STR_ARG(name),
		    STR_ARG(value), more);
	if (args_is_required(s))
		return text;
	return str_fmt(a, "[%.*s]", STR_ARG(text));
}

struct str
usage_bounds(struct arena *a, const struct arg_spec *s)
{
	struct str range = S("");

	if (s->type == ARG_COUNT && s->max > 0)
		range = str_fmt(a, "%u to %u", s->min, s->max);
	if (s->def == NULL)
		return range;
	return str_fmt(a, "%.*s%sdefault %s", STR_ARG(range),
	    range.n > 0 ? ", " : "", s->def);
}

const char *
usage_type(enum field_type t)
{
	switch (t) {
	case FIELD_INT:
		return "number";
	case FIELD_BOOL:
		return "true or false";
	case FIELD_VALUE:
		return "number or text";
	case FIELD_TEXTS:
		return "array of texts";
	case FIELD_INTS:
		return "array of numbers";
	case FIELD_COUNTS:
		return "object of numbers";
	case FIELD_OBJECT:
		return "object";
	case FIELD_OBJECTS:
		return "array of objects";
	case FIELD_TEXT:
	case FIELD_END:
		break;
	}
	return "text";
}

/* Adds words to the line, or begins another when it is full. */
static void
usage_put_wrapped(struct buf *b, size_t *column, struct str text)
{
	if (*column + 1 + text.n > LINE) {
		buf_fmt(b, "\n%*s", INDENT, "");
		*column = INDENT;
	}
	buf_char(b, ' ');
	buf_str(b, text);
	*column += 1 + text.n;
}

static const struct arg_spec *
usage_looks(const struct usage *u)
{
	static const struct arg_spec none[] = { { 0 } };

	return u->op != NULL ? looks_flags(u->op) : none;
}

static void
usage_put_call(struct buf *b, const struct usage *u)
{
	size_t column = 13 + u->name.n;

	buf_fmt(b, "usage: emcli %.*s", STR_ARG(u->name));
	for (const struct arg_spec *s = u->args; s->name != NULL; s++)
		usage_put_wrapped(b, &column, usage_arg(b->a, s));
	for (const struct arg_spec *s = usage_looks(u); s->name != NULL; s++)
		usage_put_wrapped(b, &column, usage_arg(b->a, s));
	buf_fmt(b, "\n\n%s.\n", u->summary);
}

/* The words of a help text below its option. */
static void
usage_put_help(struct buf *b, struct str text)
{
	size_t column = INDENT - 1;
	struct str word;
	bool more = true;

	buf_fmt(b, "%*s", INDENT - 1, "");
	while (more) {
		more = str_cut(text, ' ', &word, &text);
		usage_put_wrapped(b, &column, word);
	}
	buf_char(b, '\n');
}

static void
usage_put_option(struct buf *b, const struct arg_spec *s)
{
	struct str name = argv_spell(b->a, s->name);
	struct str value = usage_value(b->a, s);
	struct str bounds = usage_bounds(b->a, s);
	const char *more = s->flags & ARG_MANY ? " ..." : "";

	if (s->flags & ARG_POSITIONAL)
		buf_fmt(b, "  %.*s%s", STR_ARG(value), more);
	else
		buf_fmt(b, "  --%.*s%s%.*s%s", STR_ARG(name),
		    value.n > 0 ? " " : "", STR_ARG(value), more);
	if (args_is_required(s))
		buf_text(b, "  (required)");
	if (bounds.n > 0)
		buf_fmt(b, "  (%.*s)", STR_ARG(bounds));
	buf_char(b, '\n');
	usage_put_help(b, str_of(s->help));
	if (s->type == ARG_LONG_TEXT) {
		buf_fmt(b, "  --%.*s-file PATH\n", STR_ARG(name));
		usage_put_help(b,
		    S("the same, read from a file: below the account's "
		      "attach_dir, if it has one (- is standard input)"));
	}
}

static void
usage_put_fields(struct buf *b, const struct field *f, int depth)
{
	if (f == NULL || depth > NESTING)
		return;
	for (; f->name != NULL; f++) {
		size_t at = 2 * (size_t)depth + 4;

		buf_fmt(b, "%*s%s: %s%s%s\n", 2 * depth, "", f->name,
		    usage_type(f->type), f->nullable ? " or null" : "",
		    f->optional ? ", may be absent" : "");
		if (f->help != NULL) {
			buf_fmt(b, "%*s", (int)at, "");
			fit_wrap(b, str_of(f->help), at, at, LINE);
			buf_char(b, '\n');
		}
		usage_put_fields(b, f->sub, depth + 1);
	}
}

/* Agents always get JSON, in an envelope; the operator asks for it. */
static void
usage_put_result(struct buf *b, const struct usage *u)
{
	bool enveloped = u->op != NULL && u->op->effect != EFFECT_OPERATE;
	const struct field *result = u->op != NULL ? u->op->result : u->result;

	if (result == NULL)
		return;
	buf_fmt(b, "\n%s:\n",
	    enveloped ? "reply, in \"data\"" : "members of the JSON");
	usage_put_fields(b, result, 1);
}

struct usage
usage_op(struct arena *a, const struct op *op)
{
	return (struct usage){ argv_spell(a, op->name), op->summary, op->args,
		op, NULL };
}

void
usage_put(struct buf *b, const struct usage *u)
{
	const struct arg_spec *looks = usage_looks(u);

	usage_put_call(b, u);
	if (u->args->name != NULL || looks->name != NULL)
		buf_text(b, "\noptions:\n");
	for (const struct arg_spec *s = u->args; s->name != NULL; s++)
		usage_put_option(b, s);
	for (const struct arg_spec *s = looks; s->name != NULL; s++)
		usage_put_option(b, s);
	if (looks->name != NULL || u->op == NULL)
		usage_put_result(b, u);
}
