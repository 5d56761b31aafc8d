/* SPDX-License-Identifier: Apache-2.0 */
#include "verbs.h"

#include <string.h>
#include <time.h>

#include "backend/internal.h"
#include "base/clock.h"
#include "base/limits.h"

struct fake fake;
struct arena *fake_kept;

static const struct folder usual[] = {
	{ .name = SI("INBOX"), .selectable = true, .role = FOLDER_INBOX },
	{ .name = SI("Sent"), .selectable = true, .role = FOLDER_SENT },
	{ .name = SI("Drafts"), .selectable = true, .role = FOLDER_DRAFTS },
};

void
fake_reset(void)
{
	if (fake_kept == NULL)
		fake_kept = arena_open(LIMIT_ARENA);
	fake = (struct fake){ .uidvalidity = 1, .uidnext = 1 };
	memcpy(fake.folder, usual, sizeof(usual));
	fake.folders = sizeof(usual) / sizeof(usual[0]);
}

struct fake_mail *
fake_add(const char *head)
{
	struct fake_mail *m = &fake.mail[fake.n++];

	if (fake.n > FAKE_MAILS)
		err_bug("the fake store is full");
	*m = (struct fake_mail){ .uid = fake.uidnext++,
		.head = head,
		.body = "words\r\n" };
	return m;
}

/* -- what is wrong --------------------------------------------------------- */

static int
take_time(const struct backend_account *acct, int64_t ms, struct err *e)
{
	int64_t left = acct->deadline_ms - clock_mono_ms();
	int64_t some = ms < left ? ms : left;
	struct timespec t = { some / 1000, some % 1000 * 1000000 };

	(void)nanosleep(&t, NULL);
	return ms < left ? 0 : err_set(e, ERR_NETWORK, "it took too long");
}

int
fake_begin(const struct backend_account *acct, enum fake_verb v, struct err *e)
{
	const struct fake_fault *f = &fake.fault[v];

	fake.calls[v]++;
	if (!fake_is_down(acct))
		return 0;
	if (f->slow_ms > 0 && take_time(acct, f->slow_ms, e) < 0)
		return -1;
	if (f->kind != ERR_NONE && fake.calls[v] > f->after &&
	    (f->times == 0 || fake.calls[v] <= f->after + f->times))
		return err_set(e, f->kind, "the store is out of order");
	return 0;
}

bool
fake_has_folder(struct str name)
{
	for (size_t i = 0; i < fake.folders; i++)
		if (str_eq(fake.folder[i].name, name))
			return true;
	return false;
}

/* Of one message: an empty folder is every one. */
static bool
is_in(const struct fake_mail *m, struct str folder)
{
	return folder.n == 0 ||
	    str_eq(str_of(m->folder != NULL ? m->folder : "INBOX"), folder);
}

