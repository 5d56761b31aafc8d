/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's own skills, for commands that want no key. */
#include "desk/skill_own.h"

#include "gate/operate.h"
#include "store/store.h"

static int
skill_own_load(const struct env *env, struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;

	if (env->admin_key == NULL && env->agent_key == NULL)
		return 0;
	/* No store yet, and so no settings. */
	if (!store_about_is_there(env->db))
		return 0;
	return gate_open(env, &g, e);
}

/* The details are for the operator, who gets them all in one line. */
static void
skill_own_tell_operator(struct call *c, const struct err *e)
{
	bool more = e->detail[0] != '\0', next = e->hint != NULL;

	operate_note(c, "emcli: %s%s%s%s%s%s", e->say, more ? " (" : "",
	    e->detail, more ? ")" : "", next ? "; next: " : "",
	    next ? e->hint : "");
}

void
skill_own_add(struct call *c)
{
	struct err e = { 0 };

	if (skill_own_load(operate_env(c), &e) == 0)
		return;
	operate_note(c, "emcli: the operator's own skills are missing here:");
	if (operate_env(c)->admin_key != NULL) {
		skill_own_tell_operator(c, &e);
		return;
	}
	operate_note(c, "emcli: %s", e.say);
	if (e.hint != NULL)
		operate_note(c, "emcli: next: %s", e.hint);
}

size_t
skill_own_tokens(size_t bytes)
{
	return (bytes + 3) / 4;
}
