/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the gate for one principal; output functions for operations. */
#include "gate/gate.h"

#include <stdarg.h>

#include "base/clock.h"
#include "base/limits.h"
#include "gate/agent.h"
#include "gate/internal.h"
#include "gate/notice.h"
#include "gate/trace.h"
#include "skill/skill.h"
#include "store/keeper.h"

/*
 * The operator's own skills.  A folder that cannot be read is an error, like
 * other wrong settings.
 */
static int
gate_add_skills(struct gate *g, struct err *e)
{
	struct str dir;
	int r = store_setting_get(g->store, g->arena, S("skills_dir"), &dir, e);

	if (r < 0)
		return -1;
	g->skills_dir = r > 0 && !str_eq(dir, S("none"));
	if (!g->skills_dir)
		return skill_dir_load(NULL, false, e);
	if (skill_dir_load(str_c(g->arena, dir), false, e) == 0)
		return 0;
	(void)err_because(e, "skills_dir: %s", e->say);
	e->kind = ERR_CONFIG;
	return -1;
}

/* Who calls: as the kernel says, or as this process's environment does. */
static int
gate_open_caller(struct gate *g, const struct env *env, struct err *e)
{
	struct str name = str_of(env->agent);

	gate_agent_confined(g, env->confined_by, env->confined);
	if (env->foreign)
		return gate_agent_admit(g, env->uid, env->named ? name : S(""),
		    e);
	if (name.n >= sizeof(g->name))
		err_bug("no room for the caller's name");
	memcpy(g->name, name.p, name.n);
	g->principal = (struct str){ g->name, name.n };
	if (gate_agent_own(g, e) < 0)
		return -1;
	g->caller = g->own;
	return 0;
}

/* Of a process that makes one call after the other: gate_rest(). */
static struct store *resting;

static int
gate_open_store(const struct env *env, struct store **out, struct err *e)
{
	struct store_keys keys = { env->admin_key, env->agent_key };

	return env->keeper != NULL
	    ? store_enter_again(env->db, env->keeper, &resting, out, e)
	    : store_enter(env->db, STORE_AGENT, &keys, out, e);
}

int
gate_open(const struct env *env, struct gate **out, struct err *e)
{
	const int64_t since_ms = clock_mono_ms();
	struct gate *g;
	struct store *st = NULL;

	/* In the audit log this name means the operator. */
	if (!env->foreign && str_eq(str_of(env->agent), S("operator")))
		return err_set(e, ERR_CONFIG,
		    "EMCLI_AGENT: the name operator is reserved: choose "
		    "another");
	if (gate_open_store(env, &st, e) < 0)
		return -1;
	g = calloc(1, sizeof(*g));
	if (g == NULL)
		err_bug("no room for the gate");
	g->store = st;
	g->env = env;
	g->arena = arena_open(LIMIT_ARGV);
	store_until(st, since_ms + LIMIT_TIMEOUT_MS);
	if (gate_open_caller(g, env, e) < 0 || gate_add_skills(g, e) < 0 ||
	    gate_trace_begin(env, st, e) < 0) {
		gate_close(&g);
		return -1;
	}
	store_until(st, 0);
	store_until_opened(st, since_ms);
	*out = g;
	return 0;
}

bool
gate_is_current(struct gate *g)
{
	const int64_t since_ms = clock_mono_ms();
	bool is;

	store_until(g->store, since_ms + LIMIT_TIMEOUT_MS);
	is = !g->skills_dir && store_same(g->store);
	store_until(g->store, 0);
	/* It was opened before there was a call. */
	store_until_opened(g->store, since_ms);
	return is;
}

void
gate_close(struct gate **g)
{
	if (*g == NULL)
		return;
	store_close(&(*g)->store);
	/* It forks: the store is closed by now. */
	notice_due((*g)->env, (*g)->notice);
	arena_close(&(*g)->arena);
	free(*g);
	*g = NULL;
}

