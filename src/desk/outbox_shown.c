/* SPDX-License-Identifier: Apache-2.0 */
/* A row of the outbox, for the commands that show it. */
#include "desk/outbox_shown.h"

#include "base/clock.h"

const struct field outbox_shown_recipients[] = {
	{ "address", FIELD_TEXT, .help = "the address" },
	{ "code", FIELD_INT, .help = "the server's reply code, or 0" },
	{ "status", FIELD_TEXT, .help = "the server's text" },
	{ 0 },
};

const char *
outbox_shown_copy(const struct store_outbox *row)
{
	static const char *const copies[] = {
		[STORE_COPY_NONE] = "none",
		[STORE_COPY_SAVED] = "saved",
		[STORE_COPY_FAILED] = "failed",
	};

	return copies[row->copy];
}

struct str
outbox_shown_expires(struct arena *a, const struct store_outbox *row)
{
	return row->expires_s > 0
	    ? clock_rfc3339(a, row->expires_s + row->frozen_s)
	    : S("");
}

void
outbox_shown_put(struct json *j, struct arena *a,
    const struct store_outbox *row, struct str account)
{
	json_put_int(j, "id", row->id);
	json_put_str(j, "account", account);
	json_put_str(j, "principal", row->principal);
	json_put_text(j, "state", store_outbox_word(row->state));
	json_put_str(j, "reason", row->reason);
	json_put_str(j, "idempotency_key", row->key);
	json_put_str(j, "created", clock_rfc3339(a, row->created_s));
	json_put_str(j, "changed", clock_rfc3339(a, row->changed_s));
	json_put_str(j, "expires", outbox_shown_expires(a, row));
	json_put_str(j, "message_id", row->message_id);
	json_put_text(j, "copy", outbox_shown_copy(row));
	json_put_int(j, "bytes", (int64_t)row->bytes);
	json_put_str(j, "digest", row->digest);
	json_put_str(j, "sender", row->sender);
	json_open_array(j, "recipients");
	for (size_t i = 0; i < row->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "address", row->rcpt[i].address);
		json_put_int(j, "code", row->rcpt[i].code);
		json_put_str(j, "status", row->rcpt[i].status);
		json_close_object(j);
	}
	json_close_array(j);
}
