/* The rule, step by step. */
#include "source/choose.h"

struct walk {
	const struct choose_ask *ask;
	struct choose *out;
	bool *asked; /* for each source, what is known of it */
	enum choose_reason *reason;
};

static const char *const reasons[] = {
	[CHOOSE_AVAILABLE] = "",
	[CHOOSE_AUTH_MISSING] = "auth_missing",
	[CHOOSE_AUTH_EXPIRED] = "auth_expired",
	[CHOOSE_LIST_NOT_VISIBLE] = "list_not_visible",
	[CHOOSE_UNREACHABLE] = "unreachable",
	[CHOOSE_PATH_MISSING] = "path_missing",
	[CHOOSE_MISCONFIGURED] = "misconfigured",
	[CHOOSE_SERVER_DOWN] = "server_down",
};

const char *
choose_reason_name(enum choose_reason r)
{
	return reasons[r];
}

/* Asked once; the answer holds for the run. */
static enum choose_reason
ask_once(struct walk *w, const struct role_source *s)
{
	size_t i = (size_t)(s - w->ask->v);

	if (!w->asked[i]) {
		w->asked[i] = true;
		w->reason[i] = w->ask->available(w->ask->ctx, s);
	}
	return w->reason[i];
}

static void
skip(struct walk *w, const struct role_source *s, int step,
    enum choose_cause cause, enum choose_reason reason)
{
	w->out->skip[w->out->n++] =
	    (struct choose_skip){ s, step, cause, reason };
}

static bool
was_skipped(const struct choose *c, const struct role_source *s)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->skip[i].source == s)
			return true;
	return false;
}

/* Takes it if it will do, or writes down why not; a second look is none. */
static bool
take(struct walk *w, const struct role_source *s, int step,
    enum choose_rule rule)
{
	unsigned bit = 1U << w->ask->op;
	enum choose_reason why;

	if (was_skipped(w->out, s))
		return false;
	if (!(s->supports & bit)) {
		skip(w, s, step, CHOOSE_UNSUPPORTED, CHOOSE_AVAILABLE);
		return false;
	}
	if (s->declined) {
		skip(w, s, step, CHOOSE_DECLINED, CHOOSE_AVAILABLE);
		return false;
	}
	why = ask_once(w, s);
	if (why != CHOOSE_AVAILABLE) {
		skip(w, s, step, CHOOSE_UNAVAILABLE, why);
		return false;
	}
	w->out->outcome = CHOOSE_CHOSEN;
	w->out->rule = rule;
	w->out->step = step;
	w->out->source = s;
	return true;
}

static bool
is_preferred(const struct role_source *s, enum role_op op)
{
	return s->role > ROLE_OPTIONAL && (s->prefers & 1U << op);
}

/* Steps 1 to 3; one step goes over all the sources that have a place in it. */
static bool
walk_chain(struct walk *w)
{
	const struct choose_ask *ask = w->ask;

	for (int step = 1; step <= 3; step++) {
		for (size_t i = 0; i < ask->n; i++) {
			const struct role_source *s = &ask->v[i];
			bool here = step == 1 ? is_preferred(s, ask->op)
			    : step == 2       ? s->role == ROLE_PRIMARY
					      : s->role == ROLE_FALLBACK;

			if (here &&
			    take(w, s, step,
				(enum choose_rule)(
				    CHOOSE_PREFERRED + step - 1)))
				return true;
		}
	}
	return false;
}

static void
abort_for(struct walk *w, struct arena *a, const struct role_source *s,
    enum choose_reason why)
{
	w->out->outcome = CHOOSE_ABORTED;
	w->out->note =
	    str_fmt(a, "mandatory backend %.*s unavailable: %s; run aborted",
		STR_ARG(s->name), reasons[why]);
}

