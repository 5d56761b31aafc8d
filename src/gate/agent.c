/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by their tokens. */
#include "gate/agent.h"

#include "base/clock.h"
#include "gate/internal.h"
#include "store/agent.h"

/* " home work " as a list; NULL: no limit. */
static const struct strs *
gate_agent_words(struct arena *a, struct str set)
{
	struct strs *out = arena_new(a, struct strs);
	struct str one;
	bool more = true;

	if (set.p == NULL)
		return NULL;
	while (more) {
		more = str_cut(set, ' ', &one, &set);
		if (one.n > 0)
			str_push(a, out, one);
	}
	return out;
}

static struct gate_caller
gate_agent_caller(struct arena *a, const struct store_agent *x)
{
	return (struct gate_caller){
		.principal = x->name,
		.accounts = gate_agent_words(a, x->accounts),
		.skills = gate_agent_words(a, x->skills),
		.ops = gate_agent_words(a, x->ops),
	};
}

struct gate_agent
gate_agent_of(struct arena *a, const struct store_agent *x)
{
	return (struct gate_agent){ x->id, gate_agent_caller(a, x) };
}

int
gate_agent_find(struct gate *g, struct arena *a, struct str token,
    struct gate_agent *out, struct err *e)
{
	struct store_agent x;
	int r = store_agent_by_token(g->store, a, token, &x, e);

	if (r == 1)
		*out = gate_agent_of(a, &x);
	return r;
}

int
gate_agent_own(struct gate *g, struct err *e)
{
	struct store_agent x;
	int r = store_agent_by_name(g->store, g->arena, str_of(g->name), &x, e);

	if (r == 1)
		g->own = gate_agent_caller(g->arena, &x);
	return r < 0 ? -1 : 0;
}

/* False: no gate has room for such a name. */
static bool
gate_agent_become(struct gate *g, const struct store_agent *x)
{
	if (x->name.n >= sizeof(g->name))
		return false;
	memcpy(g->name, x->name.p, x->name.n);
	g->name[x->name.n] = '\0';
	g->principal = (struct str){ g->name, x->name.n };
	g->own = gate_agent_caller(g->arena, x);
	g->caller = g->own;
	return true;
}

struct str
gate_agent_name(const struct gate *g)
{
	return g->principal;
}

void
gate_agent_from(struct gate *g, uint32_t uid)
{
	g->remote = true;
	g->uid = uid;
}

int
gate_agent_enter(struct gate *g, struct str token, struct err *e)
{
	struct store_agent x;
	int r = store_agent_by_token(g->store, g->arena, token, &x, e);

	return r == 1 && !gate_agent_become(g, &x) ? 0 : r;
}

int
gate_agent_admit(struct gate *g, uint32_t uid, struct str name, struct err *e)
{
	struct store_agent x;
	int r = store_agent_by_uid(g->store, g->arena, uid, name, &x, e);

	if (r < 0)
		return -1;
	if (r == 0 || !gate_agent_become(g, &x)) {
		(void)err_set(e, ERR_CONFIG,
		    "this user is no agent here, or not the one that "
		    "EMCLI_AGENT names");
		return err_hint(e,
		    "tell the operator: emcli agent add NAME --user USER");
	}
	gate_agent_from(g, uid);
	return 0;
}

void
gate_agent_confined(struct gate *g, const char *by, bool whole)
{
	g->confined_by = by;
	g->confined = whole;
}

int
gate_agent_session_begin(struct gate *g, struct arena *a,
    const struct gate_agent *who, const struct gate_agent_session *x,
    struct str id, struct err *e)
{
	struct store_agent_session row = { .revision = x->revision,
		.client = x->client,
		.asks = x->asks };

	return store_agent_session_add(g->store, a, who->id, id, &row,
	    clock_now_ms(), e);
}

int
gate_agent_session(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct gate_agent_session *out,
    struct err *e)
{
	struct store_agent_session row = { 0 };
	int r = store_agent_session_find(g->store, a, who->id, id,
	    clock_now_ms(), &row, e);

	/* Not the id itself: only its client may know that. */
	if (r == 1)
		*out = (struct gate_agent_session){ row.revision, row.client,
			row.asks,
			str_fmt(a, "mcp-http-%lld", (long long)row.id) };
	return r;
}

int
gate_agent_session_end(struct gate *g, struct arena *a,
    const struct gate_agent *who, struct str id, struct err *e)
{
	return store_agent_session_end(g->store, a, who->id, id, e);
}
