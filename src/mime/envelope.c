/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields that list rows show and that policy judges.  Called for each of
 * 500 rows, so it reads each field once and only the fields it needs.
 */
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/date.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

static struct str
mime_envelope_value(const struct mime_header *h, const char *name)
{
	const struct mime_field *f = mime_header_get(h, name, 0);

	return f != NULL ? f->value : S("");
}

/* All fields with that name as one list: some mail has two To fields. */
static void
mime_envelope_list(struct arena *a, const struct mime_header *h,
    const char *name, struct addresses *out)
{
	struct str raw = mime_envelope_value(h, name);
	struct str want = str_of(name);
	struct buf b;

	if (mime_header_count(h, name) > 1) {
		buf_init(&b, a, LIMIT_MIME_HEAD);
		for (size_t i = 0; i < h->n; i++) {
			if (!str_eq_case(h->field[i].name, want))
				continue;
			if (b.n > 0)
				buf_char(&b, ',');
			buf_str(&b, h->field[i].value);
		}
		raw = buf_view(&b);
	}
	address_list(a, raw, out);
}

/* RFC 3834 section 5: "no", optionally with comments or parameters. */
static bool
mime_envelope_is_no(struct str raw)
{
	struct str s = str_trim(raw);

	return str_starts_case(s, S("no")) &&
	    (s.n == 2 || str_has_char(S(" \t\r\n;("), s.p[2]));
}

/*
 * Is the whole value one of these words?  Only for fields that contain a single
 * word.
 */
static bool
mime_envelope_says(struct str raw, const char *const *words)
{
	for (; *words != NULL; words++)
		if (str_eq_case(str_trim(raw), str_of(*words)))
			return true;
	return false;
}

/*
 * RFC 3834 section 2: senders that a program must not answer.  Precedence is
 * not standardized, but much such mail has it.
 */
static void
mime_envelope_automatic(const struct mime_header *h, struct mime_envelope *out)
{
	static const char *const bounce[] = { "<>", NULL };
	static const char *const reply[] = { "auto_reply", "auto-reply", "junk",
		NULL };
	static const char *const list[] = { "list", "bulk", NULL };

	out->automatic =
	    h->over || str_eq(out->type, S("multipart/report")); /* RFC 6522 */
	for (size_t i = 0; i < h->n; i++) {
		const struct mime_field *f = &h->field[i];

		if (str_eq_case(f->name, S("Auto-Submitted")))
			out->automatic =
			    out->automatic || !mime_envelope_is_no(f->value);
		else if (str_eq_case(f->name, S("Return-Path")))
			out->automatic = out->automatic ||
			    mime_envelope_says(f->value, bounce);
		else if (str_eq_case(f->name, S("Precedence"))) {
			out->automatic = out->automatic ||
			    mime_envelope_says(f->value, reply);
			out->from_list = out->from_list ||
			    mime_envelope_says(f->value, list);
		} else if (str_starts_case(f->name, S("List-")))
			out->from_list = true;
	}
}

void
envelope_here(struct arena *a, struct str head, struct mime_envelope *out)
{
	struct mime_header h;
	struct mime_value type;
	struct strs ids;
	struct str subject;
	bool unsure;

	*out = (struct mime_envelope){ 0 };
	mime_header_parse(a, head, &h);

	/*
	 * A truncated header may hide another From, and another reader may see
	 * one that this reader does not see: then no sender counts as sole.
	 */
	unsure = h.over || h.blurred;
	out->from_fields = mime_header_count(&h, "From");
	if (out->from_fields != 1 || unsure ||
	    !address_sole(a, mime_envelope_value(&h, "From"), &out->from_sole))
		out->from_sole = S("");
	mime_envelope_list(a, &h, "From", &out->from);
	mime_envelope_list(a, &h, "To", &out->to);
	mime_envelope_list(a, &h, "Cc", &out->cc);
	mime_envelope_list(a, &h, "Reply-To", &out->reply_to);

	subject = mime_header_text(a, mime_envelope_value(&h, "Subject"));
	out->subject = utf8_first(subject, LIMIT_SUBJECT);
	out->subject_cut = out->subject.n < subject.n || unsure ||
	    mime_header_count(&h, "Subject") > 1;

	out->has_date = date_parse(mime_envelope_value(&h, "Date"),
	    &out->date_s, &out->date_offset_min);

	mime_header_msgids(a, mime_envelope_value(&h, "Message-ID"), &ids);
	out->message_id = ids.n > 0 ? ids.v[0] : S("");
	mime_header_answered(a, mime_envelope_value(&h, "In-Reply-To"),
	    &out->in_reply_to);
	mime_header_msgids(a, mime_envelope_value(&h, "References"),
	    &out->references);

	out->has_list_id = mime_header_get(&h, "List-Id", 0) != NULL;
	out->list_id = mime_envelope_value(&h, "List-Id");

	mime_param_parse(a, mime_envelope_value(&h, "Content-Type"), &type);
	out->type = type.value;
	mime_envelope_automatic(&h, out);
}

void
mime_envelope_parse(struct arena *a, struct str head, struct mime_envelope *out)
{
	struct mime_head h;

	if (mime_elsewhere_by == NULL) {
		envelope_here(a, head, out);
		return;
	}
	mime_elsewhere_by->head(a, head, S(""), S(""), &h);
	*out = h.env;
}