int
fake_begin_in(struct conn *c, enum fake_verb v, struct str folder,
    struct err *e)
{
	if (fake_begin(c->acct, v, e) < 0)
		return -1;
	if (fake_has_folder(folder) ||
	    (folder.n == 0 && (c->be->caps & CAP_THREADS)))
		return 0;
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

struct ref
fake_ref(const struct conn *c, struct arena *a, const struct fake_mail *m)
{
	if (c->be->caps & CAP_UIDS)
		return (struct ref){ .uid = m->uid };
	return (struct ref){ .id = str_fmt(a, "id%05u", m->uid) };
}

static void
tell_state(const struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st)
{
	struct buf list;

	*st = (struct folder_state){ 0 };
	buf_init(&list, a, LIMIT_ARENA);
	for (size_t i = 0; i < fake.n; i++)
		if (is_in(&fake.mail[i], folder)) {
			st->exists++;
			buf_fmt(&list, "%u ", fake.mail[i].uid);
		}
	if (c->be->caps & CAP_LISTING)
		st->listing = str_fmt(a, "%u of %u, %zx", st->exists,
		    fake.uidnext, (size_t)backend_sum(1, list.p, list.n));
	if ((c->be->caps & CAP_UIDS) == 0)
		return;
	st->uidvalidity = fake.uidvalidity;
	if (fake.moved != 0 &&
	    fake.calls[FAKE_FIND] + fake.calls[FAKE_HEADERS] >= fake.moved)
		st->uidvalidity++;
	st->uidnext = fake.uidnext;
}

static struct row
row_of(const struct conn *c, struct arena *a, const struct fake_mail *m)
{
	bool threads = c->be->caps & CAP_THREADS;
	struct str head = fake.raw.n > 0 ? fake.raw : str_of(m->head);

	return (struct row){ .ref = fake_ref(c, a, m),
		.head = head,
		.size = head.n + 2 + str_of(m->body).n,
		.received_s = m->received_s,
		.has_attachments = m->attachment,
		.ambiguous = m->ambiguous,
		.draft = m->draft,
		.flags = m->flags & c->be->flags,
		.labels = m->labels,
		.folder = str_of(m->folder != NULL ? m->folder : "INBOX"),
		.vouched = m->vouched,
		.thread = str_of(threads ? m->thread : NULL) };
}

static void
put_row(struct rows *out, struct row row, size_t limit)
{
	for (int i = 0; i < (fake.lie_twice ? 2 : 1); i++)
		if (out->n < limit)
			out->v[out->n++] = row;
}

struct fake_mail *
fake_find_ref(struct str folder, const struct ref *ref)
{
	uint32_t uid = ref->uid;

	/* Also where there is a uid of the gate's own. */
	if (ref->id.n > 0 &&
	    !str_to_u32(str_from(ref->id, 2), UINT32_MAX, &uid))
		return NULL;
	for (size_t i = 0; i < fake.n; i++)
		if (fake.mail[i].uid == uid && is_in(&fake.mail[i], folder))
			return &fake.mail[i];
	return NULL;
}

/* -- the verbs ------------------------------------------------------------- */

static struct conn *
new_conn(const struct backend *be, const struct backend_account *acct,
    struct arena *a)
{
	struct conn *c = arena_new(a, struct conn);

	*c = (struct conn){ be, acct };
	fake_opened(acct);
	return c;
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
	if (fake_begin(c->acct, FAKE_FOLDERS_LIST, e) < 0)
		return -1;
	out->v = arena_array(a, fake.folders, sizeof(*out->v));
	out->n = fake.folders;
	memcpy(out->v, fake.folder, fake.folders * sizeof(*out->v));
	return 0;
}

/* Is it what the query asks?  But for its hints. */
static bool
matches(const struct conn *c, struct arena *a, const struct fake_mail *m,
    const struct query *q)
{
	struct str head = str_of(m->head);
	struct mime_header h;

	if ((m->flags & q->with) != q->with || (m->flags & q->without) != 0)
		return false;
	if (!is_in(m, q->folder) ||
	    (q->thread.n > 0 && !str_eq(str_of(m->thread), q->thread)))
		return false;
	if ((c->be->caps & CAP_UIDS) &&
	    (m->uid < q->uid_min || (q->uid_max != 0 && m->uid > q->uid_max)))
		return false;
	if (fake.raw.n > 0)
		return true;
	mime_header_parse(a, head, &h);
	return backend_match_fields(a, &h, q) && backend_match_date(&h, q) &&
	    (q->received_s == 0 || m->received_s > q->received_s) &&
	    (q->text.n == 0 || str_find_case(head, q->text) >= 0 ||
		str_find_case(str_of(m->body), q->text) >= 0);
}

/* Those of `among`, in its order. */
static void
find_among(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct rows *out)
{
	for (size_t i = 0; i < q->among->n && out->n < limit; i++) {
		const struct ref *ref = &q->among->v[i];
		const struct fake_mail *m = fake_find_ref(q->folder, ref);
		struct row row;

		if (m == NULL || !matches(c, a, m, q))
			continue;
		row = row_of(c, a, m);
		row.ref = *ref;
		put_row(out, row, limit);
	}
}

static int
fake_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	if (fake_begin_in(c, FAKE_FIND, q->folder, e) < 0)
		return -1;
	if (limit < 1 || limit > LIMIT_PAGE)
		err_bug("a page of %zu", limit);
	tell_state(c, a, q->folder, st);
	*out = (struct rows){ arena_array(a, limit, sizeof(*out->v)), 0 };
	if (q->among != NULL) {
		find_among(c, a, q, limit, out);
		return 0;
	}
	for (size_t i = fake.n; i-- > 0 && out->n < limit;) {
		const struct fake_mail *m = &fake.mail[i];
		struct row row;

		if (fake.lie_same_row)
			m = &fake.mail[fake.n - 1];
		else if (!matches(c, a, m, q))
			continue;
		row = row_of(c, a, m);
		if (q->behind.n > 0 && str_cmp(row.ref.id, q->behind) >= 0)
			continue;
		put_row(out, row, limit);
	}
	/* Of one thread the oldest comes first. */
	for (size_t i = 0; q->thread.n > 0 && i < out->n / 2; i++) {
		struct row x = out->v[i];

		out->v[i] = out->v[out->n - 1 - i];
		out->v[out->n - 1 - i] = x;
	}
	return 0;
}

