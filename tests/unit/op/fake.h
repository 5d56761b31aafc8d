#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

/*
 * A backend made of an array, in place of backend/backend.c: the gate above it
 * is the real one.  It ignores hints and can be told to lie.
 */
#include "backend/backend.h"

struct fake_mail {
	uint32_t uid;
	const char *head; /* without the empty line */
	const char *body;
	const char *other_head; /* what body() says instead, or NULL */
};

struct fake {
	struct fake_mail mail[2000]; /* ascending uids */
	size_t n;
	uint32_t uidvalidity, uidnext;
	bool lie_same_row; /* find() gives the newest row again and again */
	struct str raw;    /* what every message is, in place of the above */
	size_t bodies;     /* how often body() was called */
	size_t submitted;  /* how often submit() was called */
	size_t recipients;
	struct strs sent_to;
};

static struct fake fake;
static const struct backend fake_backend;

static int
fake_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	(void)e;
	*out = arena_new(a, struct conn);
	(*out)->be = &fake_backend;
	(*out)->acct = acct;
	return 0;
}

static void
fake_close(struct conn *c)
{
	(void)c;
}

static int
fake_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	(void)c, (void)a, (void)e;
	*out = (struct folders){ 0 };
	return 0;
}

static void
state(struct folder_state *st)
{
	*st = (struct folder_state){ .uidvalidity = fake.uidvalidity,
		.uidnext = fake.uidnext,
		.exists = (uint32_t)fake.n };
}

static struct row
row(const struct fake_mail *m)
{
	return (struct row){ .ref = { .uid = m->uid },
		.head = fake.raw.n > 0 ? fake.raw : str_of(m->head) };
}

static int
fake_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	(void)c, (void)e;
	state(st);
	out->v = arena_array(a, limit, sizeof(*out->v));
	out->n = 0;
	for (size_t i = fake.n; i-- > 0 && out->n < limit;) {
		const struct fake_mail *m = &fake.mail[i];

		if (fake.lie_same_row)
			m = &fake.mail[fake.n - 1];
		else if (m->uid < q->uid_min ||
		    (q->uid_max != 0 && m->uid > q->uid_max))
			continue;
		if (q->subject.n > 0 &&
		    str_find_case(str_of(m->head), q->subject) < 0)
			continue;
		out->v[out->n++] = row(m);
	}
	return 0;
}

static const struct fake_mail *
by_uid(uint32_t uid)
{
	for (size_t i = 0; i < fake.n; i++)
		if (fake.mail[i].uid == uid)
			return &fake.mail[i];
	return NULL;
}

static int
fake_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	(void)c, (void)folder, (void)e;
	state(st);
	out->v = arena_array(a, refs->n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < refs->n; i++)
		if (by_uid(refs->v[i].uid) != NULL)
			out->v[out->n++] = row(by_uid(refs->v[i].uid));
	return 0;
}

static int
fake_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	const struct fake_mail *m = by_uid(ref->uid);

	(void)c, (void)folder, (void)max;
	fake.bodies++;
	if (m == NULL)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	if (fake.raw.n > 0) {
		*out = fake.raw;
		return 0;
	}
	*out = str_fmt(a, "%s\r\n%s",
	    m->other_head != NULL ? m->other_head : m->head, m->body);
	return 0;
}

static int
fake_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	(void)c, (void)a, (void)e;
	fake.submitted++;
	fake.recipients = s->n;
	for (size_t i = 0; i < s->n; i++)
		s->to[i].status = S("accepted");
	return 0;
}

static int
fake_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	(void)acct, (void)a, (void)out, (void)e;
	return 0;
}

static const struct backend fake_backend = {
	.name = "fake",
	.caps = CAP_READ | CAP_UIDS | CAP_SUBMIT,
	.open = fake_open,
	.close = fake_close,
	.folders = fake_folders,
	.find = fake_find,
	.headers = fake_headers,
	.body = fake_body,
	.submit = fake_submit,
	.probe = fake_probe,
};

/* All of backend/backend.c, so that the archive's one stays out. */
const struct backend *
backend_find(struct str name)
{
	(void)name;
	return &fake_backend;
}

const struct backend *
backend_at(size_t i)
{
	return i == 0 ? &fake_backend : NULL;
}

const struct backend *
backend_submitter(const struct backend *be, const struct backend_account *acct)
{
	(void)acct;
	return be;
}

bool
backend_check(const struct backend *be)
{
	return be != NULL;
}

const char *
backend_role_name(enum folder_role role)
{
	(void)role;
	return "";
}

void
backend_probe_add(struct arena *a, struct probes *p, const char *what, bool ok,
    int64_t since_ms, struct str say)
{
	(void)a, (void)p, (void)what, (void)ok, (void)since_ms, (void)say;
}

#endif