void
gate_rest(struct gate **g)
{
	if (*g != NULL && resting == NULL &&
	    store_open_is_served((*g)->store)) {
		resting = (*g)->store;
		(*g)->store = NULL;
	}
	gate_close(g);
}

void
gate_rest_end(void)
{
	store_close(&resting);
}

void
gate_caller_set(struct gate *g, const struct gate_caller *who)
{
	g->caller = *who;
	g->principal = who->principal.n > 0 ? who->principal : str_of(g->name);
	if (who->principal.n > 0)
		return;
	/*
	 * An agent named by the environment has the same limits as with its
	 * token.
	 */
	if (g->own.accounts != NULL)
		g->caller.accounts = g->own.accounts;
	if (g->own.skills != NULL)
		g->caller.skills = g->own.skills;
	if (g->own.ops != NULL)
		g->caller.ops = g->own.ops;
}

void
gate_caller_set_person(struct gate *g)
{
	g->caller.person = true;
}

bool
gate_caller_is_person(const struct gate *g)
{
	return g->caller.person;
}

static bool
gate_is_among(const struct strs *only, struct str name)
{
	return only == NULL || str_among(only, name);
}

bool
gate_caller_has(const struct gate *g, struct str account)
{
	return gate_is_among(g->caller.accounts, account);
}

size_t
gate_caller_keep(const struct gate *g, struct role_source *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (gate_caller_has(g, v[i].name))
			v[kept++] = v[i];
	return kept;
}

bool
gate_caller_may(const struct gate *g, struct str op)
{
	return gate_is_among(g->caller.ops, op);
}

struct str
gate_caller_prefix(const struct gate *g)
{
	return g->caller.prefix;
}

const struct gate_binding *
gate_caller_binding(const struct gate *g)
{
	return g->caller.binding;
}

const struct strs *
gate_caller_mailboxes(const struct gate *g)
{
	return g->caller.mailboxes;
}

void
gate_progress(struct gate *g, void (*tell)(uint64_t done, uint64_t all))
{
	g->progress = tell;
}

void
gate_watching(struct gate *g, void (*tell)(void))
{
	g->watching = tell;
}

void
gate_saving(struct gate *g, const struct gate_saves *s)
{
	g->saves = s;
}

void
gate_note(struct call *c, struct str text)
{
	c->note = str_fmt(c->arena, "%.*s%s%.*s", STR_ARG(c->note),
	    c->note.n > 0 ? "; " : "", STR_ARG(text));
}

void
gate_warn(struct call *c, enum warning w, size_t n)
{
	uint32_t room = UINT32_MAX - c->warned[w];

	c->warned[w] += n < room ? (uint32_t)n : room;
}

void
gate_add_line(struct arena *a, struct gate_lines *l, enum gate_mark mark,
    struct str text)
{
	l->v = arena_grow(a, l->v, l->n * sizeof(*l->v),
	    (l->n + 1) * sizeof(*l->v));
	l->v[l->n++] = (struct gate_line){ mark, str_dup(a, text) };
}

void
gate_say(struct call *c, enum gate_mark mark, const char *fmt, ...)
{
	char line[2048];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	gate_add_line(c->arena, &c->person, mark, str_of(line));
}

void
gate_say_text(struct call *c, struct str text)
{
	while (text.n > 0) {
		struct str line;

		(void)str_cut(text, '\n', &line, &text);
		gate_say_line(c, line);
	}
}

void
gate_say_line(struct call *c, struct str text)
{
	gate_add_line(c->arena, &c->person, GATE_TEXT, text);
}

void
gate_say_above(struct call *c, struct str text)
{
	gate_add_line(c->arena, &c->person, GATE_ABOVE, text);
}

void
gate_say_pair(struct call *c, const char *name, struct str value)
{
	gate_add_line(c->arena, &c->person, GATE_PAIR,
	    str_fmt(c->arena, "%s\t%.*s", name, STR_ARG(value)));
}

void
gate_say_raw(struct call *c, struct str text)
{
	gate_add_line(c->arena, &c->person, GATE_RAW, text);
}
