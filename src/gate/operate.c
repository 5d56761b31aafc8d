/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operator's key, the store that it opens, and the audit row of the
 * operator's changes.  What cannot be recorded is not done.
 */
#include "gate/operate.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/limits.h"
#include "gate/internal.h"
#include "gate/notice.h"
#include "gate/trace.h"
#include "store/audit.h"
#include "store/signed.h"

unsigned
operate_needs(const struct op *op, const struct args *args)
{
	/* Nothing is written before a call that cannot be parsed. */
	if (op->when != NULL && (args == NULL || !args_has(args, op->when)))
		return 0;
	return op->needs;
}

bool
operate_means(const struct env *env)
{
	return env->admin_key != NULL;
}

/*
 * An agent's attempt to use an operator's operation is worth recording.  Where
 * its calls go to a broker, no program is asked for a key.
 */
static void
operate_note_attempt(const struct env *env, const struct op *op,
    struct arena *a, const struct err *why)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct reply unused = { 0 };
	struct err e = { 0 };

	if (env->agent_key != NULL &&
	    !(env_is_far(env) && env_command_due(env)) &&
	    gate_open(env, &g, &e) == 0)
		gate_refuse(g, op->name, why, a, &unused);
}

int
operate_allow(const struct env *env, const struct op *op,
    const struct args *args, bool person, struct arena *a, struct err *e)
{
	if (operate_needs(op, args) == 0 || env->admin_key != NULL)
		return 0;
	if (op->keyless != NULL && args != NULL &&
	    op->keyless(env, args, person))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "emcli: this command requires EMCLI_ADMIN_KEY (admin privilege)");
	operate_note_attempt(env, op, a, e);
	return -1;
}

static void __attribute__((format(printf, 3, 0)))
operate_add_note(struct arena *a, struct gate_lines *l, const char *fmt,
    va_list ap)
{
	gate_add_line(a, l, GATE_NOTE, str_fmt_list(a, fmt, ap));
}

static void __attribute__((format(printf, 3, 4)))
operate_warn(struct arena *a, struct gate_lines *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	operate_add_note(a, l, fmt, ap);
	va_end(ap);
}

void
operate_note(struct call *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	operate_add_note(c->gate->arena, &c->gate->notes, fmt, ap);
	va_end(ap);
}

/* The contents of a store from an older emcli count as the operator's. */
static void
operate_warn_opened(const struct store *s, struct arena *a,
    struct gate_lines *out)
{
	unsigned mode = store_open_mode(s);
	struct store_taken t;

	if (mode != 0)
		operate_warn(a, out,
		    "emcli: warning: others could read the database (mode "
		    "%04o); they cannot any more: see emcli key rotate",
		    mode);
	if (store_signed_taken(s, &t))
		operate_warn(a, out,
		    "emcli: note: this database is older than signatures over "
		    "accounts and policy: %lld accounts, %lld whitelist "
		    "entries and %lld agents were signed as they are. Look at "
		    "them once; emcli key rotate --admin makes it final",
		    (long long)t.accounts, (long long)t.entries,
		    (long long)t.agents);
}

/*
 * With the operator's key, signs the audit rows since it was last given.
 * Reports faults in the log or the rows, but they do not stop the operator.
 */
static void
operate_sign(struct gate *g, struct arena *a)
{
	struct store_chain chain;
	struct store_signed rows;
	struct err e = { 0 };

	if (store_chain_sign(g->store, &chain, &e) < 0 ||
	    store_signed_check(g->store, a, &rows, &e) < 0) {
		operate_warn(g->arena, &g->notes, "emcli: %s%s%s%s", e.say,
		    e.detail[0] != '\0' ? " (" : "", e.detail,
		    e.detail[0] != '\0' ? ")" : "");
		return;
	}
	notice_audit(g->store, chain.whole && rows.n == 0, false);
	if (!chain.whole)
		operate_warn(g->arena, &g->notes,
		    "emcli: warning: the audit log was tampered with: see "
		    "emcli audit verify");
	if (rows.n > 0)
		operate_warn(g->arena, &g->notes,
		    "emcli: warning: accounts, policy or settings were "
		    "changed without emcli: see emcli audit verify");
}

