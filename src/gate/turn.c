/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the claims of a transcript with our marks.  If nobody names the
 * conversation, the first load of a turn does, by a random word that is part of
 * its mark: two conversations with the same words have separate turns.
 */
#include "gate/turn.h"

#include <inttypes.h>
#include <sys/random.h>

#include "gate/grant.h"
#include "gate/internal.h"
#include "skill/mark.h"

enum {
	LOADS = 100, /* loads of one turn that are checked: each costs a MAC */
	THREAD = 32  /* hex digits */
};

static struct mark_place
gate_turn_place(const struct gate *g)
{
	return (struct mark_place){ g->principal, g->caller.conversation };
}

int
gate_turn_mark(struct gate *g, struct arena *a, const struct gate_turn *t,
    struct str skill, struct str call, struct str *mark, struct err *e)
{
	struct mark_place p = gate_turn_place(g);

	if (mark_load(g->store, a, &p, t->token, skill, call, mark, e) < 0)
		return -1;
	if (t->thread.n > 0)
		*mark =
		    str_fmt(a, "%.*s.%.*s", STR_ARG(t->thread), STR_ARG(*mark));
	return 0;
}

static void
gate_turn_add(struct gate_turn *t, const struct skill *s)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->active[i] == s)
			return;
	t->active[t->n++] = s;
}

/* Did emcli give that answer in this turn, and may the caller still have it? */
static int
gate_turn_is_ours(struct gate *g, struct arena *a, const struct gate_turn *t,
    const struct turn_load *l, bool *ours, struct err *e)
{
	const struct skill *s = skill_find(l->skill);
	struct str mark;

	*ours = false;
	if (s == NULL)
		return 0;
	if (gate_turn_mark(g, a, t, l->skill, l->call, &mark, e) < 0)
		return -1;
	if (!mark_same(mark, l->mark))
		return 0;
	return gate_grant_may(g, a, s, ours, e);
}

/* The token of the turn, in the conversation named by `thread`. */
static int
gate_turn_make_token(struct gate *g, struct arena *a, struct gate_turn *t,
    struct err *e)
{
	struct mark_place p = gate_turn_place(g);
	struct str input = t->turn.input;

	if (t->thread.n > 0)
		input = str_fmt(a, "thread %.*s %.*s", STR_ARG(t->thread),
		    STR_ARG(input));
	return mark_turn(g->store, a, &p, input, &t->token, e);
}

static int
gate_turn_make_thread(struct arena *a, struct str *out, struct err *e)
{
	uint64_t raw[2];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes");
		return err_errno(e, "getrandom");
	}
	*out = str_fmt(a, "%016" PRIx64 "%016" PRIx64, raw[0], raw[1]);
	return 0;
}

/* The word of the first load that is ours; or a new one. */
static int
gate_turn_find_thread(struct gate *g, struct arena *a, struct gate_turn *t,
    struct err *e)
{
	for (size_t i = 0; i < t->turn.loads && i < LOADS; i++) {
		struct str mark = t->turn.load[i].mark;
		bool ours;

		if (mark.n <= THREAD || mark.p[THREAD] != '.')
			continue;
		t->thread = str_first(mark, THREAD);
		if (gate_turn_make_token(g, a, t, e) < 0 ||
		    gate_turn_is_ours(g, a, t, &t->turn.load[i], &ours, e) < 0)
			return -1;
		if (ours)
			return 0;
	}
	return gate_turn_make_thread(a, &t->thread, e);
}

static int
gate_turn_add_live(struct gate *g, struct arena *a, struct gate_turn *t,
    struct err *e)
{
	for (size_t i = 0; skill_at(i) != NULL; i++) {
		bool live;

		if (gate_grant_live(g, a, skill_at(i), &live, e) < 0)
			return -1;
		if (live)
			gate_turn_add(t, skill_at(i));
	}
	return 0;
}

int
gate_turn_read(struct gate *g, struct arena *a, struct str request,
    enum turn_format format, const struct turn_opts *o, struct gate_turn *out,
    struct err *e)
{
	struct gate_turn t = { 0 };
	size_t skills = 0;

	if (turn_read(a, request, format, o, &t.turn, e) < 0)
		return -1;
	*out = t;
	if (t.turn.input.n == 0)
		return 0;
	if (t.turn.why == TURN_FOUND && g->caller.conversation.n == 0 &&
	    gate_turn_find_thread(g, a, &t, e) < 0)
		return -1;
	if (gate_turn_make_token(g, a, &t, e) < 0)
		return -1;
	g->caller.turn = t.token;
	while (skill_at(skills) != NULL)
		skills++;
	t.active = arena_array(a, skills, sizeof(struct skill *));
	for (size_t i = 0; i < t.turn.loads && i < LOADS; i++) {
		bool ours;

		if (gate_turn_is_ours(g, a, &t, &t.turn.load[i], &ours, e) < 0)
			return -1;
		if (ours)
			gate_turn_add(&t, skill_find(t.turn.load[i].skill));
	}
	if (t.turn.why == TURN_NAMED && gate_turn_add_live(g, a, &t, e) < 0)
		return -1;
	*out = t;
	return 0;
}
