/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a whole message, parsed, decoded and read. */
#include "check.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/message.h"

static bool
is_within(struct str part, struct str whole)
{
	return part.n == 0 ||
	    (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct mime_message m;
	struct mime_reading r;

	mime_message_parse(a, raw, &m);
	check(m.n >= 1 && m.n <= LIMIT_MIME_PARTS, "number of parts");
	for (size_t i = 0; i < m.n; i++) {
		const struct mime_part *p = &m.part[i];

		check(p->parent < (int)i, "a parent stands before its parts");
		check(p->depth <= LIMIT_MIME_DEPTH, "depth");
		check(is_within(p->body, raw), "bodies are views");
		check(mime_part_decode(a, p).n <= p->body.n, "decoding");
		if (p->parent >= 0)
			check(is_within(p->body, m.part[p->parent].body),
			    "a part lies within its parent");
	}
	mime_reading_make(a, &m, &r);
	check(utf8_valid(r.text), "the text is UTF-8");
	check(mime_reading_has_attachments(&m) == (r.n > 0), "attachments");
	for (size_t i = 0; i < r.n; i++) {
		struct str name = r.attachment[i].name;

		check(name.n > 0 && name.n <= LIMIT_FILE_NAME, "name's size");
		check(utf8_valid(name), "names are UTF-8");
		check(!str_has_char(name, '/'), "names are no paths");
	}
	return 0;
}
