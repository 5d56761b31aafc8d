/*
 * A message's header out of JSON.  Gmail gives its fields by name and value,
 * and the values decoded: what was an encoded word (RFC 2047) may have become
 * a comma, a quote or an address.  So where a field that says who somebody is
 * could be read in two ways, the message itself is read instead.
 */
#include <string.h>

#include "backend/gmail/internal.h"

/* What a row must have, backend.h. */
static const struct {
	struct str name;
	bool person; /* says who somebody is */
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

/* RFC 5322 section 2.2: visible ASCII but the colon. */
static bool
gmail_head_is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] <= ' ' ||
		    (unsigned char)name.p[i] >= 0x7f || name.p[i] == ':')
			return false;
	return name.n > 0 && name.n < 1000;
}

/* Words and quoted strings, and nothing that decoding may have put there. */
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
 * Does an address read as it did before it was decoded?  Decoding touches
 * phrases and comments, never what is between "<" and ">".  With one "<", and
 * its ">" at the very end, no decoded text is behind the address, and
 * a phrase of words makes no other of it.  Without any it is bare, so long as
 * no comment and no group hides something.
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

		/* A line end in a value would begin a field of its own. */
		if (c == '\r' || c == '\n' || c == '\0')
			c = ' ';
		buf_char(b, c);
	}
	buf_text(b, "\r\n");
}

/* Is it a field to keep?  *person: one that says who somebody is. */
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
