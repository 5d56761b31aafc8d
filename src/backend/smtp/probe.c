/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doctor's tests of a submission server, one step per line.  SMTP has no time,
 * but some servers' greetings do (RFC 5321 section 4.3.1 leaves the text free):
 * if there is one, it is compared.
 */
#include "backend/internal.h"
#include "backend/smtp/internal.h"
#include "base/buf.h"
#include "base/clock.h"
#include "mime/date.h"

#define SKEW_S 120 /* from here on tokens and dates fail */

struct steps {
	struct smtp *s;
	struct backend_steps to;
	struct wire_target target;
};

static bool
smtp_probe_reach(struct steps *t)
{
	struct err why = { 0 };
	int64_t since;
	int r;

	if (!backend_probe_name(&t->to, "smtp.dns", &t->target))
		return false;
	since = clock_mono_ms();
	r = smtp_session_connect(t->s, &why);
	return backend_probe_step(&t->to, "smtp.tcp", since, r,
	    S("the mail server is reachable"), &why);
}

static bool
smtp_probe_secure(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	int r = t->s->conn.acct->smtp_starttls
	    ? smtp_session_starttls(t->s, &why)
	    : wire_starttls(t->s->w, &why);

	return backend_probe_tls(&t->to, "smtp.tls", since, r, t->s->w, &why);
}

bool
smtp_probe_time(struct str greeting, int64_t *unix_s)
{
	static const char days[] = "Mon,Tue,Wed,Thu,Fri,Sat,Sun,";
	int offset;

	for (size_t i = 0; i + 4 < greeting.n; i++)
		for (size_t d = 0; d < sizeof(days) - 1; d += 4)
			if (memcmp(greeting.p + i, days + d, 4) == 0)
				return date_parse(str_from(greeting, i), unix_s,
				    &offset);
	return false;
}

/* A line only if the server gave its time. */
static void
smtp_probe_tell_skew(struct steps *t, int64_t since)
{
	struct smtp_reply *r = &t->s->reply;
	int64_t told, skew;

	if (!smtp_probe_time((struct str){ r->text, r->n }, &told))
		return;
	skew = clock_now() - told;
	if (skew > -SKEW_S && skew < SKEW_S)
		backend_probe_add(t->to.a, t->to.out, "smtp.clock", true, since,
		    str_fmt(t->to.a,
			"the server's clock differs by %lld s from this "
			"machine's",
			(long long)-skew));
	else
		backend_probe_note(t->to.a, t->to.out, "smtp.clock", since,
		    str_fmt(t->to.a, "this machine's clock is %lld s %s",
			(long long)(skew < 0 ? -skew : skew),
			skew < 0 ? "behind the server's"
				 : "ahead of the server's"),
		    "set the clock (timedatectl set-ntp true): dates, tokens "
		    "and certificates need it");
}

static bool
smtp_probe_greet(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	int r = smtp_session_greeting(t->s, &why);

	if (!backend_probe_step(&t->to, "smtp.greeting", since, r,
		S("a mail server answers"), &why))
		return false;
	smtp_probe_tell_skew(t, since);
	return true;
}

static bool
smtp_probe_ehlo(struct steps *t)
{
	const struct smtp_offers *o = &t->s->offers;
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	struct buf b;

	if (smtp_session_ehlo(t->s, &why) < 0)
		return backend_probe_step(&t->to, "smtp.ehlo", since, -1, S(""),
		    &why);
	buf_init(&b, t->to.a, 4096);
	if (o->size && o->size_max > 0)
		buf_fmt(&b, "messages of up to %llu bytes",
		    (unsigned long long)o->size_max);
	else
		buf_text(&b,
		    o->size ? "messages of any size"
			    : "no SIZE: a message that is too large is refused "
			      "late");
	if (!o->eightbit)
		buf_text(&b, "; no 8BITMIME: text is encoded");
	if (!o->utf8)
		buf_text(&b, "; no SMTPUTF8: addresses in ASCII only");
	if (!o->pipelining)
		buf_text(&b, "; no PIPELINING: more round trips");
	if (o->size && o->eightbit && o->utf8 && o->pipelining)
		return backend_probe_step(&t->to, "smtp.ehlo", since, 0,
		    buf_view(&b), &why);
	backend_probe_note(t->to.a, t->to.out, "smtp.ehlo", since, buf_view(&b),
	    NULL);
	return true;
}

static void
smtp_probe_login(struct steps *t)
{
	const struct backend_account *acct = t->s->conn.acct;
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	int r = acct->username.n > 0 ? backend_token(acct, &why) : 0;

	t->s->sasl.secret = acct->secret;
	if (r == 0)
		r = smtp_auth_login(t->s, &why);
	(void)backend_probe_step(&t->to, "smtp.login", since, r,
	    acct->username.n > 0
		? S("the mail server accepted the credentials")
		: S("the account has no user name; no login was tried"),
	    &why);
}

static void
smtp_probe_walk(struct steps *t)
{
	bool later = t->s->conn.acct->smtp_starttls;

	if (!smtp_probe_reach(t))
		return;
	if (later ? !smtp_probe_greet(t) || !smtp_probe_secure(t)
		  : !smtp_probe_secure(t) || !smtp_probe_greet(t))
		return;
	if (smtp_probe_ehlo(t))
		smtp_probe_login(t);
}

void
smtp_probe(struct smtp *s, struct arena *a, struct probes *out)
{
	const struct backend_account *acct = s->conn.acct;
	struct steps t = {
		.s = s,
		.to = { a, out },
		.target = {
			.host = acct->smtp_host,
			.port = acct->smtp_port,
			.security = WIRE_STARTTLS,
			.ca_file = acct->ca_file,
			.pin = acct->tls_pin,
			.deadline_ms = acct->deadline_ms,
		},
	};

	smtp_probe_walk(&t);
	smtp_session_close(s);
}