static int
fake_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	if (fake_begin_in(c, FAKE_HEADERS, folder, e) < 0)
		return -1;
	tell_state(c, a, folder, st);
	*out = (struct rows){ arena_array(a, 2 * refs->n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < refs->n; i++) {
		const struct fake_mail *m = fake_find_ref(folder, &refs->v[i]);
		struct row row;

		if (m == NULL)
			continue;
		row = row_of(c, a, m);
		row.ref = refs->v[i];
		put_row(out, row, 2 * refs->n);
	}
	return 0;
}

static int
fake_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	const struct fake_mail *m = fake_find_ref(folder, ref);

	if (fake_begin_in(c, FAKE_BODY, folder, e) < 0)
		return -1;
	if (m == NULL)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	*out = fake.raw;
	if (fake.raw.n == 0)
		*out = str_fmt(a, "%s\r\n%s",
		    m->other_head != NULL ? m->other_head : m->head, m->body);
	return out->n <= max ? 0 : err_set(e, ERR_LIMIT, "it is too big");
}

static int
fake_links(struct conn *c, struct arena *a, struct str folder,
    const struct link_sink *to, bool *over, struct err *e)
{
	*over = false;
	if (fake_begin_in(c, FAKE_LINKS, folder, e) < 0)
		return -1;
	for (size_t i = 0; i < fake.n; i++) {
		struct ref ref = fake_ref(c, a, &fake.mail[i]);
		struct strs ids = { 0 };
		struct mime_header h;

		if (!is_in(&fake.mail[i], folder))
			continue;
		mime_header_parse(a, str_of(fake.mail[i].head), &h);
		backend_link_ids(a, &h, &ids);
		if (to->add(to->ctx, &ref, &ids, e) < 0)
			return -1;
	}
	return 0;
}

static int
fake_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	if (fake_begin_in(c, FAKE_SCAN, folder, e) < 0)
		return -1;
	tell_state(c, a, folder, st);
	for (size_t i = 0; i < fake.n; i++)
		if (is_in(&fake.mail[i], folder))
			str_push(a, ids, fake_ref(c, a, &fake.mail[i]).id);
	return 0;
}

static int
fake_listing(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct err *e)
{
	if (fake_begin_in(c, FAKE_LISTING, folder, e) < 0)
		return -1;
	tell_state(c, a, folder, st);
	return 0;
}

