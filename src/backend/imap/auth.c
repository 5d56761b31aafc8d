/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The login: AUTHENTICATE (RFC 9051 section 6.2.2, RFC 4959) or LOGIN.  If it
 * is one line, it is only sent here, so that EXAMINE and the first request can
 * follow immediately; if the server must be answered in between, the whole
 * exchange is done here.
 */
#include "backend/imap/internal.h"
#include "base/said.h"

/* After this many questions the server is disconnected. */
#define ANSWERS 4

struct lent {
	struct imap_session *s;
	struct imap_cmd *c;
	struct err *e;
};

static int
imap_auth_put_line(struct str base64, void *ctx)
{
	struct lent *l = ctx;

	if (imap_command_put(l->s, l->c, base64, l->e) < 0)
		return -1;
	return imap_command_end(l->s, l->c, l->e);
}

static int
imap_auth_put_password(struct str plain, void *ctx)
{
	struct lent *l = ctx;

	if (plain.n > 0 && memchr(plain.p, '\0', plain.n) != NULL)
		return err_set(l->e, ERR_AUTH,
		    "the password cannot be sent to this server");
	return imap_command_string(l->s, l->c, plain, l->e);
}

static int
imap_auth_no_mechanism(struct err *e)
{
	(void)err_set(e, ERR_AUTH, "the server offers no usable login");
	(void)err_hint(e,
	    "the server may need the other kind of login: emcli account edit "
	    "--auth password or --auth oauth2");
	return err_conn(e);
}

static struct sasl
imap_auth_sasl_of(const struct imap_session *s)
{
	static const struct {
		unsigned cap;
		struct str name;
	} table[] = {
		{ IMAP_CAP_PLAIN, SI("PLAIN") },
		{ IMAP_CAP_LOGIN, SI("LOGIN") },
		{ IMAP_CAP_XOAUTH2, SI("XOAUTH2") },
		{ IMAP_CAP_OAUTHBEARER, SI("OAUTHBEARER") },
	};
	const struct backend_account *acct = s->conn.acct;
	struct str names[sizeof(table) / sizeof(table[0])];
	struct strs offered = { names, 0 };

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if ((s->caps & table[i].cap) != 0)
			names[offered.n++] = table[i].name;
	return (struct sasl){
		.mech = sasl_pick(&offered, acct->oauth),
		.user = acct->username,
		.secret = acct->secret,
		.host = acct->imap_host,
		.port = acct->imap_port,
	};
}

/* LOGIN, RFC 9051 section 6.2.3: its literals may have to wait. */
static int
imap_auth_send_login(struct imap_session *s, struct err *e)
{
	struct lent l = { s, &s->login, e };

	if (imap_command_begin(s, &s->login, "LOGIN ", e) < 0 ||
	    imap_command_string(s, &s->login, s->conn.acct->username, e) < 0 ||
	    imap_command_say(s, &s->login, S(" "), e) < 0)
		return -1;
	if (secret_lend(s->conn.acct->secret, imap_auth_put_password, &l) < 0) {
		/* The line is incomplete: the stream cannot be used further. */
		return err_conn(e);
	}
	return imap_command_end(s, &s->login, e);
}

/* An OAuth server's answer to a bad token, RFC 7628 section 3.2.3. */
static int
imap_auth_answer_refusal(struct imap_session *s, const struct sasl *sasl,
    char *words, size_t n, struct err *e)
{
	struct str said = sasl_refusal(s->reader.scratch, s->more);

	said_clean(words, n, said);
	if (imap_command_put(s, &s->login,
		sasl->mech == SASL_OAUTHBEARER ? S("AQ==") : S(""), e) < 0)
		return -1;
	return imap_command_end(s, &s->login, e);
}

/* The exchange with answers in between; sets s->login done at its end. */
static int
imap_auth_converse(struct imap_session *s, const struct sasl *sasl, int step,
    struct err *e)
{
	int last = sasl->mech == SASL_LOGIN ? 2 : 1;
	struct lent l = { s, &s->login, e };
	char words[160] = "";

