/* SPDX-License-Identifier: Apache-2.0 */
/* For bash 4 and later; uses only builtins. */
#include "door/completion.h"

static const char head[] =
    "# bash completion for emcli; made by `emcli completion bash`\n"
    "_emcli()\n"
    "{\n"
    "\tlocal IFS=$' \\t\\n' cur=${COMP_WORDS[COMP_CWORD]} words= files=\n"
    "\tlocal word\n"
    "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "\tlocal line=\" ${COMP_WORDS[*]:1:COMP_CWORD-1} \"\n"
    "\n"
    "\tCOMPREPLY=()\n"
    "\tif [ \"$cur\" = = ]; then\n"
    "\t\tcur=\n"
    "\telif [ \"$prev\" = = ]; then\n"
    "\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "\tfi\n"
    "\tcase $line in\n";

static const char tail[] =
    "\tesac\n"
    "\tif [ -n \"$files\" ]; then\n"
    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "\t\tcompopt -o filenames 2>/dev/null\n"
    "\telif [ -n \"$words\" ]; then\n"
    /* Not compgen -W: it expands the contents of the words. */
    "\t\tfor word in $words; do\n"
    "\t\t\t[[ $word != \"$cur\"* ]] || COMPREPLY+=(\"$word\")\n"
    "\t\tdone\n"
    "\tfi\n"
    "}\n"
    "complete -F _emcli emcli\n";

static void
completion_bash_put_options(struct buf *b, const struct completion_command *c)
{
	for (size_t i = 0; i < c->options; i++)
		buf_fmt(b, "%s--%.*s", i > 0 ? " " : "",
		    STR_ARG(c->option[i].name));
}

/* Names from the store, which are words of plain letters. */
static void
completion_bash_put_asked(struct buf *b, enum completion_value v)
{
	buf_fmt(b, "$(\"${COMP_WORDS[0]}\" completion %s 2>/dev/null)",
	    completion_values_kind(v));
}

static void
completion_bash_put_place(struct buf *b, const struct completion_place *p)
{
	buf_fmt(b, "\t' %.*s ')\n\t\twords='", STR_ARG(p->prefix));
	for (size_t i = 0; i < p->words.n; i++)
		buf_fmt(b, "%s%.*s", i > 0 ? " " : "", STR_ARG(p->words.v[i]));
	buf_char(b, '\'');
	if (completion_values_kind(p->value) != NULL)
		completion_bash_put_asked(b, p->value);
	if (p->command != NULL) {
		buf_text(b, "' ");
		completion_bash_put_options(b, p->command);
		buf_char(b, '\'');
	}
	buf_text(b, " ;;\n");
}

/* The words after one option. */
static void
completion_bash_put_value(struct buf *b, const struct completion_option *o)
{
	if (o->value == COMPLETION_NOTHING)
		return;
	buf_fmt(b, "\t\t--%.*s) ", STR_ARG(o->name));
	if (o->value == COMPLETION_FILE) {
		buf_text(b, "files=1");
	} else if (completion_values_kind(o->value) != NULL) {
		buf_text(b, "words=");
		completion_bash_put_asked(b, o->value);
	} else {
		buf_fmt(b, "words='%.*s'", STR_ARG(o->choices));
	}
	buf_text(b, " ;;\n");
}

static void
completion_bash_put_command(struct buf *b, const struct completion_command *c)
{
	buf_fmt(b, "\t' %.*s '*)\n\t\tcase $prev in\n", STR_ARG(c->name));
	for (size_t i = 0; i < c->options; i++)
		completion_bash_put_value(b, &c->option[i]);
	buf_text(b, "\t\t*) words='");
	completion_bash_put_options(b, c);
	buf_text(b, "' ;;\n\t\tesac ;;\n");
}

void
completion_bash(struct buf *b, const struct completion *c)
{
	buf_text(b, head);
	/* Without any word the line is two spaces. */
	for (size_t i = 0; i < c->places; i++)
		completion_bash_put_place(b, &c->place[i]);
	for (size_t i = 0; i < c->commands; i++)
		completion_bash_put_command(b, &c->command[i]);
	buf_text(b, tail);
}
