/* SPDX-License-Identifier: Apache-2.0 */
/* Answers, what is assumed without them, and which page follows which. */
#include "desk/flow.h"
#include "gate/setting.h"

void
flow_done(struct flow *f)
{
	secret_close(&f->admin);
	secret_close(&f->agent);
	secret_close(&f->password);
}

enum flow_key
flow_of(enum setting_id setting)
{
	return (enum flow_key)(FLOW_BACKEND + (setting - SETTING_OF_BACKEND));
}

enum flow_key
flow_next(const struct flow *f, enum flow_page at, enum flow_key k)
{
	int after = k == FLOW_STEPS ? -1 : f->step[k].place;
	enum flow_key next = FLOW_STEPS;

	for (int i = 0; i < FLOW_STEPS; i++)
		if (f->step[i].page == at && f->step[i].place > after &&
		    (next == FLOW_STEPS ||
			f->step[i].place < f->step[next].place))
			next = (enum flow_key)i;
	return next;
}

struct str
flow_port_kind(const struct flow *f, enum flow_key port)
{
	uint32_t n = 0;

	if (!f->set[port] || !str_to_u32(f->value[port], UINT16_MAX, &n))
		return S("");
	return setting_port_kind((uint16_t)n);
}

/*
 * A port goes with its kind of TLS; for another there is a default.  So does
 * the kind with a port that tells it.
 */
static bool
flow_hint_holds(const struct flow *f, enum flow_key k)
{
	/* Host, port and security follow each other in the list. */
	if (k == FLOW_IMAP_PORT || k == FLOW_SMTP_PORT) {
		enum flow_key how = (enum flow_key)(k + 1);

		return !f->set[how] || str_eq(f->value[how], f->hint[how]);
	}
	if (k == FLOW_IMAP_SECURITY || k == FLOW_SMTP_SECURITY)
		return flow_port_kind(f, (enum flow_key)(k - 1)).n == 0;
	return true;
}

static struct str
flow_assumed(const struct flow *f, enum flow_key k)
{
	if (f->hint[k].n > 0 && flow_hint_holds(f, k))
		return f->hint[k];
	if (f->step[k].word != NULL)
		return str_of(f->step[k].word);
	return f->step[k].def != NULL ? f->step[k].def(f, k) : S("");
}

struct str
flow_get(const struct flow *f, enum flow_key k)
{
	return f->set[k] ? f->value[k] : flow_assumed(f, k);
}

bool
flow_needed(const struct flow *f, enum flow_key k)
{
	const struct flow_step *s = &f->step[k];

	return s->need == FLOW_MUST || (s->need == FLOW_MUST_FIRST && !f->edit);
}

static int
flow_check_choice(const struct flow_step *s, struct str v, struct err *e)
{
	struct str rest = str_of(s->choices), one;
	bool more = true;

	while (more) {
		more = str_cut(rest, '|', &one, &rest);
		if (str_eq(one, v))
			return 0;
	}
	return err_set(e, ERR_USAGE, "%s is one of %s", s->title, s->choices);
}

static int
flow_check(const struct flow *f, enum flow_key k, struct str v, struct err *e)
{
	const struct flow_step *s = &f->step[k];

	for (size_t i = 0; i < v.n; i++)
		if ((unsigned char)v.p[i] < ' ' || v.p[i] == 0x7f)
			return err_set(e, ERR_USAGE,
			    "%s holds a control character", s->title);
	if (v.n == 0 && flow_needed(f, k))
		return err_set(e, ERR_USAGE, "%s is missing", s->title);
	if (s->choices != NULL && flow_check_choice(s, v, e) < 0)
		return -1;
	if (v.n > 0 && s->check != NULL)
		return s->check(f, v, e);
	return 0;
}

int
flow_put(struct flow *f, enum flow_key k, struct str v, struct err *e)
{
	v = str_trim(v);
	if (flow_check(f, k, v, e) < 0)
		return -1;
	/* So that what follows from another answer goes on following it. */
	f->set[k] = false;
	if (!str_eq(v, flow_assumed(f, k))) {
		f->value[k] = str_dup(f->a, v);
		f->set[k] = true;
	}
	return 0;
}

int
flow_give(struct flow *f, enum flow_key k, struct str v, struct err *e)
{
	if (flow_put(f, k, v, e) < 0)
		return -1;
	f->value[k] = flow_get(f, k);
	f->set[k] = f->given[k] = true;
	return 0;
}

void
flow_hint(struct flow *f, enum flow_key k, struct str v)
{
	struct err none = { 0 };

	if (v.n > 0 && flow_check(f, k, v, &none) == 0)
		f->hint[k] = str_dup(f->a, v);
}

void
flow_hint_none(struct flow *f)
{
	for (int k = 0; k < FLOW_STEPS; k++)
		f->hint[k] = S("");
	f->found = S("");
	f->seek = false;
}

void
flow_put_password(struct flow *f, struct secret *s)
{
	secret_close(&f->password);
	f->password = s;
}

struct strs
flow_list(const struct flow *f, enum flow_key k)
{
	struct str v = flow_get(f, k);
	struct strs out = { 0 };
	size_t from = 0;

	for (size_t i = 0; i <= v.n; i++) {
		if (i < v.n && v.p[i] != ' ' && v.p[i] != ',')
			continue;
		if (i > from)
			str_push(f->a, &out,
			    (struct str){ v.p + from, i - from });
		from = i + 1;
	}
	return out;
}

bool
flow_asked(const struct flow *f, enum flow_key k)
{
	return f->step[k].asked == NULL || f->step[k].asked(f);
}

bool
flow_has(const struct flow *f, enum flow_key k)
{
	return f->step[k].kind == FLOW_PASSWORD_KIND ? f->password != NULL
						     : flow_get(f, k).n > 0;
}

