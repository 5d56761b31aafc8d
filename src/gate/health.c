/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of doctor: emcli itself, then each account's files and servers. */
#include "gate/health.h"

#include <sys/stat.h>
#include <unistd.h>

#include "gate/health_report.h"
#include "gate/internal.h"
#include "gate/trace.h"

/* Is it closed to all users but this one? */
static bool
health_is_closed(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 077) == 0;
}

/* From what is so: who called, as the kernel says, and the store's files, now
 * and when they were opened. */
static bool
health_is_broker(const struct gate *g)
{
	const char *db = g->env->db, *slash = strrchr(db, '/');
	struct str dir = slash == NULL ? S(".")
	    : slash == db              ? S("/")
			  : (struct str){ db, (size_t)(slash - db) };

	return g->remote && g->uid != 0 && g->uid != geteuid() &&
	    store_open_mode(g->store) == 0 && health_is_closed(db) &&
	    health_is_closed(str_c(g->arena, dir));
}

const char *
health_isolation(const struct gate *g)
{
	return health_is_broker(g) ? "broker" : "direct";
}

/* Reached over the socket, and yet nothing is gained. */
static void
health_put_no_broker(struct health *h)
{
	const struct health_line line = {
		.check = S("isolation"),
		.say = S("direct: there is a broker, but its caller could open "
			 "the store all the same"),
		.next = S("run the broker as a user of its own, with a folder "
			  "of mode 700 for the store"),
	};

	health_line_put(h, &line);
}

static void
health_put_broker(struct health *h)
{
	const struct gate *g = h->call->gate;
	const char *by = g->confined_by != NULL ? g->confined_by : "none";
	const char *at = g->env->served_at;
	const struct health_line line = {
		.check = S("isolation"),
		.ok = true,
		.note = true,
		.say = str_fmt(h->call->arena,
		    "broker%s%s: holds against an agent with a shell as "
		    "another user; inside, %s; its confinement: %s",
		    at != NULL ? " at " : "", at != NULL ? at : "",
		    g->env->keeper != NULL
			? "the process that reads mail has no key"
			: "the process that reads mail also holds the key",
		    by),
		.next = g->confined
		    ? S("see emcli-serve(8)")
		    : S("use a kernel that can confine the broker's "
			"processes: emcli-serve(8)"),
	};

	health_line_put(h, &line);
}

static void
health_put_direct(struct health *h)
{
	const struct health_line line = {
		.check = S("isolation"),
		.ok = true,
		.note = true,
		.say =
		    S("direct: protects against accidents and a stolen disk, "
		      "not against an agent with a shell as this user"),
		.next = S("run emcli serve, and the agent as a separate user: "
			  "emcli-serve(8)"),
	};

	health_line_put(h, &line);
}

static void
health_put_isolation(struct health *h)
{
	const struct gate *g = h->call->gate;

	if (health_is_broker(g))
		health_put_broker(h);
	else if (g->remote)
		health_put_no_broker(h);
	else
		health_put_direct(h);
}

static bool
is_clock(struct str check)
{
	return str_ends(check, S(".clock"));
}

static void
health_probes(struct health *h, const struct source_health *of, bool *clock)
{
	for (size_t i = 0; i < of->probes.n; i++) {
		const struct probe *p = &of->probes.v[i];
		const struct health_line line = {
			.account = of->acct.name,
			.check = p->what,
			.ok = p->ok,
			.note = p->note,
			.say = p->say,
			.next = p->next,
			.detail = p->detail,
			.ms = p->ms,
		};

		*clock = *clock || is_clock(p->what);
		health_line_put(h, &line);
	}
}

/* A certificate's dates are not a clock, so they are not used. */
static void
health_no_clock(struct health *h)
{
	const struct health_line line = {
		.check = S("clock"),
		.ok = true,
		.note = true,
		.say = S("not checked: no server gave its time"),
	};

	health_line_put(h, &line);
}

static void
health_accounts(struct health *h, const struct source_health *v, size_t n)
{
	static const struct health_line none = {
		.check = SI("accounts"),
		.ok = true,
		.note = true,
		.say = SI("there is no account yet"),
		.next = SI("add one: emcli account add"),
	};
	bool clock = false;

	if (n == 0)
		health_line_put(h, &none);
	for (size_t i = 0; i < n; i++) {
		health_self_account(h, &v[i].acct);
		health_token_age(h, &v[i].acct);
		health_policy_account(h, &v[i].acct);
		health_sender_account(h, &v[i].acct);
		health_probes(h, &v[i], &clock);
	}
	if (!clock && n > 0)
		health_no_clock(h);
}

/* Tests the caller's accounts; a door may have limited them. */
static int
health_probe(struct call *c, struct str account, int64_t timeout,
    struct source_health **out, size_t *n, struct err *e)
{
	const struct strs *only = c->gate->caller.accounts;
	struct source_trial what = { .names = { &account, account.n > 0 },
		.whole = true,
		.timeout_ms = timeout };
	struct store *st = c->gate->store;
	struct source_health *one;
	size_t count;

	if (account.n > 0 && !gate_caller_has(c->gate, account))
		return which_unknown(c->gate, c->arena, account, e);
	if (account.n > 0 || only == NULL) {
		if (source_probe(st, c->arena, &what, out, n, e) == 0)
			return 0;
		return account.n > 0 && e->kind == ERR_NOT_FOUND
		    ? which_unknown(c->gate, c->arena, account, e)
		    : -1;
	}
	*out = arena_array(c->arena, only->n, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < only->n; i++) {
		struct err gone = { 0 };

		what.names = (struct strs){ &only->v[i], 1 };
		if (source_probe(st, c->arena, &what, &one, &count, &gone) ==
			0 &&
		    count > 0)
			(*out)[(*n)++] = one[0];
	}
	return 0;
}

int
health_check(struct call *c, struct str account, struct health_line **out,
    size_t *n, struct err *e)
{
	struct health h = { .call = c };
	struct source_health *v = NULL;
	int64_t timeout;
	size_t count = 0;

	if (store_setting_timeout(c->gate->store, &timeout, e) < 0)
		return -1;
	if (health_freeze_all(&h, e) < 0)
		return -1;
	health_self_keys(&h);
	health_self_memory(&h);
	health_self_files(&h);
	health_role(&h);
	health_signed(&h);
	health_notice(&h);
	health_skill_dir(&h);
	health_put_isolation(&h);
	if (health_probe(c, account, timeout, &v, &count, e) < 0)
		return -1;
	health_late(&h, v, count);
	if (account.n == 0 && health_line_operator(c))
		health_issuer(&h);
	health_accounts(&h, v, count);
	*out = h.v;
	*n = h.n;
	return 0;
}
