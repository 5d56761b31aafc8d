/* SPDX-License-Identifier: Apache-2.0 */
/* A file of mail settings: what is used from it, and what never is. */
#include "source/discover.h"

#include "../rows.h"
#include "base/buf.h"

#define FILE_OF(servers)                                                       \
	"<?xml version=\"1.0\"?><clientConfig version=\"1.1\">"                \
	"<emailProvider id=\"x\"><domain>b.example</domain>" servers           \
	"</emailProvider></clientConfig>"
#define IMAP(host, port, socket, user, auth)                                   \
	"<incomingServer type=\"imap\"><hostname>" host                        \
	"</hostname><port>" port "</port><socketType>" socket                  \
	"</socketType><username>" user "</username>" auth "</incomingServer>"
#define SMTP(host, port, socket, user, auth)                                   \
	"<outgoingServer type=\"smtp\"><hostname>" host                        \
	"</hostname><port>" port "</port><socketType>" socket                  \
	"</socketType><username>" user "</username>" auth "</outgoingServer>"
#define AUTH(x) "<authentication>" x "</authentication>"
#define PW AUTH("password-cleartext")
#define ME "%EMAILADDRESS%"

/* imap host:port+ (STARTTLS), smtp, user, o: OAuth only, w: warnings. */
static const struct row {
	const char *why, *in, *want;
} rows[] = {
	{ "both servers",
	    FILE_OF(IMAP("i.b.example", "993", "SSL", ME, PW)
		    SMTP("s.b.example", "587", "STARTTLS", ME, PW)),
	    "i.b.example:993 s.b.example:587+ ann@b.example" },
	{ "the first that can be used is the provider's choice",
	    FILE_OF(IMAP("a.example", "143", "STARTTLS", ME, PW)
		    IMAP("b.example", "993", "SSL", ME, PW)),
	    "a.example:143+ - ann@b.example" },
	{ "the local part, and names in the host",
	    FILE_OF(
		IMAP("mx.%EMAILDOMAIN%", "993", "SSL", "%EMAILLOCALPART%", PW)),
	    "mx.b.example:993 - ann" },
	{ "letters are made small",
	    FILE_OF(IMAP("I.B.Example", "993", "SSL", ME, PW)),
	    "i.b.example:993 - ann@b.example" },
	{ "references are resolved",
	    FILE_OF(IMAP("i&#46;example", "993", "SSL", "&amp;" ME, PW)),
	    "i.example:993 - &ann@b.example" },
	{ "OAuth alone is told",
	    FILE_OF(IMAP("i.example", "993", "SSL", ME, AUTH("OAuth2"))),
	    "i.example:993 - ann@b.example o" },
	{ "OAuth or a password is a password",
	    FILE_OF(IMAP("i.example", "993", "SSL", ME, AUTH("OAuth2") PW)),
	    "i.example:993 - ann@b.example" },
	{ "two logins are told of",
	    FILE_OF(IMAP("i.example", "993", "SSL", "%EMAILLOCALPART%", PW)
		    SMTP("s.example", "465", "SSL", ME, PW)),
	    "i.example:993 s.example:465 ann w" },
	{ "never in the clear",
	    FILE_OF(IMAP("i.example", "143", "plain", ME, PW)), "0" },
	{ "a clear one is passed over",
	    FILE_OF(IMAP("i.example", "143", "plain", ME, PW)
		    IMAP("j.example", "993", "SSL", ME, PW)),
	    "j.example:993 - ann@b.example" },
	{ "a login we do not know",
	    FILE_OF(IMAP("i.example", "993", "SSL", ME, AUTH("GSSAPI"))), "0" },
	{ "POP3 is nothing",
	    FILE_OF("<incomingServer type='pop3'><hostname>p.example"
		    "</hostname><port>995</port><socketType>SSL</socketType>" PW
		    "</incomingServer>"),
	    "0" },
	{ "a host that is none",
	    FILE_OF(IMAP("i.example/x", "993", "SSL", ME, PW) IMAP("a b", "993",
		"SSL", ME, PW) IMAP("", "993", "SSL", ME, PW) IMAP("-a.example",
		"993", "SSL", ME, PW) IMAP("i..example", "993", "SSL", ME, PW)
		    IMAP("me@i.example", "993", "SSL", ME, PW)
			IMAP("i.example&#13;&#10;x", "993", "SSL", ME, PW)),
	    "!" },
	{ "a host with an odd letter",
	    FILE_OF(IMAP("\xc3\xa9.example", "993", "SSL", ME, PW)), "0" },
	{ "a port that is none",
	    FILE_OF(IMAP("i.example", "0", "SSL", ME, PW) IMAP("i.example",
		"65536", "SSL", ME, PW) IMAP("i.example", "x", "SSL", ME, PW)),
	    "0" },
	{ "a login with a placeholder we do not know",
	    FILE_OF(IMAP("i.example", "993", "SSL", "%REALNAME%", PW)),
	    "i.example:993 -  " },
	{ "servers elsewhere in the file count for nothing",
	    "<clientConfig><webMail>" IMAP("i.example", "993", "SSL", ME,
		PW) "</webMail></clientConfig>",
	    "0" },
	{ "another root", "<x/>", "0" },
	{ "a document type", "<!DOCTYPE x><clientConfig/>", "!" },
	{ "no XML", "<html><p>not found</html>", "!" },
	{ "cut short",
	    "<clientConfig><emailProvider>" IMAP("i.example", "993", "SSL", ME,
		PW),
	    "!" },
};

static void
show(struct buf *b, const struct discover *d)
{
	buf_fmt(b, "%.*s:%u%s ", STR_ARG(d->imap.host), (unsigned)d->imap.port,
	    d->imap.starttls ? "+" : "");
	if (d->smtp.host.n > 0)
		buf_fmt(b, "%.*s:%u%s", STR_ARG(d->smtp.host),
		    (unsigned)d->smtp.port, d->smtp.starttls ? "+" : "");
	else
		buf_char(b, '-');
	buf_fmt(b, " %.*s", STR_ARG(d->username));
	if (d->username.n == 0)
		buf_char(b, ' ');
	buf_text(b, d->oauth ? " o" : "");
	buf_text(b, d->warnings.n > 0 ? " w" : "");
}

static void
read_row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct discover d = { 0 };
	struct err e = { 0 };
	struct buf b;
	int got;

	buf_init(&b, a, 4096);
	got = autoconfig_read(a, str_of(r->in), S("ann@b.example"), &d, &e);
	if (got == 1)
		show(&b, &d);
	else
		buf_char(&b, got == 0 ? '0' : '!');
	assert_string_equal(b.p, r->want);
}

ROWS_MAIN("source/autoconfig", rows, read_row)
