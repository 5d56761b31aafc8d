/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends one message to all its recipients or to none.  Nothing is final before
 * the dot: up to it every failure means that nothing was sent, from it on
 * silence means that the result is unknown.
 */
#include "backend/smtp/internal.h"

#define PATH_MAX_BYTES 254 /* RFC 5321 section 4.5.3.1.3, less "<" and ">" */
/*
 * Recipients per batch.  Their answers wait in the server's send buffer while
 * we write, so the number must be limited.
 */
#define BATCH 50

bool
smtp_submit_is_path(struct str addr)
{
	if (addr.n < 3 || addr.n > PATH_MAX_BYTES || addr.p[0] == '@' ||
	    addr.p[addr.n - 1] == '@' || !str_has_char(addr, '@'))
		return false;
	for (size_t i = 0; i < addr.n; i++) {
		unsigned char c = (unsigned char)addr.p[i];

		if (c <= ' ' || c == 0x7f || c == '<' || c == '>')
			return false;
	}
	return true;
}

static bool
smtp_submit_is_eightbit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return true;
	return false;
}

/* Before a connection is made: checks for messages that can never be sent. */
static int
smtp_submit_check(struct submission *sub, struct smtp_needs *needs,
    struct err *e)
{
	if (sub->n == 0)
		return err_set(e, ERR_USAGE, "the message has no recipient");
	if (sub->n > LIMIT_RECIPIENTS)
		return err_set(e, ERR_LIMIT, "more than %d recipients",
		    LIMIT_RECIPIENTS);
	if (!smtp_submit_is_path(sub->from))
		return err_set(e, ERR_USAGE,
		    "the sender's address cannot be sent");
	for (size_t i = 0; i < sub->n; i++) {
		sub->to[i].code = 0;
		sub->to[i].status = S("not sent");
		if (!smtp_submit_is_path(sub->to[i].addr))
			return err_set(e, ERR_USAGE,
			    "a recipient's address cannot be sent");
		if (smtp_submit_is_eightbit(sub->to[i].addr))
			sub->smtputf8 = true;
	}
	if (smtp_submit_is_eightbit(sub->from))
		sub->smtputf8 = true;
	return smtp_data_check(sub->message, needs, e);
}

/* Does this server accept this message? */
static int
smtp_submit_fits(const struct smtp_offers *o, const struct submission *sub,
    const struct smtp_needs *needs, struct err *e)
{
	/* RFC 6531 section 3.1: SMTPUTF8 requires 8BITMIME. */
	if (sub->smtputf8 && (!o->utf8 || !o->eightbit))
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server does not accept international addresses");
	if (needs->eightbit && !o->eightbit) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "the mail server does not accept 8-bit messages");
		/* All other messages are composed of 7 bits. */
		return err_hint(e,
		    "if it passes on a whole message: forward that inline, "
		    "without as_attachment");
	}
	if (o->size_max > 0 && needs->size > o->size_max)
		return err_set(e, ERR_LIMIT,
		    "the message is larger than the %llu bytes that the mail "
		    "server accepts",
		    (unsigned long long)o->size_max);
	return 0;
}

static int
smtp_submit_put_mail(struct smtp *s, const struct submission *sub,
    const struct smtp_needs *needs, struct err *e)
{
	if (smtp_ask_in_step(s, e) < 0 ||
	    wire_say_fmt(s->w, e, "MAIL FROM:<%.*s>", STR_ARG(sub->from)) < 0)
		return -1;
	if (s->offers.size &&
	    wire_say_fmt(s->w, e, " SIZE=%llu",
		(unsigned long long)needs->size) < 0)
		return -1;
	if (needs->eightbit && wire_say(s->w, S(" BODY=8BITMIME"), e) < 0)
		return -1;
	if (sub->smtputf8 && wire_say(s->w, S(" SMTPUTF8"), e) < 0)
		return -1;
	return wire_say(s->w, S("\r\n"), e);
}

/*
 * RFC 5321 section 4.2.1: 4yz is temporary, and the same command may be
 * repeated; 421 can come at any step (section 3.8) and means that the server
 * closes.  5yz is final.
 */
