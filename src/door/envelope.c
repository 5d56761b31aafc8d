/* SPDX-License-Identifier: Apache-2.0 */
/* A reply in its wire format: emcli-reply(5). */
#include "door/envelope.h"

static void
envelope_put_error(struct json *j, const struct reply *r)
{
	json_put_text(j, "code", err_code(r->err.kind));
	json_put_str(j, "message",
	    r->full.n > 0 ? r->full : str_of(r->err.say));
	if (r->err.reason != NULL)
		json_put_text(j, "reason", r->err.reason);
	if (r->err.hint != NULL)
		json_put_text(j, "next", r->err.hint);
	if (r->detail != NULL)
		json_put_members(j, r->detail);
}

struct json *
envelope_make(struct arena *a, const struct reply *r)
{
	struct json *j = json_new(a);
	bool failed = r->err.kind != ERR_NONE;

	json_open_object(j, NULL);
	json_put_bool(j, "error", failed);
	json_open_object(j, "error_detail");
	if (failed)
		envelope_put_error(j, r);
	json_close_object(j);
	/* A report that found an error has both error and data. */
	if (r->data != NULL) {
		json_put_json(j, "data", r->data);
	} else {
		json_open_object(j, "data");
		json_close_object(j);
	}
	json_close_object(j);
	return j;
}
