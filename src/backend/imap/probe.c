/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Doctor's tests of an account, one step per line: name, stream, TLS, greeting,
 * login, capabilities, folders.
 */
#include "backend/imap/internal.h"
#include "backend/internal.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"

struct steps {
	struct imap_session *s;
	struct backend_steps to;
	struct wire *w;
	struct wire_target target;
	bool starttls;
};

/* The name and the stream, without TLS. */
static bool
imap_probe_reach(struct steps *t)
{
	struct err why = { 0 };
	int64_t since;
	int r;

	if (!backend_probe_name(&t->to, "imap.dns", &t->target))
		return false;
	since = clock_mono_ms();
	r = wire_open(&t->target, &t->w, &why);
	return backend_probe_step(&t->to, "imap.tcp", since, r,
	    S("the server is reachable"), &why);
}

/* Includes the days left of the certificate: a note if they are few. */
static bool
imap_probe_secure(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	int r = t->starttls ? imap_session_secure(t->s, &why)
			    : wire_starttls(t->w, &why);

	return backend_probe_tls(&t->to, "imap.tls", since, r,
	    t->starttls ? t->s->wire : t->w, &why);
}

static bool
imap_probe_greet(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct err why = { 0 };
	int r = imap_session_greet(t->s, &why);

	/* With TLS on, capabilities are requested in the same step. */
	if (r == 0 && !t->starttls)
		r = imap_session_connect(t->s, &why);
	return backend_probe_step(&t->to, "imap.greeting", since, r,
	    S("an IMAP server answers"), &why);
}

/* Missing extensions and their effect. */
static void
imap_probe_tell_caps(struct steps *t)
{
	static const struct {
		unsigned cap;
		const char *name, *loss;
	} wanted[] = {
		{ IMAP_CAP_ESEARCH, "ESEARCH", "long searches cost more" },
		{ IMAP_CAP_SPECIAL_USE, "SPECIAL-USE",
		    "the purpose of folders is not known" },
		{ IMAP_CAP_UIDPLUS, "UIDPLUS",
		    "a message added to a folder cannot be found again" },
		{ IMAP_CAP_LITERAL_PLUS | IMAP_CAP_LITERAL_MINUS, "LITERAL+",
		    "some commands need another round trip" },
	};
	int64_t since = clock_mono_ms();
	struct buf b;

	buf_init(&b, t->to.a, 4096);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if ((t->s->caps & wanted[i].cap) == 0)
			buf_fmt(&b, "%sno %s: %s", b.n > 0 ? "; " : "",
			    wanted[i].name, wanted[i].loss);
	if (b.n > 0)
		backend_probe_note(t->to.a, t->to.out, "imap.capabilities",
		    since, buf_view(&b), NULL);
	else
		backend_probe_add(t->to.a, t->to.out, "imap.capabilities", true,
		    since, S("the server has every extension that emcli uses"));
	backend_probe_add(t->to.a, t->to.out, "imap.offers", true, since,
	    imap_session_said_caps(t->s, t->to.a));
}

/* How full it is, where the server tells: a full account takes no mail. */
static bool
imap_probe_tell_quota(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct imap_quota q = { 0 };
	struct err why = { 0 };

	if ((t->s->caps & IMAP_CAP_QUOTA) == 0)
		return true;
	if (imap_quota(t->s, &q, &why) < 0)
		return backend_probe_step(&t->to, "imap.quota", since, -1,
		    S(""), &why);
	if (imap_quota_is_near(&q))
		backend_probe_note(t->to.a, t->to.out, "imap.quota", since,
		    imap_quota_say(&q, t->to.a),
		    "make room, or ask for more: a full account refuses mail");
	else
		backend_probe_add(t->to.a, t->to.out, "imap.quota", true, since,
		    imap_quota_say(&q, t->to.a));
	return true;
}

static void
imap_probe_list(struct steps *t)
{
	int64_t since = clock_mono_ms();
	struct folders found = { 0 };
	struct err why = { 0 };
	struct buf b;

	if (imap_list(t->s, t->to.a, &found, &why) < 0) {
		(void)backend_probe_step(&t->to, "imap.folders", since, -1,
		    S(""), &why);
		return;
	}
	buf_init(&b, t->to.a, 4096);
	buf_fmt(&b, "%zu folders", found.n);
	for (size_t i = 0; i < found.n; i++)
		if (found.v[i].role != FOLDER_PLAIN && !b.over)
			buf_fmt(&b, ", %s: %.*s",
			    backend_role_name(found.v[i].role),
			    STR_ARG(utf8_first(found.v[i].name, 60)));
	backend_probe_add(t->to.a, t->to.out, "imap.folders", true, since,
	    buf_view(&b));
}

static void
imap_probe_walk(struct steps *t)
{
	struct err why = { 0 };
	int64_t since;
	int r;

	if (!imap_probe_reach(t) || (!t->starttls && !imap_probe_secure(t)))
		return;
	/* The session now owns the wire. */
	imap_session_attach(t->s, t->w);
	t->w = NULL;
	if (!imap_probe_greet(t) || (t->starttls && !imap_probe_secure(t)))
		return;
	since = clock_mono_ms();
	r = imap_session_caps(t->s, &why);
	if (!backend_probe_step(&t->to, "imap.login", since, r,
		S("the server accepted the credentials"), &why))
		return;
	imap_probe_tell_caps(t);
	if (imap_probe_tell_quota(t))
		imap_probe_list(t);
}

int
imap_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	struct steps t = {
		.s = imap_session_new(acct, a),
		.to = { a, out },
		.starttls = acct->imap_starttls,
		.target = {
			.host = acct->imap_host,
			.port = acct->imap_port,
			/* TLS is a separate step here. */
			.security = WIRE_STARTTLS,
			.ca_file = acct->ca_file,
			.pin = acct->tls_pin,
			.deadline_ms = acct->deadline_ms,
		},
	};

	(void)e;
	imap_probe_walk(&t);
	wire_close(&t.w);
	imap_session_drop(t.s);
	return 0;
}