bool
flow_missing(const struct flow *f, enum flow_key k)
{
	return flow_needed(f, k) && flow_asked(f, k) && !flow_has(f, k);
}

bool
flow_changed(const struct flow *f, enum flow_key k)
{
	bool was = f->hint[k].n > 0;

	if (f->step[k].kind == FLOW_PASSWORD_KIND)
		return f->password != NULL && flow_asked(f, k);
	/* What is no longer asked for goes; a mere assumption is no change. */
	if (!flow_asked(f, k))
		return was;
	return (f->set[k] || was) && !str_eq(flow_get(f, k), f->hint[k]);
}

bool
flow_remote(const struct flow *f)
{
	return str_eq(flow_get(f, FLOW_BACKEND), S("imap"));
}

/* Does a listed sender count by the From line alone, and nobody chose so? */
static bool
flow_trusts(const struct flow *f)
{
	if (f->set[FLOW_AUTHSERV_ID] || f->set[FLOW_WHITELIST_AUTH])
		return false;
	/* Of an account that is there only a list in force is looked after. */
	return !f->edit ||
	    (str_eq(flow_get(f, FLOW_WHITELIST_IN), S("on")) &&
		str_eq(flow_get(f, FLOW_WHITELIST_AUTH), S("none")));
}

bool
flow_works(enum flow_page at)
{
	return at == FLOW_PAGE_FIND || at == FLOW_PAGE_TEST ||
	    at == FLOW_PAGE_LOOK;
}

bool
flow_consents(const struct flow *f)
{
	return flow_remote(f) && str_eq(flow_get(f, FLOW_AUTH), S("oauth2"));
}

/* "imap.example:993", as people write it. */
static int
flow_cut_port(struct flow *f, enum flow_key host, enum flow_key port,
    struct err *e)
{
	struct str name, number;

	if (!str_cut(flow_get(f, host), ':', &name, &number) ||
	    str_has_char(number, ':'))
		return 0;
	if (flow_put(f, port, number, e) < 0)
		return -1;
	return flow_put(f, host, name, e);
}

int
flow_settle(struct flow *f, enum flow_page at, struct err *e)
{
	if (at == FLOW_PAGE_SERVERS) {
		if (flow_cut_port(f, FLOW_IMAP_HOST, FLOW_IMAP_PORT, e) < 0 ||
		    flow_cut_port(f, FLOW_SMTP_HOST, FLOW_SMTP_PORT, e) < 0)
			return -1;
	}
	for (enum flow_key k = flow_next(f, at, FLOW_STEPS); k != FLOW_STEPS;
	     k = flow_next(f, at, k))
		if (flow_missing(f, k))
			return err_set(e, ERR_USAGE, "%s is missing",
			    f->step[k].title);
	return 0;
}

/* Is there anything to do on it? */
static bool
flow_visited(const struct flow *f, enum flow_page at)
{
	if (at == FLOW_PAGE_FAILED)
		return false;
	if (at == FLOW_PAGE_FIND)
		return f->seek && flow_remote(f) &&
		    flow_get(f, FLOW_IMAP_HOST).n == 0;
	/* What is signed in to later cannot be tried now. */
	if (at == FLOW_PAGE_TEST)
		return !f->no_test && !flow_consents(f);
	if (at == FLOW_PAGE_LOOK)
		return f->look && flow_trusts(f) &&
		    (f->edit || !flow_consents(f));
	for (enum flow_key k = flow_next(f, at, FLOW_STEPS); k != FLOW_STEPS;
	     k = flow_next(f, at, k))
		if (flow_asked(f, k))
			return true;
	return false;
}

enum flow_page
flow_first(const struct flow *f)
{
	return flow_visited(f, FLOW_PAGE_BEGIN)
	    ? FLOW_PAGE_BEGIN
	    : flow_after(f, FLOW_PAGE_BEGIN);
}

enum flow_page
flow_after(const struct flow *f, enum flow_page at)
{
	int p = (int)at + 1;

	if (f->enough)
		return FLOW_PAGE_END;
	while (p < FLOW_PAGE_END && !flow_visited(f, (enum flow_page)p))
		p++;
	return (enum flow_page)p;
}

enum flow_page
flow_before(const struct flow *f, enum flow_page at)
{
	int p = (int)at - 1;

	/* Work that is done is no place to go back to. */
	while (p > FLOW_PAGE_BEGIN &&
	    (flow_works((enum flow_page)p) ||
		!flow_visited(f, (enum flow_page)p)))
		p--;
	return p < 0 || !flow_visited(f, (enum flow_page)p) ? at
							    : (enum flow_page)p;
}

enum flow_page
flow_blame(struct flow *f)
{
	const struct probe *bad = NULL;

	for (size_t i = 0; i < f->probes.n && bad == NULL; i++)
		if (!f->probes.v[i].ok)
			bad = &f->probes.v[i];
	f->why = (struct err){ 0 };
	if (bad == NULL) {
		(void)err_set(&f->why, ERR_NETWORK, "the test broke off");
		return FLOW_PAGE_FAILED;
	}
	(void)err_set(&f->why, ERR_NETWORK, "%.*s: %.*s", STR_ARG(bad->what),
	    STR_ARG(bad->say));
	return str_ends(bad->what, S(".login")) ? FLOW_PAGE_LOGIN
						: FLOW_PAGE_FAILED;
}

struct str
flow_probe(struct arena *a, const struct probe *p)
{
	return str_fmt(a, "%-16.*s %-4s %.*s", STR_ARG(p->what),
	    p->ok ? "ok" : "BAD", STR_ARG(p->say));
}
