/* SPDX-License-Identifier: Apache-2.0 */
/* The names of all commands, for help, completion and "did you mean"; and which
 * one a line begins with. */
#include "base/near.h"
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/argv.h"
#include "door/internal.h"
#include "door/line.h"
#include "door/out.h"
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

/* How many words of the line begin a command? */
static int
words_known(const struct line *l, const struct strs *all)
{
	int n = 0;

	while (n < l->argc && n < LINE_WORDS) {
		struct strs next = { 0 };

		words_next(l->a, all, line_join(l, n), &next);
		if (!str_among(&next, str_of(l->argv[n])))
			break;
		n++;
	}
	return n;
}

int
words_unknown(const struct line *l, struct err *e)
{
	struct strs all = { 0 }, next = { 0 };
	struct str head, word, best;
	int n;

	words_all(l->a, &all);
	n = words_known(l, &all);
	head = line_join(l, n);
	words_next(l->a, &all, head, &next);
	if (n > 0)
		head = str_fmt(l->a, "%.*s ", STR_ARG(head));
	if (n >= l->argc) {
		(void)err_set(e, ERR_USAGE,
		    "%.*sneeds another word: see emcli help %.*s",
		    STR_ARG(head), STR_ARG(str_trim(head)));
		out_complain(e, false);
		return 2;
	}
	word = str_of(l->argv[n]);
	best = near_pick(word, &next);
	word = out_quote(l->a, word);
	if (best.n > 0)
		(void)err_set(e, ERR_USAGE,
		    "unknown command %.*s: did you mean emcli %.*s%.*s?",
		    STR_ARG(word), STR_ARG(head), STR_ARG(best));
	else
		(void)err_set(e, ERR_USAGE,
		    "unknown command %.*s: see emcli help", STR_ARG(word));
	return -1;
}
