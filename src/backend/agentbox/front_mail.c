/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message as RFC 5322.  Only the fields written here come from the file, so
 * that it cannot add its own Authentication-Results or Received.
 */
#include "backend/agentbox/internal.h"
#include "backend/agentbox/message.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "mime/date.h"

#define DOMAIN "@houmao.localhost"
#define WORD 45   /* bytes of an encoded word, RFC 2047 section 2 */
#define PLAIN 700 /* bytes of a text that is written unencoded */
#define LINE 57   /* bytes of a line of base64 */

struct mail_out {
	struct arena *a;
	struct buf b;
};

struct str
agentbox_front_mail_id(struct arena *a, struct str id)
{
	return str_fmt(a, "<%.*s" DOMAIN ">", STR_ARG(id));
}

/* Printable ASCII that nobody decodes or folds. */
static bool
mail_is_plain(struct str s)
{
	if (s.n > PLAIN || str_find(s, S("=?")) >= 0)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~')
			return false;
	return true;
}

/* RFC 2047: words of whole characters, a line each. */
static void
mail_words(struct mail_out *m, struct str s)
{
	const char *between = "";

	while (s.n > 0) {
		struct str part = utf8_first(s, WORD);

		buf_fmt(&m->b, "%s=?utf-8?B?", between);
		base64_put(&m->b, part);
		buf_text(&m->b, "?=");
		between = "\r\n ";
		s = str_from(s, part.n);
	}
}

static void
mail_text(struct mail_out *m, struct str s)
{
	if (mail_is_plain(s))
		buf_str(&m->b, s);
	else
		mail_words(m, s);
}

static void
mail_quoted(struct mail_out *m, struct str s)
{
	buf_char(&m->b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_char(&m->b, '\\');
		buf_char(&m->b, s.p[i]);
	}
	buf_char(&m->b, '"');
}

static void
mail_party(struct mail_out *m, const struct agentbox_party *p)
{
	if (p->display_name.n > 0) {
		if (mail_is_plain(p->display_name))
			mail_quoted(m, p->display_name);
		else
			mail_words(m, p->display_name);
		buf_char(&m->b, ' ');
	}
	buf_fmt(&m->b, "<%.*s>", STR_ARG(p->address));
}

static void
mail_parties(struct mail_out *m, const char *name,
    const struct agentbox_parties *l)
{
	if (l->n == 0)
		return;
	buf_fmt(&m->b, "%s:", name);
	for (size_t i = 0; i < l->n; i++) {
		buf_text(&m->b, i > 0 ? ",\r\n " : " ");
		mail_party(m, &l->v[i]);
	}
	buf_text(&m->b, "\r\n");
}

static void
mail_ids(struct mail_out *m, const struct agentbox_message *x)
{
	buf_fmt(&m->b, "Message-ID: <%.*s" DOMAIN ">\r\n", STR_ARG(x->id));
	if (x->in_reply_to.n == 0)
		return;
	buf_fmt(&m->b, "In-Reply-To: <%.*s" DOMAIN ">\r\nReferences:",
	    STR_ARG(x->in_reply_to));
	for (size_t i = 0; i < x->references.n; i++)
		buf_fmt(&m->b, "%s<%.*s" DOMAIN ">", i > 0 ? "\r\n " : " ",
		    STR_ARG(x->references.v[i]));
	buf_text(&m->b, "\r\n");
}

/* "x-houmao-" and characters that a field's name may contain. */
static bool
mail_is_field(struct str s)
{
	if (!str_starts_case(s, S("x-houmao-")) || s.n > 70)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || s.p[i] > '~' || s.p[i] == ':')
			return false;
	return true;
}

/* Who an address is, which no field of RFC 5322 says. */
static void
mail_principals(struct mail_out *m, const struct agentbox_parties *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (mail_is_plain(l->v[i].principal))
			buf_fmt(&m->b, "X-Emcli-Principal: %.*s %.*s\r\n",
			    STR_ARG(l->v[i].address),
			    STR_ARG(l->v[i].principal));
}