static int
fake_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	if (fake_begin(acct, FAKE_PROBE, e) < 0)
		return -1;
	if (fake.probe != NULL && fake_is_down(acct))
		backend_probe_add(a, out, fake.probe, false, clock_mono_ms(),
		    S("it does not work"));
	else
		backend_probe_add(a, out, "fake.all", true, clock_mono_ms(),
		    S("it works"));
	return 0;
}

/* -- the table ------------------------------------------------------------- */

#define READS                                                                  \
	.close = fake_close, .folders = fake_folders, .find = fake_find,       \
	.headers = fake_headers, .body = fake_body, .probe = fake_probe

/* A connection knows whose it is. */
#define OPEN(name)                                                             \
	static const struct backend name;                                      \
	static int name##_open(const struct backend_account *acct,             \
	    struct arena *a, struct conn **out, struct err *e)                 \
	{                                                                      \
		if (fake_begin(acct, FAKE_OPEN, e) < 0)                        \
			return -1;                                             \
		*out = new_conn(&name, acct, a);                               \
		return 0;                                                      \
	}

OPEN(imap)
OPEN(mbox)
OPEN(maildir)
OPEN(gmail)
OPEN(jmap)
OPEN(agentbox)
OPEN(smtp)

static const struct backend imap = {
	.name = "imap",
	.caps = CAP_READ | CAP_UIDS | CAP_APPEND | CAP_DRAFT | CAP_WATCH |
	    CAP_MARK | CAP_MOVE | CAP_LABEL,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_FLAGGED,
	.open = imap_open,
	.mark = fake_mark,
	.move = fake_move,
	.watch = fake_watch,
	READS,
	.links = fake_links,
	.append = fake_append,
	.drafts = fake_drafts,
	.draft = fake_draft,
};

static const struct backend mbox = {
	.name = "mbox",
	.caps = CAP_READ | CAP_UIDS,
	.open = mbox_open,
	READS,
	.links = fake_links,
};

static const struct backend maildir = {
	.name = "maildir",
	.caps = CAP_READ | CAP_SUBMIT | CAP_APPEND | CAP_DRAFT | CAP_LISTING,
	.open = maildir_open,
	READS,
	.links = fake_links,
	.scan = fake_scan,
	.listing = fake_listing,
	.submit = fake_submit,
	.append = fake_append,
	.drafts = fake_drafts,
	.draft = fake_draft,
};

static const struct backend gmail = {
	.name = "gmail",
	.caps = CAP_READ | CAP_THREADS | CAP_DRAFT | CAP_SEARCH,
	.open = gmail_open,
	READS,
	.scan = fake_scan,
	.drafts = fake_drafts,
	.draft = fake_draft,
};

static const struct backend jmap = {
	.name = "jmap",
	.caps = CAP_READ | CAP_THREADS | CAP_SUBMIT | CAP_MARK | CAP_MOVE |
	    CAP_VOUCH | CAP_WATCH,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_ARCHIVED,
	.open = jmap_open,
	READS,
	.scan = fake_scan,
	.submit = fake_submit,
	.message_id = fake_message_id,
	.mark = fake_mark,
	.move = fake_move,
	.watch = fake_watch,
};

static const struct backend agentbox = {
	.name = "agentbox",
	.caps = CAP_READ | CAP_THREADS | CAP_SUBMIT | CAP_MARK | CAP_MOVE |
	    CAP_VOUCH,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_ARCHIVED,
	.open = agentbox_open,
	READS,
	.scan = fake_scan,
	.submit = fake_submit,
	.message_id = fake_message_id,
	.mark = fake_mark,
	.move = fake_move,
};

static const struct backend smtp = {
	.name = "smtp",
	.caps = CAP_SUBMIT,
	.open = smtp_open,
	.close = fake_close,
	.submit = fake_submit,
	.probe = fake_probe,
};

const struct backend *const backend_table[] = { &imap, &mbox, &maildir, &gmail,
	&jmap, &agentbox, &smtp, NULL };
