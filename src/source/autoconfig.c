/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mozilla's config-v1.1.xml: of each kind of server the first one with TLS and
 * a login method that we support; their order is the provider's.
 */
#include "base/buf.h"
#include "source/discover.h"
#include "source/xml.h"

enum field {
	FIELD_NONE,
	FIELD_HOST,
	FIELD_PORT,
	FIELD_SOCKET,
	FIELD_USER,
	FIELD_LOGIN,
	FIELD_COUNT
};

/* A server, as far as it was read. */
struct entry {
	bool imap, smtp; /* which it is; neither: skipped */
	struct str text[FIELD_COUNT];
	bool password, oauth; /* logins it offers */
};

struct reading {
	struct arena *a;
	struct str address;
	struct discover *out;
	struct entry now;
	enum field field;
};

static enum field
autoconfig_field_of(struct str name)
{
	static const struct str names[FIELD_COUNT] = { { NULL, 0 },
		SI("hostname"), SI("port"), SI("socketType"), SI("username"),
		SI("authentication") };

	for (int i = 1; i < FIELD_COUNT; i++)
		if (str_eq(name, names[i]))
			return (enum field)i;
	return FIELD_NONE;
}

/* %EMAILADDRESS% and similar. */
static struct str
autoconfig_fill(const struct reading *r, struct str text)
{
	struct str local, domain;
	struct buf b;

	(void)str_cut(r->address, '@', &local, &domain);
	buf_init(&b, r->a, 4096);
	while (text.n > 0) {
		if (str_starts(text, S("%EMAILADDRESS%"))) {
			buf_str(&b, r->address);
			text = str_from(text, 14);
		} else if (str_starts(text, S("%EMAILLOCALPART%"))) {
			buf_str(&b, local);
			text = str_from(text, 16);
		} else if (str_starts(text, S("%EMAILDOMAIN%"))) {
			buf_str(&b, domain);
			text = str_from(text, 13);
		} else {
			buf_char(&b, text.p[0]);
			text = str_from(text, 1);
		}
	}
	return b.over ? S("") : buf_view(&b);
}

/*
 * A login becomes part of a protocol line; an unknown placeholder is refused.
 */
static bool
autoconfig_is_login(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f ||
		    s.p[i] == '%')
			return false;
	return s.n > 0 && s.n <= 320;
}

static bool
autoconfig_usable(const struct reading *r, const struct entry *x,
    struct discover_server *out)
{
	uint32_t port;

	if (!discover_srv_host(r->a, autoconfig_fill(r, x->text[FIELD_HOST]),
		&out->host) ||
	    !str_to_u32(x->text[FIELD_PORT], 65535, &port) || port == 0)
		return false;
	out->port = (uint16_t)port;
	out->starttls = str_eq(x->text[FIELD_SOCKET], S("STARTTLS"));
	if (!out->starttls && !str_eq(x->text[FIELD_SOCKET], S("SSL")))
		return false;
	return x->password || x->oauth;
}

static void
autoconfig_take_server(struct reading *r)
{
	const struct entry *x = &r->now;
	struct discover_server s = { 0 };
	struct str user;

	if (!(x->imap || x->smtp) || !autoconfig_usable(r, x, &s))
		return;
	user = autoconfig_fill(r, x->text[FIELD_USER]);
	if (x->imap && r->out->imap.host.n == 0) {
		r->out->imap = s;
		r->out->oauth = !x->password;
		if (autoconfig_is_login(user))
			r->out->username = user;
	} else if (x->smtp && r->out->smtp.host.n == 0) {
		r->out->smtp = s;
		if (autoconfig_is_login(user) && r->out->username.n > 0 &&
		    !str_eq(user, r->out->username))
			str_push(r->a, &r->out->warnings,
			    S("the SMTP server needs another user name than "
			      "the IMAP server, but an account has one"));
	}
}

static void
autoconfig_take_login(struct entry *x, struct str how)
{
	/* Over TLS only the plain password can be sent. */
	x->password = x->password || str_eq(how, S("password-cleartext")) ||
	    str_eq(how, S("plain"));
	x->oauth = x->oauth || str_eq(how, S("OAuth2"));
}

/* clientConfig > emailProvider > incomingServer > hostname */
static void
autoconfig_opened(struct reading *r, const struct xml *x)
{
	static const struct str path[2] = { SI("clientConfig"),
		SI("emailProvider") };

	for (size_t i = 0; i < 2 && i < x->depth; i++)
		if (!str_eq(x->open[i], path[i]))
			return;
	if (x->depth == 3) {
		struct str type = xml_attr(x, S("type"));

		r->now = (struct entry){
			.imap = str_eq(x->name, S("incomingServer")) &&
			    str_eq(type, S("imap")),
			.smtp = str_eq(x->name, S("outgoingServer")) &&
			    str_eq(type, S("smtp")),
		};
	} else if (x->depth == 4) {
		r->field = autoconfig_field_of(x->name);
		r->now.text[r->field] = S("");
	}
}

static int
autoconfig_texted(struct reading *r, const struct xml *x, struct err *e)
{
	struct str text;

	if (x->depth != 4 || r->field == FIELD_NONE)
		return 0;
	if (xml_plain(r->a, x->text, &text, e) < 0)
		return -1;
	if (r->field == FIELD_LOGIN)
		autoconfig_take_login(&r->now, text);
	else if (text.n > 0)
		r->now.text[r->field] = text;
	return 0;
}

int
autoconfig_read(struct arena *a, struct str xml, struct str address,
    struct discover *out, struct err *e)
{
	struct reading r = { .a = a, .address = address, .out = out };
	enum xml_event event;
	struct xml x;

	if (xml_init(&x, xml, e) < 0)
		return -1;
	do {
		if (xml_next(&x, &event, e) < 0)
			return -1;
		if (event == XML_OPEN) {
			autoconfig_opened(&r, &x);
		} else if (event == XML_TEXT) {
			if (autoconfig_texted(&r, &x, e) < 0)
				return -1;
		} else if (event == XML_CLOSE && x.depth == 2) {
			autoconfig_take_server(&r);
			r.now = (struct entry){ 0 };
		} else if (event == XML_CLOSE && x.depth == 3) {
			r.field = FIELD_NONE;
		}
	} while (event != XML_END);
	return out->imap.host.n > 0;
}
