/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_BACKEND_WIRED_FAKE_H
#define UNIT_BACKEND_WIRED_FAKE_H

/*
 * A backend with every method: each of them fails if what it was asked is not
 * what the tests ask.
 */
#include <poll.h>
#include <string.h>

#include "backend/wired/internal.h"

#define FAKE_LINKS 3000
#define FAKE_LONG (3U << 20)

static struct {
	enum err_kind fault; /* what every method fails with */
	bool progress;
	bool waits;      /* a wait does not end by itself */
	bool signs;      /* `find` and `submit` ask for what a key makes */
	int code;        /* of a recipient */
	const char *bad; /* a line of a test that fails, or NULL */
} fake = { .code = 250 };

static struct conn fake_conn;

static int
fake_say(bool good, struct err *e)
{
	if (fake.fault != ERR_NONE)
		return err_set(e, fake.fault, "the store is out of order");
	return good ? 0 : err_set(e, ERR_INTERNAL, "it was asked otherwise");
}

static bool
fake_is(struct str s, const char *want)
{
	return str_eq(s, str_of(want));
}

static int
fake_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	(void)a;
	fake_conn = (struct conn){ .acct = acct };
	*out = &fake_conn;
	return fake_say(true, e);
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
	(void)c;
	*out = (struct folders){ arena_new(a, struct folder), 1 };
	out->v[0] = (struct folder){ S("INBOX"), '/', true, FOLDER_INBOX };
	return fake_say(true, e);
}

static int
fake_rows(struct arena *a, size_t n, struct folder_state *st, struct rows *out)
{
	*st = (struct folder_state){ 7, 8, 9, S("digest") };
	*out = (struct rows){ arena_array(a, n, sizeof(*out->v)), n };
	for (size_t i = 0; i < n; i++)
		out->v[i] = (struct row){ .ref = { (uint32_t)i, S("id") },
			.head = S("Subject: x\r\n\r\n"),
			.size = 3,
			.flags = FLAG_ANSWERED };
	return 0;
}

static bool
fake_fits(const struct backend_account *acct, struct str text, int want)
{
	unsigned char mac[32];
	struct err e = { 0 };

	memset(mac, 4, sizeof(mac));
	return acct->fits(acct->mac_ctx, text, mac, &e) == want &&
	    (want >= 0 || e.kind == ERR_CONFIG);
}

/* While the client is asked, it is not gone: serve_gone.c. */
static bool
fake_signed(const struct backend_account *acct, bool makes)
{
	unsigned char mac[32] = { 0 };
	struct err e = { 0 };

	if (!fake.signs)
		return acct->mac == NULL;
	if (makes &&
	    (acct->mac(acct->mac_ctx, S("text"), mac, &e) != 0 || mac[31] != 4))
		return false;
	return fake_fits(acct, S("text"), 1) && fake_fits(acct, S("t"), 0) &&
	    fake_fits(acct, S(""), -1);
}

static int
fake_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	if (fake.progress && c->acct->progress != NULL)
		c->acct->progress(1, 2);
	(void)fake_rows(a, 2, st, out);
	return fake_say(fake_signed(c->acct, false) &&
		fake_is(q->folder, "INBOX") && limit == 5 && q->among != NULL &&
		q->among->n == 1 && q->with == FLAG_READ && c->acct->trace,
	    e);
}

static int
fake_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	(void)c;
	(void)fake_rows(a, refs->n, st, out);
	return fake_say(fake_is(folder, "INBOX") && refs->n == 2 &&
		refs->v[1].uid == 2,
	    e);
}

static int
fake_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	char *p = arena_alloc(a, FAKE_LONG);

	(void)c;
	memset(p, 'b', FAKE_LONG);
	*out = (struct str){ p, FAKE_LONG };
	return fake_say(fake_is(folder, "INBOX") && ref->uid == 2 &&
		max >= FAKE_LONG - 1,
	    e);
}

static int
fake_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	(void)c;
	for (uint32_t i = 0; i < FAKE_LINKS; i++) {
		struct str id[2] = { str_fmt(a, "<%u@a>", i), S("<b@c>") };
		struct strs ids = { id, i % 3 };

		if (to->add(to->ctx, &(struct ref){ .uid = i }, &ids, e) < 0)
			return -1;
	}
	*over = true;
	return fake_say(fake_is(folder, "INBOX"), e);
}

static int
fake_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	(void)c;
	*st = (struct folder_state){ .exists = 50000 };
	*ids = (struct strs){ arena_array(a, 50000, sizeof(*ids->v)), 50000 };
	for (size_t i = 0; i < ids->n; i++)
		ids->v[i] = str_fmt(a, "id-%zu", i);
	return fake_say(fake_is(folder, "INBOX"), e);
}

