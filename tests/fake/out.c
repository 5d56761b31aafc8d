/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves, what is put into the store, and waiting for a change. */
#include "verbs.h"

#include <string.h>

#include "backend/watch.h"
#include "base/clock.h"

void
fake_opened(const struct backend_account *acct)
{
	struct str to = acct->url.n > 0 ? acct->url : acct->imap_host;

	if (fake_kept != NULL)
		fake.server = str_dup(fake_kept, to);
}

/* A message as its parts, which the array has. */
static struct fake_mail *
put_message(struct str folder, struct str message)
{
	ptrdiff_t end = str_find(message, S("\r\n\r\n"));
	size_t head = end < 0 ? message.n : (size_t)end + 2;
	size_t body = end < 0 ? message.n : (size_t)end + 4;
	struct fake_mail *m = fake_add(
	    str_fmt(fake_kept, "%.*s", STR_ARG(str_first(message, head))).p);

	m->body =
	    str_fmt(fake_kept, "%.*s", STR_ARG(str_from(message, body))).p;
	m->folder = str_fmt(fake_kept, "%.*s", STR_ARG(folder)).p;
	return m;
}

int
fake_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	(void)a;
	if (fake_begin(c->acct, FAKE_SUBMIT, e) < 0)
		return -1;
	if (fake.meanwhile != NULL)
		fake.meanwhile();
	if (backend_submit_look(s, e) < 0)
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		bool no = fake.refused != NULL &&
		    str_eq(s->to[i].addr, str_of(fake.refused));

		s->to[i].code = no ? 550 : 250;
		s->to[i].status = no ? S("no such user") : S("accepted");
		if (no)
			return err_set(e, ERR_REJECTED, "nobody is called so");
	}
	/* Our own mail is in the box of what was sent. */
	if (c->be->message_id != NULL) {
		struct fake_mail *m = put_message(S("Sent"), s->message);

		m->flags = FLAG_READ;
		m->vouched = true;
	}
	fake.sent++;
	fake.recipients = s->n;
	fake.message = str_dup(fake_kept, s->message);
	return 0;
}

int
fake_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	(void)a;
	if (fake_begin_in(c, FAKE_APPEND, folder, e) < 0)
		return -1;
	(void)put_message(folder, message);
	return 0;
}

int
fake_drafts(struct conn *c, struct arena *a, struct str *folder, struct err *e)
{
	(void)a;
	if (fake_begin(c->acct, FAKE_DRAFTS, e) < 0)
		return -1;
	*folder = c->acct->drafts_folder;
	for (size_t i = 0; i < fake.folders && folder->n == 0; i++)
		if (fake.folder[i].role == FOLDER_DRAFTS)
			*folder = fake.folder[i].name;
	if (fake_has_folder(*folder))
		return 0;
	return err_set(e, ERR_UNSUPPORTED, "there is no folder for drafts");
}

int
fake_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct fake_mail *m;

	if (fake_begin_in(c, FAKE_DRAFT, folder, e) < 0)
		return -1;
	m = put_message(folder, message);
	m->draft = true;
	m->thread = str_fmt(fake_kept, "%.*s", STR_ARG(thread)).p;
	*out = (struct drafted){ .ref = fake_ref(c, a, m), .thread = thread };
	out->id = str_fmt(a, "%u", m->uid);
	return 0;
}

struct str
fake_message_id(struct arena *a, const unsigned char rnd[16], int64_t date_s)
{
	(void)rnd;
	(void)date_s;
	return str_fmt(a, "<id%05u@fake.example>", fake.uidnext);
}

