/* SPDX-License-Identifier: Apache-2.0 */
/* Completion scripts are made from the tables, so they cannot fall behind. */
#include "door/completion.h"

#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/looks.h"
#include "door/mcp/mcp.h"
#include "door/skills/skills.h"
#include "gate/config.h"
#include "gate/rules.h"
#include "op/op.h"

/* The kind of a value, if the type does not say it. */
static const struct {
	const char *name;
	enum completion_value value;
} named[] = {
	{ "account", COMPLETION_ACCOUNTS },
	{ "source", COMPLETION_ACCOUNTS },
	{ "skill", COMPLETION_SKILLS },
};

static enum completion_value
completion_value_of(const struct arg_spec *s)
{
	if (s->type == ARG_FLAG)
		return COMPLETION_NOTHING;
	if (s->type == ARG_PATH)
		return COMPLETION_FILE;
	if (s->type == ARG_CHOICE)
		return COMPLETION_CHOICE;
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (str_eq(str_of(s->name), str_of(named[i].name)))
			return named[i].value;
	return s->type == ARG_ACCOUNT ? COMPLETION_ACCOUNTS : COMPLETION_TEXT;
}

/* "gmail imap ...": a text whose choices are in another table. */
static struct str
completion_backends(struct arena *a)
{
	struct buf b;
	const char *name;

	buf_init(&b, a, 1 << 10);
	for (size_t i = 0; (name = rules_backend_at(i)) != NULL; i++)
		buf_fmt(&b, "%s%s", i > 0 ? " " : "", name);
	return buf_view(&b);
}

static struct str
completion_choices(struct arena *a, const struct arg_spec *s)
{
	char *p = str_c(a, str_of(s->choices));

	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == '|')
			p[i] = ' ';
	return str_of(p);
}

static void
add_option(struct completion_command *c, struct str name, const char *help,
    enum completion_value value)
{
	c->option[c->options++] =
	    (struct completion_option){ name, help, value, S("") };
}

static void
completion_add_row(struct completion_command *c, struct arena *a,
    const struct arg_spec *s)
{
	bool backend = str_eq(str_of(s->name), S("backend"));

	add_option(c, argv_spell(a, s->name), s->help,
	    backend ? COMPLETION_CHOICE : completion_value_of(s));
	if (backend)
		c->option[c->options - 1].choices = completion_backends(a);
	else if (s->type == ARG_CHOICE)
		c->option[c->options - 1].choices = completion_choices(a, s);
	if (s->type == ARG_LONG_TEXT)
		add_option(c,
		    str_fmt(a, "%.*s-file", STR_ARG(argv_spell(a, s->name))),
		    "the same, read from a file", COMPLETION_FILE);
}

static void
completion_add_options(struct completion_command *c, struct arena *a,
    const struct arg_spec *table, const struct op *op)
{
	const struct arg_spec *looks = op != NULL ? looks_flags(op) : NULL;
	size_t n = 0, own = 0;

	while (table[n].name != NULL)
		n++;
	while (looks != NULL && looks[own].name != NULL)
		own++;
	c->option = arena_array(a, 2 * n + own + 1, sizeof(*c->option));
	for (size_t i = 0; i < n; i++)
		if (!(table[i].flags & ARG_POSITIONAL))
			completion_add_row(c, a, &table[i]);
	for (size_t i = 0; i < own; i++)
		completion_add_row(c, a, &looks[i]);
	add_option(c, S("help"), "what the command takes", COMPLETION_NOTHING);
}

static const struct op *
completion_desk_of(struct str name)
{
	for (size_t i = 0; desk_table[i] != NULL; i++)
		if (str_eq(str_of(desk_table[i]->name), name))
			return desk_table[i];
	return NULL;
}

static bool
completion_has(const struct arg_spec *table, const char *name)
{
	while (
	    table->name != NULL && !str_eq(str_of(table->name), str_of(name)))
		table++;
	return table->name != NULL;
}

/* What the operator's command of the same name takes besides. */
static const struct arg_spec *
completion_args(struct arena *a, const struct op *op)
{
	const struct op *desk = completion_desk_of(argv_spell(a, op->name));
	struct arg_spec *both;
	size_t n = 0, more = 0;

	if (desk == NULL)
		return op->args;
	while (op->args[n].name != NULL)
		n++;
	while (desk->args[more].name != NULL)
		more++;
	both = arena_array(a, n + more + 1, sizeof(*both));
	memcpy(both, op->args, n * sizeof(*both));
	for (size_t i = 0; i < more; i++)
		if (!completion_has(op->args, desk->args[i].name))
			both[n++] = desk->args[i];
	return both;
}

