/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: parameters, dates, message ids and whole headers. */
#include "check.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/date.h"
#include "mime/message.h"

static void
params(struct arena *a, struct str raw)
{
	struct mime_value v;

	mime_param_parse(a, raw, &v);
	check(v.n <= LIMIT_MIME_PARAMS, "number of parameters");
	check(utf8_valid(v.value), "a type is UTF-8");
	for (size_t i = 0; i < v.n; i++) {
		struct str s = v.param[i].value;

		check(utf8_valid(s), "values are UTF-8");
		check(utf8_valid(v.param[i].name), "names are UTF-8");
		for (size_t k = 0; k < s.n; k++)
			check((unsigned char)s.p[k] >= ' ', "no controls");
		for (size_t k = 0; k < i; k++)
			check(!str_eq(v.param[k].name, v.param[i].name),
			    "a name stands once");
	}
}

static void
dates(struct arena *a, struct str raw)
{
	int64_t t, again;
	int offset, zero;

	if (date_parse(raw, &t, &offset)) {
		check(offset > -1440 && offset < 1440, "a zone");
		check(date_parse(date_rfc5322(a, t), &again, &zero) &&
			again == t && zero == 0,
		    "a date comes back");
		check(date_rfc3339(a, t, offset).n >= 20, "RFC 3339");
	}
	if (date_imap_parse(raw, &t))
		check(date_imap(a, t).n >= 10, "IMAP");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct mime_envelope v;
	struct mime_header h;
	struct strs ids;

	params(a, raw);
	dates(a, raw);
	mime_header_msgids(a, raw, &ids);
	check(ids.n <= LIMIT_REFERENCES, "number of ids");
	for (size_t i = 0; i < ids.n; i++)
		check(ids.v[i].p[0] == '<' && str_ends(ids.v[i], S(">")),
		    "an id has brackets");
	mime_header_parse(a, raw, &h);
	check(h.size <= size, "a header's size");
	mime_envelope_parse(a, raw, &v);
	check(v.from_sole.n == 0 || v.from_fields == 1, "one From");
	check(utf8_valid(v.subject) && v.subject.n <= LIMIT_SUBJECT,
	    "a subject");
	return 0;
}
