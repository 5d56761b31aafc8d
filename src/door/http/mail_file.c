/* SPDX-License-Identifier: Apache-2.0 */
/* An attachment as it is: GET /v1/mail/attachment/ID, ?message_ref=REF. */
#include "door/http/gateway.h"

#include "base/limits.h"

/* RFC 3986 section 2.1.  False: it is no such text. */
static bool
http_mail_file_decode(struct str s, struct arena *a, struct str *out)
{
	struct buf b;

	buf_init(&b, a, s.n + 1);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '%') {
			buf_char(&b, s.p[i]);
			continue;
		}
		if (i + 2 >= s.n || str_hex(s.p[i + 1]) < 0 ||
		    str_hex(s.p[i + 2]) < 0)
			return false;
		buf_char(&b, (char)str_hex_pair(s, i + 1));
		i += 2;
	}
	*out = buf_view(&b);
	return true;
}

static int
http_mail_file_put(struct http_mail *x, const char *name, struct str text,
    struct err *e)
{
	struct str value;

	if (!http_mail_file_decode(text, x->a, &value) || value.n == 0)
		return err_set(e, ERR_USAGE, "%s is not readable", name);
	return args_add(&x->args, x->a, args_find(&x->args, str_of(name)),
	    value, e);
}

static int
http_mail_file_args(struct http_mail *x, struct err *e)
{
	struct str name, value;

	if (http_mail_file_put(x, "attachment_id", x->by->rest, e) < 0)
		return -1;
	if (x->by->query.n == 0)
		return 0;
	(void)str_cut(x->by->query, '=', &name, &value);
	if (!str_eq(name, S("message_ref")))
		return err_set(e, ERR_USAGE,
		    "the only parameter is message_ref");
	return http_mail_file_put(x, "message_ref", value, e);
}

/* A media type that a head may hold. */
static struct str
http_mail_file_type(struct str type)
{
	for (size_t i = 0; i < type.n; i++)
		if (type.p[i] <= ' ' || type.p[i] > '~')
			return S("application/octet-stream");
	return type.n > 0 && type.n < 128 ? type
					  : S("application/octet-stream");
}

/* The bytes are in base64 already. */
static void
http_mail_file_say(struct http_mail *x, const struct json_value *v)
{
	struct str type = { 0 }, bytes = { 0 };

	(void)json_parse_str(json_parse_member(v, "media_type"), &type);
	(void)json_parse_str(json_parse_member(v, "content"), &bytes);
	child_line(CHILD_STATUS, S("200"));
	child_line(CHILD_HEAD,
	    str_fmt(x->a, "Content-Type: %.*s",
		STR_ARG(http_mail_file_type(type))));
	/* No browser is to make anything of it. */
	child_line(CHILD_HEAD, S("Content-Disposition: attachment"));
	child_line(CHILD_HEAD, S("X-Content-Type-Options: nosniff"));
	/* An empty file is an answer too. */
	do {
		struct str part = str_first(bytes, LIMIT_CHILD_BYTES);

		child_line(CHILD_BYTES, part);
		bytes = str_from(bytes, part.n);
	} while (bytes.n > 0);
}

void
http_mail_file(const struct route_request *r)
{
	struct json_doc *d = NULL;
	struct http_mail x;
	struct reply out;
	struct err e = { 0 };

	http_mail_meet(&x, r);
	if (http_mail_file_args(&x, &e) < 0)
		http_mail_end(x.a, x.op, false, &e);
	child_may_end(true);
	http_mail_call(&x, &out);
	if (json_parse_open(json_text(out.data, x.a), SIZE_MAX, &d, &e) < 0)
		http_mail_end(x.a, x.op, false, &e);
	http_mail_file_say(&x, json_parse_root(d));
	_exit(0);
}
