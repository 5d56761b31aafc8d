/* SPDX-License-Identifier: Apache-2.0 */
/* For zsh with compinit: a file named _emcli in fpath, or sourced. */
#include "door/completion.h"

static const char head[] =
    "#compdef emcli\n"
    "# zsh completion for emcli; made by `emcli completion zsh`\n"
    "_emcli()\n"
    "{\n"
    "\tlocal line=\" ${(j: :)words[2,CURRENT-1]} \"\n"
    "\tlocal prev=${words[CURRENT-1]}\n"
    "\tlocal -a found\n"
    "\n"
    "\tcase $line in\n";

static const char tail[] = "\tesac\n"
			   "}\n"
			   "if [ \"${funcstack[1]}\" = _emcli ]; then\n"
			   "\t_emcli \"$@\"\n"
			   "else\n"
			   "\tcompdef _emcli emcli\n"
			   "fi\n";

/* 'word:meaning', as _describe takes it, within single quotes. */
static void
completion_zsh_put_described(struct buf *b, struct str word, const char *what)
{
	buf_fmt(b, " '%.*s:", STR_ARG(word));
	for (; what != NULL && *what != '\0'; what++) {
		if (*what == '\'')
			buf_text(b, "'\\''");
		else if (*what == ':' || *what == '\\')
			buf_fmt(b, "\\%c", *what);
		else
			buf_char(b, *what);
	}
	buf_char(b, '\'');
}

static void
completion_zsh_put_options(struct buf *b, const struct completion_command *c)
{
	for (size_t i = 0; i < c->options; i++)
		completion_zsh_put_described(b,
		    str_fmt(b->a, "--%.*s", STR_ARG(c->option[i].name)),
		    c->option[i].help);
}

/* Names from the store, one a line. */
static void
completion_zsh_put_asked(struct buf *b, enum completion_value v)
{
	buf_fmt(b,
	    "compadd -- ${(f)\"$(\"${words[1]}\" completion %s "
	    "2>/dev/null)\"}",
	    completion_values_kind(v));
}

static void
completion_zsh_put_place(struct buf *b, const struct completion *c,
    const struct completion_place *p)
{
	buf_fmt(b, "\t(' %.*s ')\n\t\tfound=(", STR_ARG(p->prefix));
	for (size_t i = 0; i < p->words.n; i++)
		completion_zsh_put_described(b, p->words.v[i],
		    completion_summary(c, p, p->words.v[i]));
	buf_text(b, ")\n\t\t_describe command found");
	if (completion_values_kind(p->value) != NULL) {
		buf_text(b, "\n\t\t");
		completion_zsh_put_asked(b, p->value);
	}
	if (p->command != NULL) {
		buf_text(b, "\n\t\tfound=(");
		completion_zsh_put_options(b, p->command);
		buf_text(b, ")\n\t\t_describe -o option found");
	}
	buf_text(b, " ;;\n");
}

static void
completion_zsh_put_value(struct buf *b, const struct completion_option *o)
{
	if (o->value == COMPLETION_NOTHING)
		return;
	buf_fmt(b, "\t\t(--%.*s) ", STR_ARG(o->name));
	if (o->value == COMPLETION_FILE)
		buf_text(b, "_files");
	else if (completion_values_kind(o->value) != NULL)
		completion_zsh_put_asked(b, o->value);
	else if (o->value == COMPLETION_CHOICE)
		buf_fmt(b, "compadd -- %.*s", STR_ARG(o->choices));
	else
		buf_fmt(b, "_message '%.*s'", STR_ARG(o->name));
	buf_text(b, " ;;\n");
}

static void
completion_zsh_put_command(struct buf *b, const struct completion_command *c)
{
	buf_fmt(b, "\t(' %.*s '*)\n\t\tcase $prev in\n", STR_ARG(c->name));
	for (size_t i = 0; i < c->options; i++)
		completion_zsh_put_value(b, &c->option[i]);
	buf_text(b, "\t\t(*)\n\t\t\tfound=(");
	completion_zsh_put_options(b, c);
	buf_text(b, ")\n\t\t\t_describe -o option found ;;\n\t\tesac ;;\n");
}

void
completion_zsh(struct buf *b, const struct completion *c)
{
	buf_text(b, head);
	for (size_t i = 0; i < c->places; i++)
		completion_zsh_put_place(b, c, &c->place[i]);
	for (size_t i = 0; i < c->commands; i++)
		completion_zsh_put_command(b, &c->command[i]);
	buf_text(b, tail);
}