/* Before anything is begun: is every mandatory source there? */
static bool
is_fit_to_run(struct walk *w, struct arena *a)
{
	for (size_t i = 0; i < w->ask->n; i++) {
		const struct role_source *s = &w->ask->v[i];
		enum choose_reason why;

		if (!s->mandatory || s->role == ROLE_NONE || w->ask->under_way)
			continue;
		why = ask_once(w, s);
		if (why == CHOOSE_AVAILABLE)
			continue;
		skip(w, s, 0, CHOOSE_UNAVAILABLE, why);
		abort_for(w, a, s, why);
		return false;
	}
	return true;
}

/* Step 4: nobody is left. */
static void
give_up(struct walk *w, struct arena *a)
{
	struct choose *out = w->out;

	out->step = w->ask->override == NULL ? 4 : 0;
	for (size_t i = 0; i < w->ask->n; i++) {
		if (w->ask->v[i].mandatory && w->asked[i] &&
		    w->reason[i] != CHOOSE_AVAILABLE) {
			abort_for(w, a, &w->ask->v[i], w->reason[i]);
			return;
		}
	}
	out->note =
	    str_fmt(a, "no backend available for %s", role_op_name(w->ask->op));
}

/* Optional, or preferred for other operations alone. */
static void
note_others(struct walk *w)
{
	for (size_t i = 0; i < w->ask->n; i++) {
		const struct role_source *s = &w->ask->v[i];
		bool out = s->role == ROLE_OPTIONAL ||
		    (s->role == ROLE_PREFERRED && !is_preferred(s, w->ask->op));

		if (out && !was_skipped(w->out, s))
			skip(w, s, 0, CHOOSE_NOT_IN_CHAIN, CHOOSE_AVAILABLE);
	}
}

void
choose_source(struct arena *a, const struct choose_ask *ask, struct choose *out)
{
	struct walk w = { .ask = ask, .out = out };
	bool any = false, primary = false;

	*out = (struct choose){ .op = ask->op };
	out->skip = arena_array(a, ask->n, sizeof(*out->skip));
	w.asked = arena_array(a, ask->n, sizeof(*w.asked));
	w.reason = arena_array(a, ask->n, sizeof(*w.reason));
	for (size_t i = 0; i < ask->n; i++) {
		any = any || ask->v[i].role != ROLE_NONE;
		primary = primary || ask->v[i].role == ROLE_PRIMARY;
	}
	out->no_primary = any && !primary;
	if (ask->override != NULL)
		out->override_reason = ask->override_reason;
	if (is_fit_to_run(&w, a)) {
		bool found = ask->override != NULL
		    ? take(&w, ask->override, 0, CHOOSE_OVERRIDE)
		    : walk_chain(&w);

		if (!found)
			give_up(&w, a);
	}
	if (ask->override == NULL)
		note_others(&w);
}

/* What stands in the way of who could: it may be gone tomorrow. */
static enum err_kind
kind_of(enum choose_reason r)
{
	switch (r) {
	case CHOOSE_AUTH_MISSING:
	case CHOOSE_AUTH_EXPIRED:
	case CHOOSE_LIST_NOT_VISIBLE:
		return ERR_AUTH;
	case CHOOSE_PATH_MISSING:
	case CHOOSE_MISCONFIGURED:
		return ERR_CONFIG;
	case CHOOSE_UNREACHABLE:
	case CHOOSE_SERVER_DOWN:
		return ERR_NETWORK;
	case CHOOSE_AVAILABLE:
		break;
	}
	return ERR_UNSUPPORTED;
}

int
choose_refuse(const struct choose *c, struct err *e)
{
	enum err_kind kind = ERR_UNSUPPORTED;

	if (c->outcome == CHOOSE_CHOSEN)
		err_bug("choose: a choice is no refusal");
	for (size_t i = 0; i < c->n && kind == ERR_UNSUPPORTED; i++)
		kind = kind_of(c->skip[i].reason);
	return err_set(e, kind, "%.*s", STR_ARG(c->note));
}
