/* SPDX-License-Identifier: Apache-2.0 */
/* The rule, step by step. */
#include "source/choose.h"
#include "base/buf.h"
#include "source/matrix.h"

enum {
	NAMES_MAX = 80 /* of a note's names: it has to fit into an error */
};

struct walk {
	const struct choose_ask *ask;
	struct choose *out;
	bool *asked; /* for each source, its known state */
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

/* Asked once; the answer is used for the whole run. */
static enum choose_reason
choose_ask_once(struct walk *w, const struct role_source *s)
{
	size_t i = (size_t)(s - w->ask->v);

	if (!w->asked[i]) {
		w->asked[i] = true;
		w->reason[i] = w->ask->available(w->ask->ctx, s);
	}
	return w->reason[i];
}

static void
choose_skip_row(struct walk *w, const struct role_source *s, int step,
    enum choose_cause cause, enum choose_reason reason)
{
	w->out->skip[w->out->n++] =
	    (struct choose_skip){ s, step, cause, reason };
}

static bool
choose_was_skipped(const struct choose *c, const struct role_source *s)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->skip[i].source == s)
			return true;
	return false;
}

/* Takes it if possible, or records why not; each is checked once. */
static bool
choose_take(struct walk *w, const struct role_source *s, int step,
    enum choose_rule rule)
{
	unsigned bit = 1U << w->ask->op;
	enum choose_reason why;