static void
mail_head(struct mail_out *m, const struct agentbox_message *x)
{
	struct agentbox_parties from = { (struct agentbox_party *)&x->from, 1 };
	int64_t t = 0;

	(void)clock_parse(x->created, &t);
	buf_fmt(&m->b, "Date: %s\r\n", date_rfc5322(m->a, t).p);
	mail_parties(m, "From", &from);
	mail_parties(m, "To", &x->to);
	mail_parties(m, "Cc", &x->cc);
	mail_parties(m, "Reply-To", &x->reply_to);
	buf_text(&m->b, "Subject: ");
	mail_text(m, x->subject);
	buf_text(&m->b, "\r\n");
	mail_ids(m, x);
	for (size_t i = 0; i < x->headers; i++) {
		if (!mail_is_field(x->header[i].name))
			continue;
		buf_fmt(&m->b, "%.*s: ", STR_ARG(x->header[i].name));
		mail_text(m, x->header[i].value);
		buf_text(&m->b, "\r\n");
	}
	mail_principals(m, &from);
	mail_principals(m, &x->to);
	mail_principals(m, &x->cc);
	mail_principals(m, &x->reply_to);
	buf_text(&m->b, "MIME-Version: 1.0\r\n");
}

static void
mail_base64(struct mail_out *m, struct str s)
{
	buf_text(&m->b, "Content-Transfer-Encoding: base64\r\n\r\n");
	for (size_t i = 0; i < s.n; i += LINE) {
		base64_put(&m->b, str_first(str_from(s, i), LINE));
		buf_text(&m->b, "\r\n");
	}
}

static void
mail_body(struct mail_out *m, const struct agentbox_message *x)
{
	buf_text(&m->b, "Content-Type: text/plain; charset=utf-8\r\n");
	mail_base64(m, x->body);
}

/* Only a media type: both halves tokens, RFC 2045 section 5.1. */
static bool
mail_is_type(struct str s)
{
	struct str head, tail;

	if (s.n > 100 || !str_cut(s, '/', &head, &tail) || head.n == 0 ||
	    tail.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || s.p[i] > '~' ||
		    strchr("()<>@,;:\\\"[]?=", s.p[i]) != NULL)
			return false;
	return !str_has_char(tail, '/') &&
	    !str_starts_case(s, S("multipart/")) &&
	    !str_starts_case(s, S("message/"));
}

static void
mail_file(struct mail_out *m, const struct agentbox_attachment *t,
    struct str bytes)
{
	struct str name = t->label.n > 0 ? t->label : t->id;

	buf_fmt(&m->b, "Content-Type: %.*s\r\n",
	    STR_ARG(mail_is_type(t->media_type)
		    ? t->media_type
		    : S("application/octet-stream")));
	/* RFC 2231, which works for any bytes. */
	buf_text(&m->b,
	    "Content-Disposition: attachment;"
	    " filename*=utf-8''");
	buf_percent(&m->b, utf8_first(name, LIMIT_FILE_NAME), "");
	buf_text(&m->b, "\r\nContent-ID: <");
	buf_percent(&m->b, utf8_first(t->id, LIMIT_FILE_NAME), "");
	buf_text(&m->b, DOMAIN ">\r\n");
	buf_fmt(&m->b, "X-Emcli-Attachment: %s",
	    t->managed ? "managed_copy" : "path_ref");
	if (t->sha256.n > 0)
		buf_fmt(&m->b, "; sha256=%.*s", STR_ARG(t->sha256));
	if (t->size >= 0)
		buf_fmt(&m->b, "; size=%lld", (long long)t->size);
	buf_text(&m->b, ";\r\n path*=utf-8''");
	buf_percent(&m->b, t->path, "");
	buf_text(&m->b, "\r\n");
	mail_base64(m, bytes);
}

int
agentbox_front_mail(struct arena *a, const struct agentbox_message *x,
    const struct str *files, struct str *out, struct err *e)
{
	struct mail_out m = { .a = a };

	buf_init(&m.b, a, LIMIT_MESSAGE);
	mail_head(&m, x);
	if (x->attachments == 0) {
		mail_body(&m, x);
	} else {
		/* Base64 has no "_", so none of its lines is a boundary. */
		buf_fmt(&m.b,
		    "Content-Type: multipart/mixed; boundary=\"_%.*s_\"\r\n"
		    "\r\n--_%.*s_\r\n",
		    STR_ARG(x->id), STR_ARG(x->id));
		mail_body(&m, x);
		for (size_t i = 0; i < x->attachments; i++) {
			buf_fmt(&m.b, "--_%.*s_\r\n", STR_ARG(x->id));
			mail_file(&m, &x->attachment[i],
			    files != NULL ? files[i] : (struct str){ 0 });
		}
		buf_fmt(&m.b, "--_%.*s_--\r\n", STR_ARG(x->id));
	}
	*out = buf_view(&m.b);
	return m.b.over ? err_set(e, ERR_LIMIT, "the message is too big") : 0;
}
