/* For fish 3 and later. */
#include "door/argv.h"
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
    "complete -c emcli -f\n";

static void
put_quoted(struct buf *b, const char *c)
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
put_place(struct buf *b, const struct completion *c,
    const struct completion_place *p)
{
	for (size_t i = 0; i < p->words.n; i++) {
		const char *what = completion_summary(c,
		    str_eq(p->prefix, S("help")) ? S("") : p->prefix,
		    p->words.v[i]);

		buf_fmt(b, "complete -c emcli -n '__emcli_at %.*s' -a %.*s",
		    STR_ARG(p->prefix), STR_ARG(p->words.v[i]));
		if (what != NULL) {
			buf_text(b, " -d ");
			put_quoted(b, what);
		}
		buf_char(b, '\n');
	}
}

static void
begin_option(struct buf *b, const struct completion_command *c,
    struct str option)
{
	buf_fmt(b, "complete -c emcli -n '__emcli_in %.*s' -l %.*s",
	    STR_ARG(c->name), STR_ARG(option));
}

static void
put_option(struct buf *b, const struct completion_command *c,
    const struct arg_spec *s)
{
	struct str name = argv_spell(b->a, s->name);

	if (s->flags & ARG_POSITIONAL)
		return;
	begin_option(b, c, name);
	if (s->type == ARG_CHOICE)
		buf_fmt(b, " -x -a '%.*s'",
		    STR_ARG(completion_choices(b->a, s)));
	else if (completion_is_file(s))
		buf_text(b, " -r -F");
	else if (s->type != ARG_FLAG)
		buf_text(b, " -x");
	buf_text(b, " -d ");
	put_quoted(b, s->help);
	buf_char(b, '\n');
	if (s->type != ARG_LONG_TEXT)
		return;
	begin_option(b, c, str_fmt(b->a, "%.*s-file", STR_ARG(name)));
	buf_text(b, " -r -F\n");
}

void
completion_fish(struct buf *b, const struct completion *c)
{
	buf_text(b, head);
	for (size_t i = 0; i < c->places; i++)
		put_place(b, c, &c->place[i]);
	for (size_t i = 0; i < c->commands; i++) {
		const struct completion_command *cmd = &c->command[i];

		for (const struct arg_spec *s = cmd->args; s->name != NULL; s++)
			put_option(b, cmd, s);
		if (cmd->json) {
			begin_option(b, cmd, S("json"));
			buf_char(b, '\n');
		}
		begin_option(b, cmd, S("help"));
		buf_char(b, '\n');
	}
}
