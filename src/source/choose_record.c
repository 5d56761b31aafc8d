/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a choice: as JSON for the reply and the audit, and as a line
 * for a recap.
 */
#include "base/buf.h"
#include "source/choose.h"
#include "source/matrix.h"

#define SCHEMA_VERSION 1

static const char *const outcomes[] = {
	[CHOOSE_SKIPPED] = "skipped",
	[CHOOSE_ABORTED] = "aborted",
	[CHOOSE_CHOSEN] = "chosen",
	[CHOOSE_AMBIGUOUS] = "ambiguous",
};

static const char *const rules[] = {
	[CHOOSE_NONE] = "none",
	[CHOOSE_PREFERRED] = "preferred",
	[CHOOSE_PRIMARY] = "primary",
	[CHOOSE_FALLBACK] = "fallback",
	[CHOOSE_OVERRIDE] = "override",
	[CHOOSE_SOLE] = "sole",
};

static const char *const causes[] = {
	[CHOOSE_UNSUPPORTED] = "unsupported",
	[CHOOSE_UNAVAILABLE] = "unavailable",
	[CHOOSE_DECLINED] = "declined",
	[CHOOSE_NOT_IN_CHAIN] = "not_in_chain",
	[CHOOSE_OTHER_KIND] = "other_kind",
	[CHOOSE_ONE_OF_MANY] = "one_of_many",
};

static void
choose_record_put_str(struct json *j, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(j, key, s);
	else
		json_put_null(j, key);
}

static void
choose_record_put_step(struct json *j, int step)
{
	if (step > 0)
		json_put_int(j, "step", step);
	else
		json_put_null(j, "step");
}

void
choose_record_members(struct json *j, const struct choose *c)
{
	const struct role_source *s = c->source;

	json_put_int(j, "schema_version", SCHEMA_VERSION);
	json_put_text(j, "op", role_op_name(c->op));
	json_put_text(j, "outcome", outcomes[c->outcome]);
	choose_record_put_str(j, "backend", s != NULL ? s->name : S(""));
	json_put_text(j, "rule", rules[c->rule]);
	choose_record_put_step(j, c->step);
	choose_record_put_str(j, "thread_id_kind",
	    str_of(s != NULL ? matrix_id_kind(s->backend) : NULL));
	choose_record_put_str(j, "override_reason", c->override_reason);
	json_open_array(j, "skipped");
	for (size_t i = 0; i < c->n; i++) {
		const struct choose_skip *k = &c->skip[i];

		json_open_object(j, NULL);
		json_put_str(j, "backend", k->source->name);
		choose_record_put_step(j, k->step);
		json_put_text(j, "cause", causes[k->cause]);
		choose_record_put_str(j, "reason",
		    str_of(choose_reason_name(k->reason)));
		json_close_object(j);
	}
	json_close_array(j);
	choose_record_put_str(j, "note", c->note);
}

void
choose_record_put(struct json *j, const char *key, const struct choose *c)
{
	json_open_object(j, key);
	choose_record_members(j, c);
	json_close_object(j);
}

struct str
choose_record_text(struct arena *a, const struct choose *c)
{
	struct buf b;

	buf_init(&b, a, 1 << 16);
	buf_fmt(&b, "%s: ", role_op_name(c->op));
	if (c->source == NULL) {
		buf_fmt(&b, "none (%.*s", STR_ARG(c->note));
	} else {
		buf_fmt(&b, "%.*s (", STR_ARG(c->source->name));
		if (c->step > 0)
			buf_fmt(&b, "step %d, ", c->step);
		buf_text(&b, rules[c->rule]);
		if (c->override_reason.n > 0)
			buf_fmt(&b, ": %.*s", STR_ARG(c->override_reason));
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct choose_skip *k = &c->skip[i];

		if (k->cause == CHOOSE_NOT_IN_CHAIN ||
		    k->cause == CHOOSE_ONE_OF_MANY)
			continue;
		buf_fmt(&b, "; %.*s %s", STR_ARG(k->source->name),
		    causes[k->cause]);
		if (k->cause == CHOOSE_UNAVAILABLE)
			buf_fmt(&b, ": %s", choose_reason_name(k->reason));
	}
	buf_char(&b, ')');
	return buf_view(&b);
}