	if (choose_was_skipped(w->out, s))
		return false;
	if (s->elsewhere) {
		choose_skip_row(w, s, step, CHOOSE_OTHER_KIND,
		    CHOOSE_AVAILABLE);
		return false;
	}
	if (!(s->supports & bit)) {
		choose_skip_row(w, s, step, CHOOSE_UNSUPPORTED,
		    CHOOSE_AVAILABLE);
		return false;
	}
	if (s->declined) {
		choose_skip_row(w, s, step, CHOOSE_DECLINED, CHOOSE_AVAILABLE);
		return false;
	}
	why = choose_ask_once(w, s);
	if (why != CHOOSE_AVAILABLE) {
		choose_skip_row(w, s, step, CHOOSE_UNAVAILABLE, why);
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

/* Steps 1 to 3; one step goes through all sources that have a place in it. */
static bool
choose_walk_chain(struct walk *w)
{
	const struct choose_ask *ask = w->ask;

	for (int step = 1; step <= 3; step++) {
		for (size_t i = 0; i < ask->n; i++) {
			const struct role_source *s = &ask->v[i];
			bool here = step == 1 ? is_preferred(s, ask->op)
			    : step == 2       ? s->role == ROLE_PRIMARY
					      : s->role == ROLE_FALLBACK;

			if (here &&
			    choose_take(w, s, step,
				(enum choose_rule)(
				    CHOOSE_PREFERRED + step - 1)))
				return true;
		}
	}
	return false;
}

static void
choose_abort_for(struct walk *w, struct arena *a, const struct role_source *s,
    enum choose_reason why)
{
	w->out->outcome = CHOOSE_ABORTED;
	w->out->note =
	    str_fmt(a, "mandatory backend %.*s unavailable: %s; run aborted",
		STR_ARG(s->name), reasons[why]);
}

/* Before the run begins: is every mandatory source available? */
static bool
choose_is_fit_to_run(struct walk *w, struct arena *a)
{
	for (size_t i = 0; i < w->ask->n; i++) {
		const struct role_source *s = &w->ask->v[i];
		enum choose_reason why;

		if (!s->mandatory || s->role == ROLE_NONE || w->ask->under_way)
			continue;
		why = choose_ask_once(w, s);
		if (why == CHOOSE_AVAILABLE)
			continue;
		choose_skip_row(w, s, 0, CHOOSE_UNAVAILABLE, why);
		choose_abort_for(w, a, s, why);
		return false;
	}
	return true;
}

/* Step 4: no source is left. */
static void
choose_give_up(struct walk *w, struct arena *a)
{
	struct choose *out = w->out;

	out->step = w->ask->override == NULL ? 4 : 0;
	for (size_t i = 0; i < w->ask->n; i++) {
		if (w->ask->v[i].mandatory && w->asked[i] &&
		    w->reason[i] != CHOOSE_AVAILABLE) {
			choose_abort_for(w, a, &w->ask->v[i], w->reason[i]);
			return;
		}
	}
	out->note =
	    str_fmt(a, "no backend available for %s", role_op_name(w->ask->op));
}

/* "A, B": those that can, as many as fit. */
static struct str
choose_names_text(const struct walk *w, struct arena *a)
{
	struct buf b;
	size_t n = 0;

	buf_init(&b, a, 1 << 16);
	for (size_t i = 0; i < w->out->n; i++) {
		struct str name = w->out->skip[i].source->name;

		if (w->out->skip[i].cause != CHOOSE_ONE_OF_MANY)
			continue;
		if (b.n + name.n > NAMES_MAX) {
			buf_text(&b, ", ...");
			break;
		}
		buf_fmt(&b, "%s%.*s", n++ > 0 ? ", " : "", STR_ARG(name));
	}
	return buf_view(&b);
}

/* Why that account cannot serve it, if no roles are declared. */
static enum choose_cause
choose_sole_cause(const struct choose_ask *ask, const struct role_source *s)
{
	if (!(s->supports & 1U << ask->op))
		return CHOOSE_UNSUPPORTED;
	if (s->declined)
		return CHOOSE_DECLINED;
	if (s->elsewhere)
		return CHOOSE_OTHER_KIND;
	if (ask->kind.n > 0 &&
	    !str_eq(ask->kind, str_of(matrix_id_kind(s->backend))))
		return CHOOSE_OTHER_KIND;
	return CHOOSE_ONE_OF_MANY;
}

/*
 * Nothing is declared: uses the only account that can.  It is not tested first,
 * because there is no alternative.
 */
static bool
choose_sole(struct walk *w, struct arena *a)
{
	const struct choose_ask *ask = w->ask;
	struct choose *out = w->out;
	const struct role_source *one = NULL;
	size_t can = 0, kept = 0;

	for (size_t i = 0; i < ask->n; i++) {
		enum choose_cause cause = choose_sole_cause(ask, &ask->v[i]);

		choose_skip_row(w, &ask->v[i], 0, cause, CHOOSE_AVAILABLE);
		if (cause == CHOOSE_ONE_OF_MANY) {
			one = &ask->v[i];
			can++;
		}
	}
	if (can > 1) {
		out->outcome = CHOOSE_AMBIGUOUS;
		out->note = str_fmt(a, "%zu accounts can serve %s: %.*s", can,
		    role_op_name(ask->op), STR_ARG(choose_names_text(w, a)));
	}
	if (can != 1)
		return can > 1;
	for (size_t i = 0; i < out->n; i++)
		if (out->skip[i].source != one)
			out->skip[kept++] = out->skip[i];
	out->n = kept;
	out->outcome = CHOOSE_CHOSEN;
	out->rule = CHOOSE_SOLE;
	out->source = one;
	return true;
}

/* Optional, or preferred only for other operations. */
static void
choose_note_others(struct walk *w)
{
	for (size_t i = 0; i < w->ask->n; i++) {
		const struct role_source *s = &w->ask->v[i];
		bool out = s->role == ROLE_OPTIONAL ||
		    (s->role == ROLE_PREFERRED && !is_preferred(s, w->ask->op));

		if (out && !choose_was_skipped(w->out, s))
			choose_skip_row(w, s, 0, CHOOSE_NOT_IN_CHAIN,
			    CHOOSE_AVAILABLE);
	}
}

void
choose_source(struct arena *a, const struct choose_ask *ask, struct choose *out)
{
	struct walk w = { .ask = ask, .out = out };
	bool primary = false;

	*out = (struct choose){ .op = ask->op };
	out->skip = arena_array(a, ask->n, sizeof(*out->skip));
	w.asked = arena_array(a, ask->n, sizeof(*w.asked));
	w.reason = arena_array(a, ask->n, sizeof(*w.reason));
	for (size_t i = 0; i < ask->n; i++) {
		out->declared = out->declared || ask->v[i].role != ROLE_NONE;
		primary = primary || ask->v[i].role == ROLE_PRIMARY;
	}
	out->no_primary = out->declared && !primary;
	if (ask->override != NULL)
		out->override_reason = ask->override_reason;
	if (choose_is_fit_to_run(&w, a)) {
		bool found = ask->override != NULL
		    ? choose_take(&w, ask->override, 0, CHOOSE_OVERRIDE)
		    : out->declared ? choose_walk_chain(&w)
				    : choose_sole(&w, a);

		if (!found)
			choose_give_up(&w, a);
	}
	if (ask->override == NULL)
		choose_note_others(&w);
}

/* The fault of a source that could serve it: it may be temporary. */
static enum err_kind
choose_kind_of(enum choose_reason r)
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
	if (c->outcome == CHOOSE_AMBIGUOUS)
		kind = ERR_USAGE;
	for (size_t i = 0; i < c->n && kind == ERR_UNSUPPORTED; i++)
		kind = choose_kind_of(c->skip[i].reason);
	return err_set(e, kind, "%.*s", STR_ARG(c->note));
}
