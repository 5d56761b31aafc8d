/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a row in readable form, before or after they were sent. */
#include "base/clean.h"
#include "gate/internal.h"

/* The text that the receiver sees first; files are named, not opened. */
static const struct mime_part *
outbox_read_text_part(const struct mime_message *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (!m->part[i].is_multipart &&
		    str_eq(m->part[i].type, S("text/plain")) &&
		    !str_eq_case(m->part[i].disp.value, S("attachment")))
			return &m->part[i];
	return NULL;
}

void
outbox_read(struct arena *a, struct str message, struct outbox_reading *out)
{
	const struct mime_part *text;
	struct mime_message m;

	*out = (struct outbox_reading){ 0 };
	mime_message_parse(a, message, &m);
	if (m.n == 0)
		return;
	for (size_t i = 0; i < m.part[0].header.n; i++) {
		const struct mime_field *f = &m.part[0].header.field[i];

		str_push(a, &out->head,
		    str_fmt(a, "%.*s: %.*s", STR_ARG(f->name),
			STR_ARG(mime_header_text(a, f->value))));
	}
	text = outbox_read_text_part(&m);
	if (text != NULL)
		out->text = mime_part_text(a, text);
	(void)clean_text(a, out->text, &out->unseen);
	for (size_t i = 0; i < m.n; i++) {
		struct mime_part *p = &m.part[i];

		if (p == text || p->is_multipart)
			continue;
		str_push(a, &out->files,
		    str_fmt(a, "%.*s (%.*s, %zu bytes)",
			STR_ARG(mime_part_name(a, p)), STR_ARG(p->type),
			mime_part_decode(a, p).n));
	}
}