int
operate_open(const struct env *env, const struct op *op, struct args *args,
    struct arena *a, struct gate **out, struct err *e)
{
	struct store_keys keys = { env->admin_key, env->agent_key };
	unsigned needs = operate_needs(op, args);
	struct gate *g;

	if (args_check(args, a, e) < 0)
		return -1;
	g = calloc(1, sizeof(*g));
	if (g == NULL)
		err_bug("no room for the gate");
	g->env = env;
	g->operates = op;
	g->arena = arena_open(LIMIT_ARGV);
	g->principal = S("operator");
	*out = g;
	/* A host can be configured for a remote server, without a store here.
	 */
	if (!(needs & (NEED_STORE | NEED_RECORD)) &&
	    !(needs & NEED_FILES && store_about_is_there(env->db)))
		return 0;
	if (store_enter(env->db, STORE_ADMIN, &keys, &g->store, e) < 0 ||
	    gate_trace_begin(env, g->store, e) < 0) {
		gate_close(out);
		return -1;
	}
	operate_warn_opened(g->store, g->arena, &g->notes);
	operate_sign(g, a);
	return 0;
}

void
operate_opened(struct call *c, const struct store *s)
{
	operate_warn_opened(s, c->gate->arena, &c->gate->notes);
}

const struct gate_lines *
operate_notes(const struct gate *g)
{
	return &g->notes;
}

void
operate_then(struct call *c,
    int (*fn)(void *ctx, struct arena *a, struct err *e), void *ctx)
{
	c->gate->last = fn;
	c->gate->last_ctx = ctx;
}

struct operate_last
operate_last(const struct gate *g)
{
	return (struct operate_last){ g->last, g->last_ctx };
}

void
operate_serve(struct gate *g, const struct operate_door *door)
{
	g->door = door;
	g->progress = door->progress;
}

const struct operate_door *
operate_door(const struct call *c)
{
	return c->gate->door;
}

int
operate_show(struct call *c, struct err *e)
{
	struct gate_lines said = c->person;

	c->person = (struct gate_lines){ 0 };
	if (c->gate->door->show(c->arena, &said) == 0)
		return 0;
	(void)err_set(e, ERR_INTERNAL, "the output cannot be written");
	return err_errno(e, "standard output");
}

struct store *
operate_store(const struct call *c)
{
	return c->gate->store;
}

const struct env *
operate_env(const struct call *c)
{
	return c->gate->env;
}

/* An agent's gate, whatever key it has. */
static int
operate_refuse(struct gate *g, const struct op *op, struct arena *a,
    struct err *e)
{
	struct reply unused = { 0 };

	(void)err_set(e, ERR_POLICY,
	    "refused by policy: this is the operator's alone");
	e->reason = "operator";
	gate_refuse(g, op->name, e, a, &unused);
	return -1;
}

int
operate_begin(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, int64_t *audit, struct err *e)
{
	if (g->operates == NULL)
		return operate_refuse(g, op, a, e);
	if (g->operates != op)
		return err_set(e, ERR_CONFIG,
		    "this gate was opened for the operator's %s alone",
		    g->operates->name);
	if (g->store == NULL)
		return 0;
	if (sole_fill(g->store, a, args, e) < 0)
		return -1;
	if (!(op->needs & (NEED_RECORD | NEED_FILES)))
		return 0;
	return operate_record(g->store, a, op->name, args, audit, e);
}

int
operate_record(struct store *s, struct arena *a, const char *name,
    const struct args *args, int64_t *audit, struct err *e)
{
	struct store_audit row = record_row(a, name, args);

	if (store_audit_asked(s, &row, audit, e) < 0)
		return -1;
	return store_audit_judged(s, *audit, true, S(""), e);
}

void
operate_recorded(struct store *s, int64_t audit, struct str note, struct err *e)
{
	bool good = e->kind == ERR_NONE;
	struct err late = { 0 };

	if (store_audit_done(s, audit, S(""),
		str_of(good ? "ok" : err_code(e->kind)),
		good ? note : str_of(e->detail), &late) < 0 &&
	    good)
		*e = late;
}

const struct op *
operate_op(const struct call *c)
{
	return c->gate->operates;
}
