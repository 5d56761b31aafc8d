/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the structure of a JSON message for one question: would it show
 * attachments?  The rules are those of mime/reading.c, so that a list and the
 * message agree.
 */
#include "backend/gmail/internal.h"

static struct str
gmail_files_text_of(const struct json_value *part, const char *key)
{
	struct str s = S("");

	(void)json_parse_str(json_parse_member(part, key), &s);
	return s;
}

/* Is it marked so, RFC 2183 section 2.2? */
static bool
gmail_files_is_marked(const struct json_value *part)
{
	const struct json_value *list = json_parse_member(part, "headers");
	size_t n = json_parse_count(list);

	if (n > LIMIT_MIME_HEADERS)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct json_value *f = json_parse_item(list, i);

		if (str_eq_case(gmail_files_text_of(f, "name"),
			S("Content-Disposition")) &&
		    str_starts_case(str_trim(gmail_files_text_of(f, "value")),
			S("attachment")))
			return true;
	}
	return false;
}

static bool
gmail_files_is_attachment(const struct json_value *part, bool top, bool first)
{
	struct str type = gmail_files_text_of(part, "mimeType");

	if (type.n == 0)
		return false;
	if (gmail_files_is_marked(part) || !str_starts_case(type, S("text/")))
		return true;
	if (top)
		return false;
	if (!str_eq_case(type, S("text/plain")) &&
	    !str_eq_case(type, S("text/html")) &&
	    !str_eq_case(type, S("text/markdown")))
		return true;
	return !first && gmail_files_text_of(part, "filename").n > 0;
}

static bool
gmail_files_is_multipart(const struct json_value *part)
{
	return str_starts_case(gmail_files_text_of(part, "mimeType"),
	    S("multipart/"));
}

/* Everything in a multipart/related except its root is an attachment. */
static bool
gmail_files_is_related_pair(const struct json_value *part)
{
	return str_eq_case(gmail_files_text_of(part, "mimeType"),
		   S("multipart/related")) &&
	    json_parse_count(json_parse_member(part, "parts")) > 1;
}

bool
gmail_files(const struct json_value *payload)
{
	/* The next part at each depth. */
	const struct json_value *parts[LIMIT_JSON_DEPTH];
	size_t next[LIMIT_JSON_DEPTH], depth = 0, looked = 0;

	if (!gmail_files_is_multipart(payload))
		return gmail_files_is_attachment(payload, true, true);
	if (gmail_files_is_related_pair(payload))
		return true;
	parts[0] = json_parse_member(payload, "parts");
	next[0] = 0;
	for (;;) {
		size_t at = next[depth]++;
		const struct json_value *part =
		    json_parse_item(parts[depth], at);

		if (part == NULL || ++looked > LIMIT_MIME_PARTS) {
			if (depth == 0 || looked > LIMIT_MIME_PARTS)
				return false;
			depth--;
			continue;
		}
		if (!gmail_files_is_multipart(part)) {
			if (gmail_files_is_attachment(part, false, at == 0))
				return true;
			continue;
		}
		if (gmail_files_is_related_pair(part))
			return true;
		if (depth + 1 == LIMIT_JSON_DEPTH)
			continue;
		parts[++depth] = json_parse_member(part, "parts");
		next[depth] = 0;
	}
}
