/* The names of all commands, for help, completion and "did you mean"; and which
 * one a line begins with. */
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/line.h"
#include "door/skills/skills.h"
#include "op/op.h"

static const char *const own[] = { "help", "version", "schema", "completion",
	"manual", "mcp" };

void
words_all(struct arena *a, struct strs *out)
{
	struct agents_command agents;

	for (size_t i = 0; op_table[i] != NULL; i++)
		str_push(a, out, argv_spell(a, op_table[i]->name));
	for (size_t i = 0; desk_table[i] != NULL; i++)
		str_push(a, out, str_of(desk_table[i]->name));
	for (size_t i = 0; agents_command_at(a, i, &agents); i++)
		str_push(a, out, agents.name);
	for (size_t i = 0; skills_table[i].name != NULL; i++)
		str_push(a, out, str_of(skills_table[i].name));
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		str_push(a, out, str_of(own[i]));
}

void
words_next(struct arena *a, const struct strs *all, struct str prefix,
    struct strs *out)
{
	for (size_t i = 0; i < all->n; i++) {
		struct str rest = all->v[i], word, tail;

		if (prefix.n > 0) {
			if (rest.n <= prefix.n || !str_starts(rest, prefix) ||
			    rest.p[prefix.n] != ' ')
				continue;
			rest = str_from(rest, prefix.n + 1);
		}
		(void)str_cut(rest, ' ', &word, &tail);
		if (!str_among(out, word))
			str_push(a, out, word);
	}
}

const struct op *
words_find_desk(const struct line *l, int *words)
{
	for (*words = LINE_WORDS; *words > 0; (*words)--) {
		struct str name = line_join(l, *words);

		for (size_t i = 0; *words <= l->argc && desk_table[i] != NULL;
		     i++)
			if (str_eq(str_of(desk_table[i]->name), name))
				return desk_table[i];
	}
	return NULL;
}

const struct skills_command *
words_find_pipe(const struct line *l, int *words)
{
	for (*words = l->argc < 2 ? l->argc : 2; *words > 0; (*words)--)
		for (size_t i = 0; skills_table[i].name != NULL; i++)
			if (str_eq(str_of(skills_table[i].name),
				line_join(l, *words)))
				return &skills_table[i];
	return NULL;
}

struct str
words_find_agents(const struct line *l)
{
	struct agents_command c;
	struct str name = line_join(l, LINE_WORDS);

	return agents_command_find(l->a, name, &c) ? name : S("");
}