/* Are they all there?  Nothing is done before that is known. */
static int
find_all(struct conn *c, enum fake_verb v, struct str folder,
    const struct refs *refs, struct err *e)
{
	if (fake_begin_in(c, v, folder, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		if (fake_find_ref(folder, &refs->v[i]) == NULL)
			return err_set(e, ERR_NOT_FOUND,
			    "no such folder or message");
	return 0;
}

/* How many of them are changed? */
static size_t
how_many(const struct refs *refs)
{
	if (fake.end == FAKE_END_LIES)
		return 0;
	return fake.end == FAKE_END_HALF ? refs->n / 2 : refs->n;
}

static int
answer(struct err *e)
{
	if (fake.end != FAKE_END_FALLS && fake.end != FAKE_END_HALF &&
	    fake.end != FAKE_END_COPIED)
		return 0;
	return err_set(e, ERR_NETWORK, "the connection was lost");
}

static void
change_labels(struct fake_mail *m, const struct flag_change *change)
{
	struct strs now = { 0 };

	for (size_t i = 0; i < m->labels.n; i++)
		if (!str_among(&change->drop, m->labels.v[i]))
			str_push(fake_kept, &now, m->labels.v[i]);
	for (size_t i = 0; i < change->add.n; i++)
		if (!str_among(&now, change->add.v[i]))
			str_push(fake_kept, &now,
			    str_dup(fake_kept, change->add.v[i]));
	m->labels = now;
}

int
fake_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	(void)a;
	if (find_all(c, FAKE_MARK, folder, refs, e) < 0)
		return -1;
	for (size_t i = 0; i < how_many(refs); i++) {
		struct fake_mail *m = fake_find_ref(folder, &refs->v[i]);

		m->flags = (m->flags | change->set) & ~change->clear;
		change_labels(m, change);
	}
	return answer(e);
}

/* Does a message stand there that is a copy of it? */
static bool
is_copy(const struct fake_mail *m, struct str to, const struct ref *copy)
{
	const struct fake_mail *n = fake_find_ref(to, copy);

	return n != NULL && strcmp(n->head, m->head) == 0;
}

/* The originals go that are still there and whose copies are. */
static int
move_rest(struct str folder, const struct refs *refs, struct str to,
    const struct copying *by, struct refs *moved, struct err *e)
{
	bool same = by->uidvalidity == fake.uidvalidity &&
	    by->from_uidvalidity == fake.uidvalidity;
	size_t left = 0;

	fake.gave_up += by->gives_up;
	for (size_t i = 0; i < refs->n && !by->gives_up; i++) {
		struct fake_mail *m = fake_find_ref(folder, &refs->v[i]);

		if (m == NULL)
			continue;
		if (same && is_copy(m, to, &by->copies->v[i]))
			m->folder = "nowhere";
		else
			left++;
	}
	if (left > 0)
		return err_set(e, ERR_NOT_FOUND, "the copies are not there");
	*moved = *by->copies;
	return answer(e);
}

/* Are the originals to stay? */
static int
move_told(const struct copying *by, const struct refs *copies, struct err *e)
{
	if (!fake.copies)
		return 0;
	return by->copied(by->ctx, copies, fake.uidvalidity, e);
}

/* What is moved gets another id, as it does on many a server. */
int
fake_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	if (by != NULL && by->copies != NULL)
		return fake_begin_in(c, FAKE_MOVE, folder, e) < 0
		    ? -1
		    : move_rest(folder, refs, to, by, moved, e);
	if (find_all(c, FAKE_MOVE, folder, refs, e) < 0)
		return -1;
	if (!fake_has_folder(to))
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	*moved = (struct refs){ arena_array(a, refs->n, sizeof(*moved->v)), 0 };
	for (size_t i = 0; i < how_many(refs); i++) {
		struct fake_mail *m = fake_find_ref(folder, &refs->v[i]);
		struct fake_mail *n = fake_add(m->head);
		uint32_t uid = n->uid;

		*n = *m;
		n->uid = uid;
		n->folder = str_fmt(fake_kept, "%.*s", STR_ARG(to)).p;
		/* Nobody finds the old one. */
		if (fake.end != FAKE_END_COPIED && !fake.copies)
			m->folder = "nowhere";
		moved->v[moved->n] = fake_ref(c, a, n);
		if (fake.end == FAKE_END_WRONG)
			moved->v[moved->n].uid--;
		moved->n++;
	}
	if (move_told(by, moved, e) < 0)
		return -1;
	for (size_t i = 0;
	     fake.copies && fake.end != FAKE_END_COPIED && i < refs->n; i++)
		fake_find_ref(folder, &refs->v[i])->folder = "nowhere";
	if (fake.end == FAKE_END_SILENT || fake.end == FAKE_END_LIES)
		*moved = (struct refs){ moved->v, refs->n };
	for (size_t i = 0; fake.end == FAKE_END_SILENT && i < refs->n; i++)
		moved->v[i] = (struct ref){ 0 };
	return answer(e);
}

int
fake_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	(void)a;
	if (fake_begin_in(c, FAKE_WATCH, w->folder, e) < 0)
		return -1;
	*changed = false;
	if (w->ready != NULL && w->ready(w->ctx) != 0)
		return 0;
	fake.wait_ms = w->until_ms - clock_mono_ms();
	if (fake.arrives != NULL)
		fake.arrives();
	*changed = fake.changes;
	return 0;
}

bool
fake_is_down(const struct backend_account *acct)
{
	return fake.down == NULL || str_eq(acct->name, str_of(fake.down));
}
