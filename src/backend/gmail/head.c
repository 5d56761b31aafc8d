/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a message's header from JSON.  Gmail gives names and decoded values of
 * fields: an encoded word (RFC 2047) may have become a comma, a quote or an
 * address.  If a field that identifies a person is therefore ambiguous, the
 * message itself is read instead.
 */
#include <string.h>

#include "backend/gmail/internal.h"

/* The fields that a row needs, backend.h. */
static const struct {
	struct str name;
	bool person; /* identifies a person */
} fields[] = {
	{ SI("From"), true },
	{ SI("Sender"), true },
	{ SI("To"), false },
	{ SI("Cc"), false },
	{ SI("Reply-To"), true },
	{ SI("Subject"), false },
	{ SI("Date"), false },
	{ SI("Message-ID"), false },
	{ SI("In-Reply-To"), false },
	{ SI("References"), false },
	{ SI("Content-Type"), false },
	{ SI("Authentication-Results"), false },
	{ SI("Auto-Submitted"), false },
	{ SI("Precedence"), false },
	{ SI("Return-Path"), false },
	{ SI("List-Id"), false },
	{ SI("List-Post"), false },
	{ SI("List-Unsubscribe"), false },
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* RFC 5322 section 2.2: visible ASCII except the colon. */
static bool
gmail_head_is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] <= ' ' ||
		    (unsigned char)name.p[i] >= 0x7f || name.p[i] == ':')
			return false;
	return name.n > 0 && name.n < 1000;
}

/* Only words and quoted strings, which decoding cannot have changed. */
static bool
gmail_head_is_plain_phrase(struct str v)
{
	bool quoted = false;

	for (size_t i = 0; i < v.n; i++) {
		char c = v.p[i];

		if (c == '"')
			quoted = !quoted;
		else if (c == '\\' ||
		    (!quoted && c != '\0' && strchr("()<>[]:;@,", c) != NULL))
			return false;
	}
	return !quoted;
}

/*
 * Is the address certainly unchanged by decoding?  Decoding changes phrases and
 * comments, never the text between "<" and ">".  With one "<", and its ">" at
 * the very end, no decoded text follows the address, and a phrase of words
 * cannot change it.  Without "<" it is bare, provided that there is no comment
 * and no group.
 */
static bool
gmail_head_is_plain_person(struct str v)
{
	size_t open = 0, close = 0, at = 0;

	v = str_trim(v);
	for (size_t i = 0; i < v.n; i++) {
		if (v.p[i] == '<')
			at = i;
		open += v.p[i] == '<';
		close += v.p[i] == '>';
	}
	if (open == 1 && close == 1)
		return v.p[v.n - 1] == '>' &&
		    gmail_head_is_plain_phrase(str_first(v, at));
	if (open > 0 || close > 0)
		return false;
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i] == '\0' || strchr("():;,\"", v.p[i]) != NULL)
			return false;
	return true;
}

static void
gmail_head_put(struct buf *b, struct str name, struct str value)
{
	buf_str(b, name);
	buf_text(b, ": ");
	for (size_t i = 0; i < value.n; i++) {
		char c = value.p[i];

		/* A line end in a value would begin another field. */
		if (c == '\r' || c == '\n' || c == '\0')
			c = ' ';
		buf_char(b, c);
	}
	buf_text(b, "\r\n");
}

/* Is the field kept?  *person: it identifies a person. */
static bool
gmail_head_is_kept(struct str name, bool trace, bool *person)
{
	*person = false;
	if (trace && str_eq_case(name, S("Received")))
		return true;
	for (size_t i = 0; i < FIELDS; i++) {
		if (!str_eq_case(name, fields[i].name))
			continue;
		*person = fields[i].person;
		return true;
	}
	return false;
}

struct str
gmail_head(struct arena *a, const struct json_value *headers, bool trace,
    bool *odd)
{
	size_t n = json_parse_count(headers);
	struct buf b;

	*odd = n == 0 || n > LIMIT_MIME_HEADERS;
	buf_init(&b, a, LIMIT_MIME_HEAD);
	for (size_t i = 0; i < n && !*odd; i++) {
		const struct json_value *v = json_parse_item(headers, i);
		struct str name = S(""), value = S("");
		bool person;

		if (!json_parse_str(json_parse_member(v, "name"), &name) ||
		    !json_parse_str(json_parse_member(v, "value"), &value) ||
		    !gmail_head_is_name(name)) {
			*odd = true;
			break;
		}
		if (!gmail_head_is_kept(name, trace, &person))
			continue;
		if (person && !gmail_head_is_plain_person(value))
			*odd = true;
		gmail_head_put(&b, name, value);
	}
	*odd = *odd || b.over;
	buf_text(&b, "\r\n");
	return buf_view(&b);
}
