/* SPDX-License-Identifier: Apache-2.0 */
/* The envelope of what is not authoritative. */
#include "base/limits.h"
#include "runtime/prompt.h"

static const char *const statuses[] = {
	[PROMPT_SUBMITTED] = "submitted",
	[PROMPT_REJECTED] = "rejected",
	[PROMPT_BUSY] = "busy",
	[PROMPT_INTERRUPTED] = "interrupted",
	[PROMPT_TUI_ERROR] = "tui_error",
};

/* How to find out, since nothing here says. */
static const struct str ways[] = {
	SI("emcli agents mail check, or status, through a live gateway or with "
	   "a key"),
	SI("the gateway of the session: POST /v1/mail/check"),
	SI("the mailbox itself, on its transport"),
};

void
prompt_put(const struct prompt_outcome *o, const struct prompt_ask *q,
    struct json *out)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct binding *b = &q->of->mailbox;
	struct err none = { 0 };

	json_put_int(out, "schema_version", 1);
	json_put_str(out, "operation", q->operation);
	json_put_bool(out, "authoritative", false);
	json_put_text(out, "status", statuses[o->status]);
	json_put_text(out, "execution_path", "tui_submission");
	json_put_text(out, "transport", transport_name(b->transport));
	json_put_str(out, "principal_id", b->principal_id);
	json_put_str(out, "address", b->address);
	json_put_str(out, "bindings_version", b->bindings_version);
	json_put_str(out, "request_id", o->request_id);
	json_put_bool(out, "verification_required", true);
	json_open_array(out, "verification_paths");
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		json_put_str(out, NULL, ways[i]);
	json_close_array(out);
	if (o->submitted_at.n > 0)
		json_put_str(out, "submitted_at_utc", o->submitted_at);
	if (o->detail.n > 0)
		json_put_str(out, "detail", o->detail);
	json_open_object(out, "tui_diagnostics");
	json_put_bool(out, "turn_ended", o->turn_ended);
	json_close_object(out);
	if (o->preview.n > 0 &&
	    json_parse_open(o->preview, LIMIT_PROMPT_SURFACE, &d, &none) == 0)
		json_copy_put(out, "preview_result", json_parse_root(d));
}