static void
completion_add_commands(struct completion *c, struct arena *a)
{
	size_t ops = 0, cmds = 0, pipes = 0, verbs = 0;
	struct agents_command agents;

	while (op_table[ops] != NULL)
		ops++;
	while (desk_table[cmds] != NULL)
		cmds++;
	while (skills_table[pipes].name != NULL)
		pipes++;
	while (agents_command_at(a, verbs, &agents))
		verbs++;
	/* One more for mcp. */
	c->command =
	    arena_array(a, ops + cmds + verbs + pipes + 1, sizeof(*c->command));
	for (size_t i = 0; i < ops; i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = argv_spell(a, op_table[i]->name);
		to->summary = op_table[i]->summary;
		completion_add_options(to, a, completion_args(a, op_table[i]),
		    op_table[i]);
	}
	for (size_t i = 0; i < cmds; i++) {
		struct completion_command *to = &c->command[c->commands];
		const struct op *op = desk_table[i];

		if (op_find(str_of(op->name)) != NULL)
			continue;
		c->commands++;
		to->name = str_of(op->name);
		to->summary = op->summary;
		completion_add_options(to, a, op->args, op);
	}
	for (size_t i = 0; agents_command_at(a, i, &agents); i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = agents.name;
		to->summary = agents.summary;
		completion_add_options(to, a, agents.args, NULL);
	}
	for (size_t i = 0; i < pipes; i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = str_of(skills_table[i].name);
		to->summary = skills_table[i].summary;
		completion_add_options(to, a, skills_table[i].args, NULL);
	}
	c->command[c->commands].name = S("mcp");
	c->command[c->commands].summary = mcp_summary;
	completion_add_options(&c->command[c->commands++], a, mcp_args, NULL);
}

static void
completion_add_place(struct completion *c, struct arena *a, struct str prefix,
    struct strs words)
{
	for (size_t i = 0; i < c->places; i++)
		if (str_eq(c->place[i].prefix, prefix))
			return;
	c->place = arena_grow(a, c->place, c->places * sizeof(*c->place),
	    (c->places + 1) * sizeof(*c->place));
	c->place[c->places++] =
	    (struct completion_place){ .prefix = prefix, .words = words };
}

/* A first word that is a value: "account edit NAME". */
static void
completion_add_positional(struct completion *c, struct arena *a)
{
	for (size_t i = 0; desk_table[i] != NULL; i++) {
		struct str name = str_of(desk_table[i]->name);
		const struct arg_spec *s = desk_table[i]->args;
		enum completion_value v;

		while (s->name != NULL && !(s->flags & ARG_POSITIONAL))
			s++;
		v = s->name == NULL ? COMPLETION_TEXT : completion_value_of(s);
		/* A name that is to be added does not exist yet. */
		if (completion_values_kind(v) == NULL ||
		    str_ends(name, S(" add")))
			continue;
		completion_add_place(c, a, name, (struct strs){ 0 });
		c->place[c->places - 1].value = v;
	}
}

/* "config set" and its keys, and each key's words. */
static void
completion_add_settings(struct completion *c, struct arena *a)
{
	struct strs keys = { 0 };

	for (const struct setting *s = config_table; s->name != NULL; s++) {
		struct strs words = { 0 };

		str_push(a, &keys, str_of(s->name));
		config_words(a, s, &words);
		if (words.n > 0)
			completion_add_place(c, a,
			    str_fmt(a, "config set %s", s->name), words);
	}
	completion_add_place(c, a, S("config set"), keys);
	completion_add_place(c, a, S("config get"), keys);
}

/* A command that is also a place for words may have options there. */
static void
completion_find_commands(struct completion *c)
{
	for (size_t i = 0; i < c->places; i++)
		for (size_t k = 0; k < c->commands; k++)
			if (str_eq(c->place[i].prefix, c->command[k].name))
				c->place[i].command = &c->command[k];
}

/* Every beginning of a name of several words is a place. */
static void
completion_add_places(struct completion *c, struct arena *a,
    const struct strs *all)
{
	struct strs words = { 0 };

	words_next(a, all, S(""), &words);
	completion_add_place(c, a, S(""), words);
	completion_add_place(c, a, S("help"), words);
	for (size_t i = 0; i < all->n; i++) {
		struct str name = all->v[i];

		for (size_t k = 0; k < name.n; k++) {
			struct strs next = { 0 };

			if (name.p[k] != ' ')
				continue;
			words_next(a, all, str_first(name, k), &next);
			completion_add_place(c, a, str_first(name, k), next);
		}
	}
}

bool
completion_put(struct buf *b, struct str shell)
{
	static struct str shells[] = { SI("bash"), SI("zsh"), SI("fish") };
	static struct str version[] = { SI("--json") };
	struct strs all = { 0 }, ops = { 0 };
	struct completion c = { 0 };

	words_all(b->a, &all);
	for (size_t i = 0; op_table[i] != NULL; i++)
		str_push(b->a, &ops, argv_spell(b->a, op_table[i]->name));
	completion_add_commands(&c, b->a);
	completion_add_places(&c, b->a, &all);
	completion_add_positional(&c, b->a);
	completion_add_settings(&c, b->a);
	completion_find_commands(&c);
	completion_add_place(&c, b->a, S("schema"), ops);
	completion_add_place(&c, b->a, S("version"),
	    (struct strs){ version, 1 });
	completion_add_place(&c, b->a, S("completion"),
	    (struct strs){ shells, 3 });
	if (str_eq(shell, shells[0]))
		completion_bash(b, &c);
	else if (str_eq(shell, shells[1]))
		completion_zsh(b, &c);
	else if (str_eq(shell, shells[2]))
		completion_fish(b, &c);
	else
		return false;
	return true;
}
