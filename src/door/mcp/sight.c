/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which tools are shown to whom: for convenience, never for protection.  A
 * modern list depends on what its caller may ever do and not on earlier calls;
 * a legacy one may follow what is loaded.
 */
#include "door/mcp/sight.h"
#include "gate/grant.h"

enum {
	TURN_MAX = 64 /* bytes: a UUID, and some room */
};

/*
 * A host that knows when its user speaks says so in every request: a skill that
 * is loaded in one turn is not there in the next, nor without a turn. Some
 * hosts say so by their own mark.
 */
static int
mcp_sight_read_turn(const struct mcp_request *q, struct str *turn,
    struct err *e)
{
	const struct json_value *meta = json_parse_member(q->params, "_meta");
	const struct json_value *v = json_parse_member(meta, "emcli/turn");

	if (v == NULL) {
		*turn = mcp_host_turn(meta, q->a, TURN_MAX);
		return 0;
	}
	if (json_parse_str(v, turn) && turn->n > 0 && turn->n <= TURN_MAX)
		return 0;
	*turn = (struct str){ 0 };
	return err_set(e, ERR_USAGE,
	    "_meta's emcli/turn must be a string of 1 to %d bytes", TURN_MAX);
}

int
mcp_sight_store(const struct mcp *m, struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;

	if (m->broken != NULL) {
		*e = *m->broken;
		return -1;
	}
	return gate_open(m->env, &g, e);
}

int
mcp_sight_gate(const struct mcp_request *q, struct gate_caller *who,
    struct gate **out, struct err *e)
{
	int r;

	if (q->m->broken != NULL) {
		*e = *q->m->broken;
		return -1;
	}
	if (gate_open(q->m->env, out, e) < 0)
		return -1;
	*who = (struct gate_caller){ 0 };
	if (q->m->agent != NULL)
		*who = q->m->agent->caller;
	who->grants = !q->m->always;
	who->windows = true;
	who->prefix = mcp_sight_prefix(q);
	/* Nothing is inferred from a modern connection. */
	if (q->era == MCP_LEGACY)
		who->conversation = str_of(q->m->conversation);
	r = mcp_sight_read_turn(q, &who->turn, e);
	gate_caller_set(*out, who);
	return r;
}

int
mcp_sight_boxes(const struct mcp_request *q, struct gate *g, bool quiet,
    struct selector *out, struct err *e)
{
	struct selector_opts o = q->m->boxes;

	o.quiet = quiet;
	if (selector_open(out, g, q->a, &o, e) == 0)
		return 0;
	if (e->kind != ERR_CONFIG)
		return -1;
	*e = (struct err){ 0 };
	return 0;
}

void
mcp_sight_meet(struct mcp *m, struct str client)
{
	m->client = client;
	m->host = mcp_host_find(client);
	m->filter = str_eq(m->tools, S("filter")) ||
	    (str_eq(m->tools, S("auto")) &&
		mcp_host_does(m->host, MCP_HOST_LISTS));
}

bool
mcp_sight_filters(const struct mcp_request *q)
{
	return q->era == MCP_LEGACY && q->m->filter && !q->m->always;
}

/* Nothing is inferred about a modern client. */
struct str
mcp_sight_prefix(const struct mcp_request *q)
{
	if (q->m->prefixes)
		return q->m->prefix;
	return q->era == MCP_LEGACY && mcp_host_does(q->m->host, MCP_HOST_BARE)
	    ? S("mail_")
	    : S("");
}

bool
mcp_sight_structured(const struct mcp_request *q)
{
	return q->m->structured ||
	    (q->era == MCP_LEGACY &&
		mcp_host_does(q->m->host, MCP_HOST_STRUCTURED));
}

bool
mcp_sight_control(const struct op *op)
{
	return op->skill == NULL && !(op->needs & NEED_ACCOUNT) &&
	    !op->report && !op->unfrozen;
}

uint64_t
mcp_sight_skills(const struct mcp_request *q, struct gate *g, bool live)
{
	bool yes;
	const struct skill *s;
	struct err e = { 0 };
	uint64_t seen = 0;

	for (size_t i = 0; i < 64 && (s = skill_at(i)) != NULL; i++) {
		int r = live ? gate_grant_live(g, q->a, s, &yes, &e)
			     : gate_grant_may(g, q->a, s, &yes, &e);

		if (r == 0 && yes)
			seen |= UINT64_C(1) << i;
	}
	return seen;
}

uint64_t
mcp_sight_mine(const struct mcp_request *q, bool live)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct gate_caller who;
	struct err e = { 0 };

	if (mcp_sight_gate(q, &who, &g, &e) < 0)
		return 0;
	return mcp_sight_skills(q, g, live);
}

bool
mcp_sight_shows(const struct mcp_request *q, uint64_t skills,
    const struct op *op)
{
	const struct skill *s;
	const struct strs *only =
	    q->m->agent != NULL ? q->m->agent->caller.ops : NULL;
	bool mine = only == NULL || str_among(only, str_of(op->name));

	if (op->skill == NULL)
		return !q->m->always || !mcp_sight_control(op);
	if (q->m->always || !mine)
		return mine;
	for (size_t i = 0; i < 64 && (s = skill_at(i)) != NULL; i++)
		if ((skills >> i & 1) &&
		    (str_eq(str_of(s->name), str_of(op->skill)) ||
			(s->added && mcp_sight_filters(q) &&
			    skill_has_op(s, str_of(op->name)))))
			return true;
	return false;
}
