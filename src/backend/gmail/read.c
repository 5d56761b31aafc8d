/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in JSON: as rows, and as the bytes they are. */
#include <string.h>

#include "backend/gmail/internal.h"
#include "base/base64.h"

int
gmail_read_row(struct arena *a, const struct json_value *msg, struct str id,
    bool trace, struct row *out, bool *odd, struct err *e)
{
	const struct json_value *payload = json_parse_member(msg, "payload");
	struct str got = S(""), thread = S(""), ms = S("");
	int64_t size = 0;
	uint64_t when;

	(void)json_parse_str(json_parse_member(msg, "id"), &got);
	(void)json_parse_str(json_parse_member(msg, "threadId"), &thread);
	(void)json_parse_str(json_parse_member(msg, "internalDate"), &ms);
	(void)json_parse_int(json_parse_member(msg, "sizeEstimate"), &size);
	if (!str_eq(got, id) || !gmail_url_is_id(thread))
		return gmail_call_garbled(e, "another message came");
	*out = (struct row){
		.head = gmail_head(a, json_parse_member(payload, "headers"),
		    trace, odd),
		.size = size > 0 ? (uint64_t)size : 0,
		.has_attachments = gmail_files(payload),
		.draft = gmail_label_in(json_parse_member(msg, "labelIds"),
		    S("DRAFT")),
		.thread = str_dup(a, thread),
	};
	/* Milliseconds, as text; before 1970 nobody received anything. */
	if (str_to_u64(ms, INT64_MAX, &when))
		out->received_s = (int64_t)(when / 1000);
	return 0;
}

/* Base64 with "-" and "_", RFC 4648 section 5, with or without padding. */
static int
gmail_read_decode(struct arena *a, struct str text, struct str *out,
    struct err *e)
{
	char *in, *bytes;
	ptrdiff_t n;
	size_t pad;

	while (text.n > 0 && text.p[text.n - 1] == '=')
		text.n--;
	pad = (4 - text.n % 4) % 4;
	in = arena_alloc(a, text.n + pad);
	bytes = arena_alloc(a, 3 * (text.n + pad) / 4 + 3);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		/* The other alphabet's, which is not this one's. */
		in[i] = (char)(c == '-'        ? '+'
			: c == '_'             ? '/'
			: c == '+' || c == '/' ? '!'
					       : c);
	}
	memset(in + text.n, '=', pad);
	n = base64_decode(bytes, (struct str){ in, text.n + pad });
	if (n < 0)
		return gmail_call_garbled(e, "the message is not base64url");
	*out = (struct str){ bytes, (size_t)n };
	return 0;
}

int
gmail_read_raw(struct arena *a, struct str json, size_t max,
    const struct gmail_label *label, struct str *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *msg;
	struct str raw = S("");

	if (gmail_call_parse(json, &d, e) < 0)
		return -1;
	msg = json_parse_root(d);
	if (label != NULL &&
	    !gmail_label_holds(label, json_parse_member(msg, "labelIds")))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (!json_parse_str(json_parse_member(msg, "raw"), &raw))
		return gmail_call_garbled(e, "a message without bytes");
	if (raw.n / 4 > max / 3 + 1)
		return err_set(e, ERR_LIMIT, "the message is too large");
	if (gmail_read_decode(a, raw, out, e) < 0)
		return -1;
	if (out->n > max)
		return err_set(e, ERR_LIMIT, "the message is too large");
	return 0;
}
