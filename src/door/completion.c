/* Completion scripts are made from the tables, so they cannot fall behind. */
#include "door/completion.h"

#include "door/admin/admin.h"
#include "door/argv.h"
#include "door/internal.h"
#include "op/op.h"

bool
completion_is_file(const struct arg_spec *s)
{
	return s->type == ARG_PATH;
}

struct str
completion_choices(struct arena *a, const struct arg_spec *s)
{
	char *p;

	if (s->type != ARG_CHOICE)
		return S("");
	p = str_c(a, str_of(s->choices));
	for (size_t i = 0; p[i] != '\0'; i++)
		if (p[i] == '|')
			p[i] = ' ';
	return str_of(p);
}

const char *
completion_summary(const struct completion *c, struct str prefix,
    struct str word)
{
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
	size_t ops = 0, cmds = 0;

	while (op_table[ops] != NULL)
		ops++;
	while (admin_table[cmds].name != NULL)
		cmds++;
	c->command = arena_array(a, ops + cmds, sizeof(*c->command));
	for (size_t i = 0; i < ops; i++)
		c->command[c->commands++] =
		    (struct completion_command){ argv_spell(a,
						     op_table[i]->name),
			    op_table[i]->summary, op_table[i]->args, true };
	for (size_t i = 0; i < cmds; i++)
		c->command[c->commands++] =
		    (struct completion_command){ str_of(admin_table[i].name),
			    admin_table[i].summary, admin_table[i].args,
			    false };
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
	c->place[c->places++] = (struct completion_place){ prefix, words };
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
