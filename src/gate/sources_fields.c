/* SPDX-License-Identifier: Apache-2.0 */
/* The result members for sources, for agents and for the operator. */
#include "gate/sources.h"

#define CAN "can it, and may it?  null: the source could not be asked"

const struct field sources_fields_supports[] = {
	{ "list_recent_threads", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "read_thread", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "list_drafts", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "list_sent_since", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "create_draft", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "thread_url", FIELD_BOOL, .nullable = true, .help = CAN },
	{ "search_threads", FIELD_BOOL, .nullable = true, .help = CAN },
	{ 0 },
};

const struct field sources_fields_why_not[] = {
	{ "list_recent_threads", FIELD_TEXT, .optional = true,
	    .help = "a sentence" },
	{ "read_thread", FIELD_TEXT, .optional = true, .help = "a sentence" },
	{ "list_drafts", FIELD_TEXT, .optional = true, .help = "a sentence" },
	{ "list_sent_since", FIELD_TEXT, .optional = true,
	    .help = "a sentence" },
	{ "create_draft", FIELD_TEXT, .optional = true, .help = "a sentence" },
	{ "thread_url", FIELD_TEXT, .optional = true, .help = "a sentence" },
	{ "search_threads", FIELD_TEXT, .optional = true,
	    .help = "a sentence" },
	{ 0 },
};

static const struct field skipped[] = {
	{ "backend", FIELD_TEXT, .help = "account" },
	{ "step", FIELD_INT, .nullable = true,
	    .help = "of the rule; null: of none" },
	{ "cause", FIELD_TEXT,
	    .help = "unsupported, unavailable, declined, not_in_chain, "
		    "other_kind (its threads have ids or addresses of another "
		    "kind) or one_of_many (it could)" },
	{ "reason", FIELD_TEXT, .nullable = true,
	    .help = "why it is unavailable: auth_missing, auth_expired, "
		    "list_not_visible, unreachable, path_missing, "
		    "misconfigured, server_down" },
	{ 0 },
};

const struct field sources_fields_resolution[] = {
	{ "schema_version", FIELD_INT, .help = "1" },
	{ "op", FIELD_TEXT, .help = "operation" },
	{ "outcome", FIELD_TEXT,
	    .help = "chosen, skipped, aborted or ambiguous" },
	{ "backend", FIELD_TEXT, .nullable = true,
	    .help = "account that served it" },
	{ "rule", FIELD_TEXT,
	    .help = "preferred, primary, fallback, override, sole (no role is "
		    "declared, and this account alone can) or none" },
	{ "step", FIELD_INT, .nullable = true, .help = "of the rule, 1 to 4" },
	{ "thread_id_kind", FIELD_TEXT, .nullable = true,
	    .help = "of that account's ids" },
	{ "override_reason", FIELD_TEXT, .nullable = true,
	    .help = "why it was named" },
	{ "skipped", FIELD_OBJECTS, .help = "who was skipped", .sub = skipped },
	{ "note", FIELD_TEXT, .nullable = true,
	    .help = "why nobody serves it" },
	{ 0 },
};