static int
fake_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e)
{
	(void)c, (void)a;
	*st = (struct folder_state){ .exists = 3, .listing = S("digest") };
	return fake_say(fake_is(folder, "INBOX"), e);
}

static int
fake_changes(struct conn *c, struct arena *a, struct str folder,
    struct str since, struct folder_state *st, struct strs *came,
    struct strs *gone, struct err *e)
{
	(void)c;
	*st = (struct folder_state){ .listing = S("digest") };
	str_push(a, came, S("new"));
	str_push(a, gone, S("old"));
	return fake_say(fake_is(folder, "INBOX") && fake_is(since, "then"), e) <
		0
	    ? -1
	    : 1;
}

static int
fake_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	(void)a;
	if (backend_submit_look(s, e) < 0)
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		s->to[i].code = fake.code;
		s->to[i].status = S("accepted");
	}
	return fake_say(fake_signed(c->acct, true) && s->n == 2 &&
		fake_is(s->to[1].addr, "b@c.example") &&
		fake_is(s->from, "a@b.example") && s->smtputf8 &&
		fake_is(s->message, "Subject: x\r\n\r\n"),
	    e);
}

static int
fake_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	(void)c, (void)a;
	return fake_say(fake_is(folder, "INBOX") && message.n == FAKE_LONG &&
		message.p[FAKE_LONG - 1] == 'm',
	    e);
}

static int
fake_drafts(struct conn *c, struct arena *a, struct str *folder, struct err *e)
{
	(void)c, (void)a;
	*folder = S("Drafts");
	return fake_say(true, e);
}

static int
fake_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	(void)c, (void)a;
	*out = (struct drafted){ S("r1"), { 4, S("id") }, S("t1") };
	return fake_say(fake_is(folder, "INBOX") && fake_is(message, "m") &&
		fake_is(thread, "t"),
	    e);
}

static int
fake_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	(void)c, (void)a;
	return fake_say(fake_is(folder, "INBOX") && refs->n == 2 &&
		change->set == FLAG_READ && change->clear == FLAG_ARCHIVED,
	    e);
}

static int
fake_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	(void)c, (void)a;
	if (by != NULL && by->copies == NULL &&
	    by->copied(by->ctx, refs, 70, e) < 0)
		return -1;
	*moved = *refs;
	return fake_say((by == NULL || by->copies == NULL ||
			    (by->copies->n == 2 && by->copies->v[1].uid == 2 &&
				by->uidvalidity == 70 &&
				by->from_uidvalidity == 7)) &&
		fake_is(folder, "INBOX") && fake_is(to, "Done"),
	    e);
}

static int
fake_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e)
{
	(void)c, (void)a;
	return fake_say(fake_is(folder, "Done") && fake_is(to, "INBOX") &&
		refs->n == 2 && was->n == 2 && was->v[0].n == 0 &&
		was->v[1].n == 2 && fake_is(was->v[1].v[1], "Q"),
	    e);
}

static int
fake_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	(void)c, (void)a;
	(void)w->ready(w->ctx);
	if (fake.waits)
		(void)poll(NULL, 0, 20000);
	*changed = true;
	return fake_say(fake_is(w->folder, "INBOX"), e);
}

static int
fake_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	(void)acct;
	backend_probe_add(a, out, "fake.open", true, 0, S("it opens"));
	backend_probe_note(a, out, "fake.read", 0, S("it reads"), "look");
	if (fake.bad != NULL)
		backend_probe_add(a, out, fake.bad, false, 0, S("it fails"));
	return fake_say(true, e);
}

static int
fake_fresh(void *ctx, int64_t *lives_s, struct err *e)
{
	(void)ctx;
	*lives_s = 3599;
	return fake_say(true, e);
}

static const struct backend fake_backend = {
	.name = "fake",
	.flags = FLAG_READ,
	.open = fake_open,
	.close = fake_close,
	.folders = fake_folders,
	.find = fake_find,
	.headers = fake_headers,
	.body = fake_body,
	.links = fake_links,
	.scan = fake_scan,
	.listing = fake_listing,
	.changes = fake_changes,
	.submit = fake_submit,
	.append = fake_append,
	.drafts = fake_drafts,
	.draft = fake_draft,
	.mark = fake_mark,
	.move = fake_move,
	.move_back = fake_move_back,
	.watch = fake_watch,
	.probe = fake_probe,
};

#endif
