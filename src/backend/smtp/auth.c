/* SPDX-License-Identifier: Apache-2.0 */
/* The login, RFC 4954. */
#include "backend/smtp/internal.h"

/*
 * RFC 4954 section 4: an AUTH command with its response is a command line of at
 * most 512 bytes, including its line end; a longer response waits for 334.
 */
#define COMMAND_MAX 512

struct answer {
	struct smtp *s;
	struct err *e;
	bool command; /* with "AUTH X " before it, if it fits */
	bool held;    /* it did not fit: only the command was sent */
};

/* Puts one response; sees the secret. */
static int
smtp_auth_put_answer(struct str base64, void *ctx)
{
	struct answer *x = ctx;
	struct wire *w = x->s->w;
	struct str name = str_of(sasl_name(x->s->sasl.mech));

	if (x->command) {
		if (wire_say_fmt(w, x->e, "AUTH %.*s", STR_ARG(name)) < 0)
			return -1;
		x->held = x->s->conn.acct->no_sasl_ir ||
		    base64.n + name.n + 8 > COMMAND_MAX;
		if (x->held)
			return wire_say(w, S("\r\n"), x->e);
		if (wire_say(w, S(" "), x->e) < 0)
			return -1;
	}
	if (wire_put(w, base64, x->e) < 0)
		return -1;
	return wire_say(w, S("\r\n"), x->e);
}

static int
smtp_auth_answer(struct smtp *s, int step, struct err *e)
{
	struct answer x = { .s = s, .e = e };

	if (smtp_ask_in_step(s, e) < 0 ||
	    sasl_respond(&s->sasl, step, smtp_auth_put_answer, &x, e) < 0)
		return -1;
	return smtp_reply_read(s->w, &s->reply, NULL, NULL, e);
}

/* Sends AUTH; on return the first response was sent. */
static int
smtp_auth_begin(struct smtp *s, struct err *e)
{
	struct answer x = { .s = s, .e = e, .command = true };

	if (s->sasl.mech == SASL_LOGIN) {
		if (smtp_ask(s, S("AUTH LOGIN"), e) < 0)
			return -1;
		return s->reply.code == 334 ? smtp_auth_answer(s, 0, e) : 0;
	}
	if (smtp_ask_in_step(s, e) < 0 ||
	    sasl_respond(&s->sasl, 0, smtp_auth_put_answer, &x, e) < 0 ||
	    smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return -1;
	return x.held && s->reply.code == 334 ? smtp_auth_answer(s, 0, e) : 0;
}

/* 4yz says nothing about the credentials: RFC 4954 section 6. */
static int
smtp_auth_refused(struct smtp *s, const char *why, struct err *e)
{
	int code = s->reply.code;

	if (code >= 500 || code == 432) {
		(void)err_set(e, ERR_AUTH,
		    "the mail server refused the credentials");
	} else if (code >= 400) {
		(void)err_set(e, ERR_NETWORK,
		    "the mail server cannot check the credentials now");
	} else {
		return smtp_ask_odd(s, e);
	}
	(void)smtp_reply_because(e, &s->reply);
	if (why[0] != '\0')
		(void)err_because(e, "%s", why);
	return err_conn(e);
}

/*
 * A server first sends a challenge for a refused token (RFC 7628 section 3.2.3,
 * also XOAUTH2), and waits for our answer before it sends 535.
 */
static int
smtp_auth_take_refusal(struct smtp *s, char *why, size_t room, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct smtp_reply told = { .code = s->reply.code };
	struct str text;

	text = sasl_refusal(a, (struct str){ s->reply.text, s->reply.n });
	told.n = text.n;
	memcpy(told.text, text.p, text.n);
	text = smtp_reply_words(a, &told);
	(void)snprintf(why, room, "%.*s", STR_ARG(text));
	return smtp_auth_answer(s, 1, e);
}

int
smtp_auth_login(struct smtp *s, struct err *e)
{
	const struct backend_account *acct = s->conn.acct;
	struct strs offered = { s->offers.mechs, s->offers.n_mechs };
	char why[SMTP_WORDS + 1] = "";

	if (acct->username.n == 0)
		return 0;
	if (acct->secret == NULL)
		return err_set(e, ERR_CONFIG,
		    "the account has a user name but no password");
	s->sasl.mech = sasl_pick(&offered, acct->oauth);
	if (s->sasl.mech == SASL_NONE) {
		(void)err_set(e, ERR_AUTH,
		    "the mail server offers no login that fits the account");
		(void)err_hint(e,
		    "the server may need the other kind of login: emcli "
		    "account edit --auth password or --auth oauth2");
		return err_conn(e);
	}
	s->reply.hide = true;
	if (smtp_auth_begin(s, e) < 0)
		return -1;
	if (s->reply.code == 334 && s->sasl.mech == SASL_LOGIN) {
		if (smtp_auth_answer(s, 1, e) < 0)
			return -1;
	} else if (s->reply.code == 334 && acct->oauth) {
		if (smtp_auth_take_refusal(s, why, sizeof(why), e) < 0)
			return -1;
	}
	s->reply.hide = false;
	return s->reply.code == 235 ? 0 : smtp_auth_refused(s, why, e);
}
