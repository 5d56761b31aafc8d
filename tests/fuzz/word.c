/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: encoded words, charsets, and subjects written and read back. */
#include "check.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/compose.h"
#include "mime/message.h"

static void
check_text(struct str t)
{
	check(utf8_valid(t), "text is UTF-8");
	for (size_t i = 0; i < t.n; i++)
		check((unsigned char)t.p[i] >= ' ' && t.p[i] != 0x7f,
		    "text has no controls");
}

/* Whatever a person may read as subject can be sent and read again. */
static void
send(struct arena *a, struct str text)
{
	struct str to[] = { S("bob@b.example") };
	struct compose c = {
		.from = S("me@us.example"),
		.from_name = text,
		.to = { to, 1 },
		.subject = text,
		.body = text,
		.message_id = S("<1@us.example>"),
	};
	struct mime_message m;
	struct mime_envelope v;
	struct err e = { 0 };
	struct str out;

	check(compose_message(a, &c, &out, &e) == 0, "it can be sent");
	mime_envelope_parse(a, out, &v);
	check(str_eq(v.subject, text), "the subject comes back");
	check(v.from.n == 1 && v.from.clean, "the sender is read");
	check(str_eq(v.from.v[0].name, text), "the name comes back");
	check(str_eq(v.from.v[0].addr, c.from), "the address is the sender's");
	mime_message_parse(a, out, &m);
	check(m.n == 1, "one part");
	/* A body loses its byte order mark, which a header has not got. */
	if (!str_starts(text, S("\xEF\xBB\xBF")))
		check(str_eq(str_trim(mime_part_text(a, &m.part[0])), text),
		    "the body comes back");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct str label, bytes;
	struct str text = mime_header_text(a, raw);

	check_text(text);
	check(text.n <= 4 * size + 16, "text's size");
	if (text.n <= 1000)
		send(a, text);
	(void)str_cut(raw, '\n', &label, &bytes);
	check(utf8_valid(mime_charset_decode(a, label, bytes, NULL)),
	    "every charset gives UTF-8");
	return 0;
}
