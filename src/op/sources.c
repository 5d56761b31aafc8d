/* SPDX-License-Identifier: Apache-2.0 */
/* emcli sources: what each mail source can do, and which serves what now. */
#include "gate/sources.h"
#include "op/fields_source.h"
#include "op/internal.h"
#include "source/roster.h"

static const struct arg_spec args[] = { FIELDS_ARG_LEASE, { 0 } };

static const struct field source[] = {
	{ "name", FIELD_TEXT, .help = "account" },
	{ "backend", FIELD_TEXT, .help = "kind of source" },
	{ "role", FIELD_TEXT,
	    .help = "primary, preferred, fallback or optional" },
	{ "mandatory", FIELD_BOOL,
	    .help = "nothing runs while it is not available" },
	{ "preferred_for", FIELD_TEXTS, .help = "operations" },
	{ "available", FIELD_BOOL, .help = "is it available now?" },
	{ "reason", FIELD_TEXT, .nullable = true,
	    .help = "why it is not available" },
	{ "thread_id_kind", FIELD_TEXT, .nullable = true,
	    .help = "of its thread ids" },
	{ "supports", FIELD_OBJECT, .help = "what it supports, as deployed",
	    .sub = sources_fields_supports },
	{ "why_not", FIELD_OBJECT, .help = "why it does not support it",
	    .sub = sources_fields_why_not },
	{ 0 },
};

static const struct field result[] = {
	{ "sources", FIELD_OBJECTS, .help = "in their order", .sub = source },
	{ "operations", FIELD_OBJECTS,
	    .help = "which source would serve each operation now",
	    .sub = sources_fields_resolution },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
put_source(struct json *j, const struct sources_row *row)
{
	json_open_object(j, NULL);
	roster_put(j, row->source);
	json_put_bool(j, "available", row->reason == CHOOSE_AVAILABLE);
	if (row->reason != CHOOSE_AVAILABLE)
		json_put_text(j, "reason", choose_reason_name(row->reason));
	else
		json_put_null(j, "reason");
	roster_put_can(j, row->source);
	json_close_object(j);
}

static int
sources_run(struct call *c, struct json *out, struct err *e)
{
	struct sources l;

	if (sources_look(c, &l, e) < 0)
		return -1;
	json_open_array(out, "sources");
	for (size_t i = 0; i < l.n; i++)
		put_source(out, &l.v[i]);
	json_close_array(out);
	json_open_array(out, "operations");
	for (enum role_op op = 0; op < ROLE_OPS; op++)
		choose_record_put(out, NULL, &l.choice[op]);
	json_close_array(out);
	return 0;
}

const struct op op_sources = {
	.name = "sources",
	.summary =
	    "Show the mail sources, and which would serve each operation "
	    "now",
	.effect = EFFECT_READ,
	.skill = "mail-triage",
	.args = args,
	.result = result,
	.run = sources_run,
};