static bool
is_passing(int code)
{
	return code >= 400 && code < 500;
}

/* A refusal that affects the whole message. */
static int
smtp_submit_rejected(struct smtp *s, struct arena *a, const char *what,
    struct err *e)
{
	struct str words;

	if (s->reply.code < 400)
		return smtp_ask_odd(s, e);
	words = smtp_reply_words(a, &s->reply);
	if (is_passing(s->reply.code))
		(void)err_set(e, ERR_NETWORK,
		    "the mail server does not accept %s now; nothing was sent: "
		    "%d %.*s",
		    what, s->reply.code, STR_ARG(words));
	else
		(void)err_set(e, ERR_REJECTED,
		    "the mail server refused %s: %d %.*s", what, s->reply.code,
		    STR_ARG(words));
	return err_because(e, "smtp: %d %.*s", s->reply.code, STR_ARG(words));
}

static int
read_mail(struct smtp *s, struct arena *a, struct err *e)
{
	if (smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return -1;
	return s->reply.code == 250
	    ? 0
	    : smtp_submit_rejected(s, a, "the sender", e);
}

/* Records one recipient's result; *refused counts. */
static int
smtp_submit_read_rcpt(struct smtp *s, struct arena *a, struct recipient *to,
    size_t *refused, struct err *e)
{
	if (smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return -1;
	if (s->reply.code >= 300 && s->reply.code < 400)
		return smtp_ask_odd(s, e);
	to->code = s->reply.code;
	if (s->reply.code >= 400) {
		(*refused)++;
		to->status = smtp_reply_words(a, &s->reply);
	}
	return 0;
}

/* RFC 3463 section 3.6: X.5.3, too many recipients; waiting does not help. */
static bool
is_too_many(const struct recipient *to)
{
	return is_passing(to->code) && str_starts(to->status, S("4.5.3"));
}

/*
 * One permanent refusal makes the whole permanent; if all are temporary, so is
 * the whole.
 */
static int
smtp_submit_some_refused(const struct submission *sub, size_t refused,
    struct err *e)
{
	size_t passing = 0, many = 0;

	for (size_t i = 0; i < sub->n; i++) {
		passing += is_passing(sub->to[i].code);
		many += is_too_many(&sub->to[i]);
	}
	if (passing < refused)
		(void)err_set(e, ERR_REJECTED,
		    "the server refused %zu of %zu recipients; nothing was "
		    "sent",
		    refused, sub->n);
	else if (many > 0)
		(void)err_set(e, ERR_LIMIT,
		    "the mail server accepts %zu recipients at once, not %zu; "
		    "nothing was sent",
		    sub->n - refused, sub->n);
	else
		(void)err_set(e, ERR_NETWORK,
		    "the server does not accept %zu of %zu recipients now; "
		    "nothing was sent",
		    refused, sub->n);
	for (size_t i = 0; i < sub->n; i++)
		if (sub->to[i].code >= 400)
			(void)err_because(e, "smtp: %d %.*s", sub->to[i].code,
			    STR_ARG(sub->to[i].status));
	return -1;
}

/* Sends recipients i to end; first reads MAIL's answer if it is due. */
static int
smtp_submit_batch(struct smtp *s, struct arena *a, struct submission *sub,
    size_t i, size_t end, bool mail_due, size_t *refused, struct err *e)
{
	if (!mail_due && smtp_ask_in_step(s, e) < 0)
		return -1;
	for (size_t k = i; k < end; k++)
		if (wire_say_fmt(s->w, e, "RCPT TO:<%.*s>\r\n",
			STR_ARG(sub->to[k].addr)) < 0)
			return -1;
	if (mail_due && read_mail(s, a, e) < 0)
		return -1;
	for (size_t k = i; k < end; k++)
		if (smtp_submit_read_rcpt(s, a, &sub->to[k], refused, e) < 0)
			return -1;
	return 0;
}

/*
 * MAIL and all RCPTs.  DATA is not pipelined after them although RFC 2920
 * allows it: after its 354 a refusal cannot be handled.
 */
static int
smtp_submit_envelope(struct smtp *s, struct arena *a, struct submission *sub,
    const struct smtp_needs *needs, struct err *e)
{
	bool pipelining = s->offers.pipelining;
	size_t step = pipelining ? BATCH : 1, refused = 0, end;
	int r;

	r = smtp_submit_put_mail(s, sub, needs, e);
	if (r == 0 && !pipelining)
		r = read_mail(s, a, e);
	for (size_t i = 0; r == 0 && i < sub->n; i = end) {
		end = sub->n - i > step ? i + step : sub->n;
		r = smtp_submit_batch(s, a, sub, i, end, pipelining && i == 0,
		    &refused, e);
	}
	/* Also if the connection is gone: 421 is a refusal and ends it. */
	return refused > 0 ? smtp_submit_some_refused(sub, refused, e) : r;
}

/* All recipients have the same result. */
static void
smtp_submit_mark(struct submission *sub, int code, struct str status)
{
	for (size_t i = 0; i < sub->n; i++) {
		sub->to[i].code = code;
		sub->to[i].status = status;
	}
}

static int
smtp_submit_unknown(struct submission *sub, struct err *e)
{
	struct err was = *e;

	smtp_submit_mark(sub, 0, S("unknown"));
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the message was sent to the server but no answer came; it may "
	    "have been delivered");
	(void)err_because(e, "%s", was.say);
	if (was.detail[0] != '\0')
		(void)err_because(e, "%s", was.detail);
	return err_conn(e);
}

static int
smtp_submit_message_rejected(struct smtp *s, struct arena *a,
    struct submission *sub, struct err *e)
{
	if (s->reply.code >= 400)
		smtp_submit_mark(sub, s->reply.code,
		    smtp_reply_words(a, &s->reply));
	return smtp_submit_rejected(s, a, "the message", e);
}

static int
smtp_submit_data(struct smtp *s, struct arena *a, struct submission *sub,
    struct err *e)
{
	/* After 354 to DATA the message must be completed. */
	if (backend_submit_look(sub, e) < 0) {
		smtp_submit_mark(sub, 0, S("not sent"));
		return -1;
	}
	if (smtp_ask(s, S("DATA"), e) < 0)
		return -1;
	if (s->reply.code != 354)
		return smtp_submit_message_rejected(s, a, sub, e);
	/*
	 * Everything is sent before the dot is put: no buffer flushes it early.
	 */
	if (smtp_data_put(s->w, sub->message, e) < 0 || wire_flush(s->w, e) < 0)
		return -1;
	/* A reply before the dot is not an acceptance; it may be a refusal. */
	if (smtp_ask_in_step(s, e) < 0)
		return s->reply.code >= 400
		    ? smtp_submit_message_rejected(s, a, sub, e)
		    : -1;
	if (wire_say(s->w, S(".\r\n"), e) < 0 ||
	    smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return smtp_submit_unknown(sub, e);
	if (s->reply.code >= 400)
		return smtp_submit_message_rejected(s, a, sub, e);
	if (s->reply.code >= 300) {
		(void)smtp_ask_odd(s, e);
		return smtp_submit_unknown(sub, e);
	}
	smtp_submit_mark(sub, 250, S("accepted"));
	return 0;
}

int
smtp_submit(struct conn *c, struct arena *a, struct submission *sub,
    struct err *e)
{
	struct smtp *s = (struct smtp *)c;
	struct smtp_needs needs = { 0 };
	bool sent;

	*e = (struct err){ 0 };
	if (smtp_submit_check(sub, &needs, e) < 0)
		return -1;
	wire_close(&s->w);
	sent = smtp_session_open(s, e) == 0 &&
	    smtp_submit_fits(&s->offers, sub, &needs, e) == 0 &&
	    smtp_submit_envelope(s, a, sub, &needs, e) == 0 &&
	    smtp_submit_data(s, a, sub, e) == 0;
	smtp_session_close(s);
	return sent ? 0 : -1;
}
