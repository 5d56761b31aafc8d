/* Completion scripts are made from the tables, so they cannot fall behind. */
#include "door/completion.h"

#include "door/admin/admin.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/mcp/mcp.h"
#include "door/skills/skills.h"
#include "gate/rules.h"
#include "op/op.h"

/* What a value is, where the type does not say it. */
static const struct {
	const char *name;
	enum completion_value value;
} named[] = {
	{ "account", COMPLETION_ACCOUNTS },
	{ "source", COMPLETION_ACCOUNTS },
	{ "skill", COMPLETION_SKILLS },
};

static enum completion_value
value_of(const struct arg_spec *s)
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

/* "gmail imap ...": a text whose choices are a table of their own. */
static struct str
backends(struct arena *a)
{
	struct buf b;
	const char *name;

	buf_init(&b, a, 1 << 10);
	for (size_t i = 0; (name = rules_backend_at(i)) != NULL; i++)
		buf_fmt(&b, "%s%s", i > 0 ? " " : "", name);
	return buf_view(&b);
}

static struct str
choices(struct arena *a, const struct arg_spec *s)
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
add_row(struct completion_command *c, struct arena *a, const struct arg_spec *s)
{
	bool backend = str_eq(str_of(s->name), S("backend"));

	add_option(c, argv_spell(a, s->name), s->help,
	    backend ? COMPLETION_CHOICE : value_of(s));
	if (backend)
		c->option[c->options - 1].choices = backends(a);
	else if (s->type == ARG_CHOICE)
		c->option[c->options - 1].choices = choices(a, s);
	if (s->type == ARG_LONG_TEXT)
		add_option(c,
		    str_fmt(a, "%.*s-file", STR_ARG(argv_spell(a, s->name))),
		    "the same, read from a file", COMPLETION_FILE);
}

static void
add_options(struct completion_command *c, struct arena *a,
    const struct arg_spec *table, bool json)
{
	size_t n = 0;

	while (table[n].name != NULL)
		n++;
	c->option = arena_array(a, 2 * n + 2, sizeof(*c->option));
	for (size_t i = 0; i < n; i++)
		if (!(table[i].flags & ARG_POSITIONAL))
			add_row(c, a, &table[i]);
	if (json)
		add_option(c, S("json"), "always JSON", COMPLETION_NOTHING);
	add_option(c, S("help"), "what the command takes", COMPLETION_NOTHING);
}

const char *
completion_summary(const struct completion *c, const struct completion_place *p,
    struct str word)
{
	struct str prefix = p->prefix;

	if (str_eq(prefix, S("help")))
		prefix = S("");
	for (size_t i = 0; i < c->commands; i++) {
		struct str name = c->command[i].name;

		if (prefix.n > 0) {
			if (!str_starts(name, prefix) || name.n <= prefix.n)
				continue;
			name = str_from(name, prefix.n + 1);
		}
		if (str_eq(name, word))
			return c->command[i].summary;
	}
	return NULL;
}

static void
add_commands(struct completion *c, struct arena *a)
{
	size_t ops = 0, cmds = 0, pipes = 0;

	while (op_table[ops] != NULL)
		ops++;
	while (admin_table[cmds].name != NULL)
		cmds++;
	while (skills_table[pipes].name != NULL)
		pipes++;
	/* And one more: mcp. */
	c->command =
	    arena_array(a, ops + cmds + pipes + 1, sizeof(*c->command));
	for (size_t i = 0; i < ops; i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = argv_spell(a, op_table[i]->name);
		to->summary = op_table[i]->summary;
		add_options(to, a, op_table[i]->args, true);
	}
	for (size_t i = 0; i < cmds; i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = str_of(admin_table[i].name);
		to->summary = admin_table[i].summary;
		add_options(to, a, admin_table[i].args, false);
	}
	for (size_t i = 0; i < pipes; i++) {
		struct completion_command *to = &c->command[c->commands++];

		to->name = str_of(skills_table[i].name);
		to->summary = skills_table[i].summary;
		add_options(to, a, skills_table[i].args, false);
	}
	c->command[c->commands].name = S("mcp");
	c->command[c->commands].summary = mcp_summary;
	add_options(&c->command[c->commands++], a, mcp_args, false);
}

static void
add_place(struct completion *c, struct arena *a, struct str prefix,
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
add_positional(struct completion *c, struct arena *a)
{
	for (size_t i = 0; admin_table[i].name != NULL; i++) {
		const struct arg_spec *s = admin_table[i].args;
		enum completion_value v;

		while (s->name != NULL && !(s->flags & ARG_POSITIONAL))
			s++;
		v = s->name == NULL ? COMPLETION_TEXT : value_of(s);
		/* What is added is not there yet. */
		if (completion_values_kind(v) == NULL ||
		    str_ends(str_of(admin_table[i].name), S(" add")))
			continue;
		add_place(c, a, str_of(admin_table[i].name),
		    (struct strs){ 0 });
		c->place[c->places - 1].value = v;
	}
}

/* "config set" and its keys, and each key's words. */
static void
add_settings(struct completion *c, struct arena *a)
{
	struct strs keys = { 0 };
	const char *key;

	for (size_t i = 0; (key = config_at(i)) != NULL; i++) {
		struct strs words = { 0 };

		str_push(a, &keys, str_of(key));
		config_words(a, i, &words);
		if (words.n > 0)
			add_place(c, a, str_fmt(a, "config set %s", key),
			    words);
	}
	add_place(c, a, S("config set"), keys);
	add_place(c, a, S("config get"), keys);
}

/* Behind a place that is a command, too, its options may come. */
static void
find_commands(struct completion *c)
{
	for (size_t i = 0; i < c->places; i++)
		for (size_t k = 0; k < c->commands; k++)
			if (str_eq(c->place[i].prefix, c->command[k].name))
				c->place[i].command = &c->command[k];
}

/* Every beginning of a name of several words is a place. */
static void
add_places(struct completion *c, struct arena *a, const struct strs *all)
{
	struct strs words = { 0 };

	words_next(a, all, S(""), &words);
	add_place(c, a, S(""), words);
	add_place(c, a, S("help"), words);
	for (size_t i = 0; i < all->n; i++) {
		struct str name = all->v[i];

		for (size_t k = 0; k < name.n; k++) {
			struct strs next = { 0 };

			if (name.p[k] != ' ')
				continue;
			words_next(a, all, str_first(name, k), &next);
			add_place(c, a, str_first(name, k), next);
		}
	}
}

bool
completion_put(struct buf *b, struct str shell)
{
	static struct str shells[] = { SI("bash"), SI("zsh"), SI("fish") };
	struct strs all = { 0 }, ops = { 0 };
	struct completion c = { 0 };

	words_all(b->a, &all);
	for (size_t i = 0; op_table[i] != NULL; i++)
		str_push(b->a, &ops, argv_spell(b->a, op_table[i]->name));
	add_commands(&c, b->a);
	add_places(&c, b->a, &all);
	add_positional(&c, b->a);
	add_settings(&c, b->a);
	find_commands(&c);
	add_place(&c, b->a, S("schema"), ops);
	add_place(&c, b->a, S("completion"), (struct strs){ shells, 3 });
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
