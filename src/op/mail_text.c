/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message of an agent's own mailbox, from the bytes that a backend gives.
 * What RFC 5322 has no place for is in fields of our own, which no sender can
 * write: backend/agentbox/front.c.
 */
#include "op/mail_text.h"

#include "base/utf8.h"

enum {
	PREVIEW = 240
};

static struct str
mail_text_field(struct arena *a, const struct mime_header *h, const char *name)
{
	const struct mime_field *f = mime_header_get(h, name, 0);

	return f == NULL ? S("") : mime_header_text(a, f->value);
}

/* The body is the first text that is no file; its bytes are those written. */
static const struct mime_part *
mail_text_body_part(const struct mime_message *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct mime_part *p = &m->part[i];

		if (!p->is_multipart && !p->is_message &&
		    str_eq(p->type, S("text/plain")) &&
		    !str_eq(p->disp.value, S("attachment")))
			return p;
	}
	return NULL;
}

static void
mail_text_read_body(struct arena *a, struct mail_text *t)
{
	const struct mime_part *p = mail_text_body_part(&t->msg);
	struct mime_reading r;

	if (p != NULL && p->encoding == MIME_BASE64) {
		t->body = mime_part_decode(a, p);
		return;
	}
	mime_reading_make(a, &t->msg, &r);
	t->body = r.text;
}

/* "<att-1@x>" is "att-1". */
static struct str
mail_text_content_id(struct str id)
{
	struct str local, domain;

	if (id.n > 2 && id.p[0] == '<')
		id = str_from(str_first(id, id.n - 1), 1);
	return str_cut(id, '@', &local, &domain) ? local : id;
}

static void
mail_text_read_file(struct arena *a, const struct mime_part *p, size_t nth,
    struct mail_text_file *out)
{
	struct mime_value v = { 0 };
	uint64_t size;

	*out =
	    (struct mail_text_file){ .type = p->type, .size = -1, .part = p };
	out->id =
	    mail_text_content_id(mail_text_field(a, &p->header, "Content-ID"));
	if (out->id.n == 0)
		out->id = str_fmt(a, "part-%zu", nth + 1);
	/* Where there is no name, the id stands in for it. */
	out->label = mime_part_name(a, p);
	if (str_eq(out->label, out->id))
		out->label = S("");
	mime_param_parse(a,
	    mail_text_field(a, &p->header, "X-Emcli-Attachment"), &v);
	out->kind = v.value.n > 0 ? v.value : S("transport_owned");
	out->locator = mime_param_get(&v, "path");
	out->sha256 = mime_param_get(&v, "sha256");
	if (str_to_u64(mime_param_get(&v, "size"), INT64_MAX, &size))
		out->size = (int64_t)size;
	else if (v.value.n == 0)
		out->size = (int64_t)mime_part_decode(a, p).n;
}

void
mail_text_read(struct arena *a, struct str raw, struct mail_text *out)
{
	struct mime_reading r;

	*out = (struct mail_text){ 0 };
	mime_message_parse(a, raw, &out->msg);
	mail_text_read_body(a, out);
	mime_reading_make(a, &out->msg, &r);
	out->file = arena_array(a, r.n, sizeof(*out->file));
	for (size_t i = 0; i < r.n; i++)
		mail_text_read_file(a, r.attachment[i].part, i,
		    &out->file[out->files++]);
}

struct str
mail_text_principal(const struct mail_text *t, struct str addr)
{
	const struct mime_header *h = &t->msg.part[0].header;
	const struct mime_field *f;

	for (size_t i = 0;
	     (f = mime_header_get(h, "X-Emcli-Principal", i)) != NULL; i++) {
		struct str who, id;

		if (str_cut(str_trim(f->value), ' ', &who, &id) &&
		    str_eq_case(who, addr))
			return id;
	}
	return S("");
}

/* As Unicode has them: White_Space, and the separators of ASCII. */
static bool
mail_text_is_white(uint32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) ||
	    c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
	    c == 0x202f || c == 0x205f || c == 0x3000;
}

struct str
mail_text_preview(struct arena *a, struct str body)
{
	struct buf b;
	size_t n = 0, cut = 0;
	bool blank = false;

	buf_init(&b, a, 4 * PREVIEW + 8);
	for (size_t i = 0; i < body.n && n <= PREVIEW;) {
		char bytes[4];
		bool ok;
		uint32_t c = utf8_next(body, &i, &ok);

		if (mail_text_is_white(c)) {
			blank = b.n > 0;
			continue;
		}
		if (blank && ++n <= PREVIEW - 3)
			cut = b.n + 1;
		if (blank)
			buf_char(&b, ' ');
		blank = false;
		buf_add(&b, bytes, utf8_put(bytes, c));
		if (++n <= PREVIEW - 3)
			cut = b.n;
	}
	if (n <= PREVIEW)
		return buf_view(&b);
	return str_fmt(a, "%.*s...", STR_ARG(str_first(buf_view(&b), cut)));
}