	for (int i = 0; i < ANSWERS; i++) {
		int more = imap_command_next(s, &s->login, e);

		if (more < 0)
			return -1;
		if (more == 0) {
			if (words[0] != '\0' && s->login.status != IMAP_OK)
				memcpy(s->login.words, words, sizeof(words));
			return 0;
		}
		if (step < last) {
			if (sasl_respond(sasl, step, imap_auth_put_line, &l,
				e) < 0)
				return err_conn(e);
			step++;
		} else if (sasl->mech == SASL_XOAUTH2 ||
		    sasl->mech == SASL_OAUTHBEARER) {
			if (imap_auth_answer_refusal(s, sasl, words,
				sizeof(words), e) < 0)
				return -1;
		} else {
			/* RFC 9051 section 6.2.2: "*" cancels. */
			if (imap_command_say(s, &s->login, S("*\r\n"), e) < 0)
				return -1;
		}
	}
	return imap_read_nonsense(e, "an endless login");
}

/*
 * Cyrus drops what is behind AUTHENTICATE: it clears its input for a SASL
 * layer, even if there is none.  Its greeting need not name it, so only Dovecot
 * is sent more at once, which is known by its greeting or, where that is the
 * operator's own, by a capability that few others have and Cyrus never had.
 */
static bool
imap_auth_flows(const struct imap_session *s)
{
	return s->flows || (s->caps & IMAP_CAP_REFERRALS) != 0;
}

static int
imap_auth_send_authenticate(struct imap_session *s, const struct sasl *sasl,
    struct err *e)
{
	bool at_once = (s->caps & IMAP_CAP_SASL_IR) != 0 &&
	    !s->conn.acct->no_sasl_ir && sasl->mech != SASL_LOGIN;
	struct lent l = { s, &s->login, e };

	if (imap_command_begin(s, &s->login, "AUTHENTICATE ", e) < 0 ||
	    imap_command_say(s, &s->login, str_of(sasl_name(sasl->mech)), e) <
		0)
		return -1;
	if (!at_once) {
		if (imap_command_end(s, &s->login, e) < 0)
			return -1;
		return imap_auth_converse(s, sasl, 0, e);
	}
	if (imap_command_say(s, &s->login, S(" "), e) < 0)
		return -1;
	if (sasl_respond(sasl, 0, imap_auth_put_line, &l, e) < 0)
		return err_conn(e);
	/*
	 * A server first asks back after a refused token, and would read the
	 * next command as the answer.
	 */
	if (sasl->mech != SASL_PLAIN || !imap_auth_flows(s))
		return imap_auth_converse(s, sasl, 1, e);
	return 0;
}

int
imap_auth_send(struct imap_session *s, struct err *e)
{
	struct sasl sasl = imap_auth_sasl_of(s);
	bool login =
	    !s->conn.acct->oauth && (s->caps & IMAP_CAP_LOGINDISABLED) == 0;

	if (!wire_is_tls(s->wire) && !s->vouched) {
		(void)err_set(e, ERR_NETWORK, "the connection is not secure");
		return err_conn(e);
	}
	if (s->conn.acct->secret == NULL) {
		(void)err_set(e, ERR_CONFIG, "the account has no password");
		return err_conn(e);
	}
	if (login && sasl.mech != SASL_PLAIN)
		return imap_auth_send_login(s, e);
	if (sasl.mech == SASL_NONE)
		return imap_auth_no_mechanism(e);
	return imap_auth_send_authenticate(s, &sasl, e);
}

int
imap_auth_wait(struct imap_session *s, struct err *e)
{
	if (imap_command_wait(s, &s->login, e) < 0)
		return -1;
	if (s->login.status == IMAP_OK)
		return 0;
	/* Only the code of a refusal can mean "later". */
	if (s->login.status == IMAP_BAD)
		s->login.status = IMAP_NO;
	(void)imap_command_refused(&s->login, ERR_AUTH,
	    "the server refused the credentials", e);
	/* Retrying with the same password locks accounts. */
	(void)err_conn(e);
	if (e->kind == ERR_AUTH)
		s->refused = *e;
	return -1;
}
