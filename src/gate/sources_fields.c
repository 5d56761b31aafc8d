/* The result members for sources, for agents and for the operator. */
#include "gate/sources.h"

#define CAN "can it, and may it?  null: the source could not be asked"

const struct field sources_fields_supports[] = {
	{ "list_recent_threads", FIELD_BOOL, false, true, CAN, NULL },
	{ "read_thread", FIELD_BOOL, false, true, CAN, NULL },
	{ "list_drafts", FIELD_BOOL, false, true, CAN, NULL },
	{ "list_sent_since", FIELD_BOOL, false, true, CAN, NULL },
	{ "create_draft", FIELD_BOOL, false, true, CAN, NULL },
	{ "thread_url", FIELD_BOOL, false, true, CAN, NULL },
	{ "search_threads", FIELD_BOOL, false, true, CAN, NULL },
	{ 0 },
};

const struct field sources_fields_why_not[] = {
	{ "list_recent_threads", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "read_thread", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "list_drafts", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "list_sent_since", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "create_draft", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "thread_url", FIELD_TEXT, true, false, "a sentence", NULL },
	{ "search_threads", FIELD_TEXT, true, false, "a sentence", NULL },
	{ 0 },
};

static const struct field skipped[] = {
	{ "backend", FIELD_TEXT, false, false, "account", NULL },
	{ "step", FIELD_INT, false, true, "of the rule; null: of none", NULL },
	{ "cause", FIELD_TEXT, false, false,
	    "unsupported, unavailable, declined, not_in_chain, other_kind (its "
	    "threads have ids or addresses of another kind) or one_of_many (it "
	    "could)",
	    NULL },
	{ "reason", FIELD_TEXT, false, true,
	    "why it is unavailable: auth_missing, auth_expired, "
	    "list_not_visible, unreachable, path_missing, misconfigured, "
	    "server_down",
	    NULL },
	{ 0 },
};

const struct field sources_fields_resolution[] = {
	{ "schema_version", FIELD_INT, false, false, "1", NULL },
	{ "op", FIELD_TEXT, false, false, "operation", NULL },
	{ "outcome", FIELD_TEXT, false, false,
	    "chosen, skipped, aborted or ambiguous", NULL },
	{ "backend", FIELD_TEXT, false, true, "account that served it", NULL },
	{ "rule", FIELD_TEXT, false, false,
	    "preferred, primary, fallback, override, sole (no role is "
	    "declared, "
	    "and this account alone can) or none",
	    NULL },
	{ "step", FIELD_INT, false, true, "of the rule, 1 to 4", NULL },
	{ "thread_id_kind", FIELD_TEXT, false, true, "of that account's ids",
	    NULL },
	{ "override_reason", FIELD_TEXT, false, true, "why it was named",
	    NULL },
	{ "skipped", FIELD_OBJECTS, false, false, "who was skipped", skipped },
	{ "note", FIELD_TEXT, false, true, "why nobody serves it", NULL },
	{ 0 },
};
