/* SPDX-License-Identifier: Apache-2.0 */
/* For fish 3 and later. */
#include "door/completion.h"

static const char head[] =
    "# fish completion for emcli; made by `emcli completion fish`\n"
    "function __emcli_words\n"
    "\tset -l w (commandline -opc)\n"
    "\tset -e w[1]\n"
    "\techo -- \"$w\"\n"
    "end\n"
    "function __emcli_at\n"
    "\ttest \"$argv\" = (__emcli_words)\n"
    "end\n"
    "function __emcli_in\n"
    "\tstring match -q -- \"$argv *\" (__emcli_words)' '\n"
    "end\n"
    "function __emcli_ask\n"
    "\tset -l w (commandline -opc)\n"
    "\tcommand $w[1] completion $argv 2>/dev/null\n"
    "end\n"
    "complete -c emcli -f\n";

static void
completion_fish_put_quoted(struct buf *b, const char *c)
{
	buf_char(b, '\'');
	for (; c != NULL && *c != '\0'; c++) {
		if (*c == '\'' || *c == '\\')
			buf_char(b, '\\');
		buf_char(b, *c);
	}
	buf_char(b, '\'');
}

static void
completion_fish_put_place(struct buf *b, const struct completion *c,
    const struct completion_place *p)
{
	for (size_t i = 0; i < p->words.n; i++) {
		const char *what = completion_summary(c, p, p->words.v[i]);

		buf_fmt(b, "complete -c emcli -n '__emcli_at %.*s' -a %.*s",
		    STR_ARG(p->prefix), STR_ARG(p->words.v[i]));
		if (what != NULL) {
			buf_text(b, " -d ");
			completion_fish_put_quoted(b, what);
		}
		buf_char(b, '\n');
	}
	if (completion_values_kind(p->value) != NULL)
		buf_fmt(b,
		    "complete -c emcli -n '__emcli_at %.*s' -a "
		    "'(__emcli_ask %s)'\n",
		    STR_ARG(p->prefix), completion_values_kind(p->value));
}

static void
completion_fish_put_option(struct buf *b, const struct completion_command *c,
    const struct completion_option *o)
{
	buf_fmt(b, "complete -c emcli -n '__emcli_in %.*s' -l %.*s",
	    STR_ARG(c->name), STR_ARG(o->name));
	if (o->value == COMPLETION_CHOICE)
		buf_fmt(b, " -x -a '%.*s'", STR_ARG(o->choices));
	else if (completion_values_kind(o->value) != NULL)
		buf_fmt(b, " -x -a '(__emcli_ask %s)'",
		    completion_values_kind(o->value));
	else if (o->value == COMPLETION_FILE)
		buf_text(b, " -r -F");
	else if (o->value == COMPLETION_TEXT)
		buf_text(b, " -x");
	buf_text(b, " -d ");
	completion_fish_put_quoted(b, o->help);
	buf_char(b, '\n');
}

void
completion_fish(struct buf *b, const struct completion *c)
{
	buf_text(b, head);
	for (size_t i = 0; i < c->places; i++)
		completion_fish_put_place(b, c, &c->place[i]);
	for (size_t i = 0; i < c->commands; i++)
		for (size_t k = 0; k < c->command[i].options; k++)
			completion_fish_put_option(b, &c->command[i],
			    &c->command[i].option[k]);
}
