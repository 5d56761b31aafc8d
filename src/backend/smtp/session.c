/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a session that can submit.  Everything except the greeting, EHLO and
 * STARTTLS itself is sent over TLS.
 */
#include "backend/smtp/internal.h"

#define PORT_TLS 465      /* RFC 8314 section 3.3 */
#define PORT_STARTTLS 587 /* RFC 6409 section 3.1 */

int
smtp_session_connect(struct smtp *s, struct err *e)
{
	const struct backend_account *acct = s->conn.acct;
	struct wire_target t = {
		.host = acct->smtp_host,
		.port = acct->smtp_port,
		/* smtp_session_tls() does the handshake, at once or later. */
		.security = WIRE_STARTTLS,
		.ca_file = acct->ca_file,
		.pin = acct->tls_pin,
		.deadline_ms = acct->deadline_ms,
	};

	if (t.port == 0)
		t.port = acct->smtp_starttls ? PORT_STARTTLS : PORT_TLS;
	s->sasl = (struct sasl){ .user = acct->username,
		.secret = acct->secret,
		.host = acct->smtp_host,
		.port = t.port };
	s->reply.hide = false;
	return wire_open(&t, &s->w, e);
}

static void
smtp_session_offer_mech(struct smtp_offers *o, struct str name)
{
	static const struct str known[SMTP_MECHS] = {
		SI("PLAIN"),
		SI("LOGIN"),
		SI("XOAUTH2"),
		SI("OAUTHBEARER"),
	};

	for (size_t i = 0; i < SMTP_MECHS; i++) {
		if (!str_eq_case(known[i], name))
			continue;
		for (size_t k = 0; k < o->n_mechs; k++)
			if (o->mechs[k].p == known[i].p)
				return;
		o->mechs[o->n_mechs++] = known[i];
	}
}

/* One line of the answer to EHLO, RFC 5321 section 4.1.1.1. */
static void
smtp_session_offer(struct str line, void *ctx)
{
	struct smtp_offers *o = ctx;
	struct str keyword, rest, name;

	/* "AUTH=LOGIN" is the form before RFC 2554. */
	if (str_starts_case(line, S("AUTH="))) {
		keyword = S("AUTH");
		rest = str_from(line, 5);
	} else {
		(void)str_cut(line, ' ', &keyword, &rest);
	}
	if (str_eq_case(keyword, S("STARTTLS"))) {
		o->starttls = true;
	} else if (str_eq_case(keyword, S("PIPELINING"))) {
		o->pipelining = true;
	} else if (str_eq_case(keyword, S("8BITMIME"))) {
		o->eightbit = true;
	} else if (str_eq_case(keyword, S("SMTPUTF8"))) {
		o->utf8 = true;
	} else if (str_eq_case(keyword, S("SIZE"))) {
		o->size = true;
		(void)str_to_u64(str_trim(rest), UINT64_MAX, &o->size_max);
	} else if (str_eq_case(keyword, S("AUTH"))) {
		while (rest.n > 0) {
			(void)str_cut(rest, ' ', &name, &rest);
			smtp_session_offer_mech(o, name);
		}
	}
}

int
smtp_session_ehlo(struct smtp *s, struct err *e)
{
	/*
	 * Extensions announced before TLS do not count, RFC 3207 section 4.2.
	 */
	s->offers = (struct smtp_offers){ 0 };
	/*
	 * An address literal is always allowed (RFC 5321 section 4.1.4), and
	 * does not reveal this machine's name in a Received field.
	 */
	if (smtp_ask_in_step(s, e) < 0 ||
	    wire_say(s->w, S("EHLO [127.0.0.1]\r\n"), e) < 0 ||
	    smtp_reply_read(s->w, &s->reply, smtp_session_offer, &s->offers,
		e) < 0)
		return -1;
	return s->reply.code == 250 ? 0 : smtp_ask_odd(s, e);
}

int
smtp_session_greeting(struct smtp *s, struct err *e)
{
	if (wire_greet(s->w, WIRE_GREET_SMTP, e) < 0 ||
	    smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return -1;
	if (s->reply.code == 220)
		return 0;
	(void)err_set(e, ERR_NETWORK, "the mail server takes no mail now");
	(void)smtp_reply_because(e, &s->reply);
	return err_conn(e);
}

int
smtp_session_starttls(struct smtp *s, struct err *e)
{
	if (smtp_session_ehlo(s, e) < 0)
		return -1;
	if (!s->offers.starttls) {
		(void)err_set(e, ERR_NETWORK,
		    "the mail server does not offer STARTTLS");
		(void)err_hint(e,
		    "try TLS from the start: emcli account edit "
		    "--smtp-security tls --smtp-port 465");
		return err_conn(e);
	}
	if (smtp_ask(s, S("STARTTLS"), e) < 0)
		return -1;
	if (s->reply.code != 220)
		return smtp_ask_odd(s, e);
	return wire_starttls(s->w, e);
}

/* Greeting and, if the account uses it, STARTTLS: afterwards TLS is on. */
static int
smtp_session_tls(struct smtp *s, struct err *e)
{
	if (!s->conn.acct->smtp_starttls)
		return wire_starttls(s->w, e) < 0 ? -1
						  : smtp_session_greeting(s, e);
	return smtp_session_greeting(s, e) < 0 ? -1
					       : smtp_session_starttls(s, e);
}

static int
smtp_session_open_once(struct smtp *s, struct err *e)
{
	if (smtp_session_connect(s, e) < 0 || smtp_session_tls(s, e) < 0)
		return -1;
	if (!wire_is_tls(s->w))
		err_bug("smtp: about to log in without TLS");
	if (smtp_session_ehlo(s, e) < 0)
		return -1;
	return smtp_auth_login(s, e);
}

int
smtp_session_open(struct smtp *s, struct err *e)
{
	const struct backend_account *acct = s->conn.acct;

	if (acct->username.n > 0 && backend_token(acct, e) < 0)
		return -1;
	if (smtp_session_open_once(s, e) == 0)
		return 0;
	/* No mechanism was chosen: another token would not help. */
	if (e->kind != ERR_AUTH || s->sasl.mech == SASL_NONE ||
	    !backend_token_again(acct, e))
		return -1;
	smtp_session_close(s);
	return smtp_session_open_once(s, e);
}

void
smtp_session_close(struct smtp *s)
{
	struct err e = { 0 };

	if (s->w != NULL && wire_say(s->w, S("QUIT\r\n"), &e) == 0)
		(void)wire_flush(s->w, &e);
	wire_close(&s->w);
}
