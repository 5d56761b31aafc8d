/*
 * The backend that submits and does nothing else.  A connection serves one
 * message: it is opened by submit() and closed with it.
 */
#include "backend/internal.h"
#include "backend/smtp/internal.h"
#include "base/clock.h"

static struct smtp *
make(const struct backend_account *acct, struct arena *a)
{
	struct smtp *s = arena_new(a, struct smtp);

	s->conn = (struct conn){ &smtp_backend, acct };
	return s;
}

static int
no_server(struct err *e)
{
	return err_set(e, ERR_CONFIG, "the account has no SMTP server");
}

static int
smtp_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	if (acct->smtp_host.n == 0)
		return no_server(e);
	*out = &make(acct, a)->conn;
	return 0;
}

static void
smtp_close(struct conn *c)
{
	struct smtp *s = (struct smtp *)c;

	if (s != NULL)
		wire_close(&s->w);
}

/* One line of doctor; the failure's own words when it is one. */
static bool
note(struct arena *a, struct probes *out, const char *what, int64_t since,
    int result, struct str good, const struct err *e)
{
	backend_probe_add(a, out, what, result == 0, since,
	    result == 0 ? good : str_of(e->say));
	return result == 0;
}

static struct str
peer_text(const struct smtp *s, struct arena *a)
{
	struct wire_peer p;
	struct str until;

	wire_peer(s->w, &p);
	until = clock_rfc3339(a, p.not_after);
	return str_fmt(a, "%s, certificate good until %.*s, pin %s", p.version,
	    STR_ARG(str_first(until, 10)), p.pin);
}

static struct str
offers_text(const struct smtp *s, struct arena *a)
{
	const struct smtp_offers *o = &s->offers;

	return str_fmt(a,
	    "the mail server answers; pipelining %s, 8-bit %s, international "
	    "addresses %s",
	    o->pipelining ? "yes" : "no", o->eightbit ? "yes" : "no",
	    o->utf8 ? "yes" : "no");
}

/* The steps behind the connection, as far as they go. */
static void
probe_session(struct smtp *s, struct arena *a, struct probes *out,
    struct err *e)
{
	int64_t t = clock_mono_ms();
	int r = smtp_session_tls(s, e);

	if (!note(a, out, "smtp.tls", t, r, r == 0 ? peer_text(s, a) : S(""),
		e))
		return;
	t = clock_mono_ms();
	r = smtp_session_ehlo(s, e);
	if (!note(a, out, "smtp.ehlo", t, r, offers_text(s, a), e))
		return;
	t = clock_mono_ms();
	r = smtp_auth_login(s, e);
	(void)note(a, out, "smtp.login", t, r,
	    s->conn.acct->username.n > 0
		? S("the mail server accepted the credentials")
		: S("the account has no user name; no login was tried"),
	    e);
}

static int
smtp_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t t = clock_mono_ms();
	struct err why = { 0 };
	struct smtp *s;
	int r;

	if (acct->smtp_host.n == 0)
		return no_server(e);
	s = make(acct, a);
	r = smtp_session_connect(s, &why);
	if (r < 0 && why.reason != NULL && strcmp(why.reason, "dns") == 0) {
		(void)note(a, out, "smtp.dns", t, r, S(""), &why);
		return 0;
	}
	if (r < 0 && why.kind == ERR_CONFIG) {
		/* No name was looked up at all. */
		*e = why;
		return -1;
	}
	(void)note(a, out, "smtp.dns", t, 0, S("the host name is known"), &why);
	if (note(a, out, "smtp.tcp", t, r, S("the mail server is there"), &why))
		probe_session(s, a, out, &why);
	smtp_session_close(s);
	return 0;
}

const struct backend smtp_backend = {
	.name = "smtp",
	.caps = CAP_SUBMIT,
	.open = smtp_open,
	.close = smtp_close,
	.submit = smtp_submit,
	.probe = smtp_probe,
};
