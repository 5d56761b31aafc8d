/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one complete thread. */
#include "base/limits.h"
#include "gate/judge.h"
#include "gate/thread.h"
#include "mime/address.h"
#include "store/outbox.h"

struct search {
	struct mailbox *m;
	struct thread_places places;
	struct mailbox_thread_messages found;
	struct strs now; /* searched for now */
	unsigned how;    /* enum thread_how, or-ed */
};

/* A store may find more than was asked for. */
static bool
mailbox_thread_names_it(void *ctx, const struct row *row,
    const struct mail *mail)
{
	const struct search *s = ctx;

	(void)row;
	for (size_t i = 0; i < s->now.n; i++)
		if (thread_make_names(mail, s->now.v[i]))
			return true;
	return false;
}

static int
mailbox_thread_by_message_id(struct search *s,
    const struct mailbox_thread_name *name, struct mailbox_thread *out,
    struct err *e)
{
	struct str id = name->id;
	const struct strs ids = { &id, 1 };

	if (thread_whole(s->m, &s->places, &ids, &s->found, e) < 0)
		return -1;
	if (!thread_make_one(s->m->arena, &s->found, id, out))
		return thread_rows_absent(e);
	return 0;
}

/* -- messages without an id ---------------------------------------------- */

/* The bytes of a message, as in mailbox_thread_body(). */
static int
mailbox_thread_bytes(struct mailbox *m, struct arena *a,
    const struct mailbox_thread_message *msg, struct str *raw, struct err *e)
{
	struct row whole = { .ref = msg->ref,
		.draft = msg->draft,
		.vouched = msg->mail.auth == SENDER_PASS };
	struct mail mail;

	if (mailbox_open(m, e) < 0 ||
	    m->src->be->body(m->conn, a, msg->folder, &msg->ref, LIMIT_MESSAGE,
		raw, e) < 0)
		return -1;
	whole.head = *raw;
	whole.size = raw->n;
	/* Judges what came, and not only what was announced. */
	if (judge_whole(m, a, &whole, &mail) ||
	    ((msg->sent || msg->draft) && thread_ours(m, a, &mail)))
		return 0;
	return thread_rows_absent(e);
}

int
mailbox_thread_digest(struct mailbox *m,
    const struct mailbox_thread_message *msg, struct str *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw;

	if (mailbox_thread_bytes(m, a, msg, &raw, e) < 0)
		return -1;
	*out = store_digest_file(m->arena, raw);
	return 0;
}

void
mailbox_thread_copy(struct arena *a, struct mailbox_thread *t,
    const struct mailbox_thread_message *msg)
{
	t->v = arena_grow(a, t->v, t->n * sizeof(*t->v),
	    (t->n + 1) * sizeof(*t->v));
	t->v[t->n++] = *msg;
}

/* Is it the one?  1: it is, in *out or added to it. */
static int
mailbox_thread_look_at(struct search *s, struct mailbox_thread_message *x,
    struct str id, struct mailbox_thread *out, struct err *e)
{
	struct mailbox_thread_messages one = { .v = x, .n = 1 };

	if (mailbox_thread_digest(s->m, x, &x->sha256, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	if (!str_eq(x->sha256, id))
		return 0;
	if (out->n > 0)
		mailbox_thread_copy(s->m->arena, out, x);
	else if (!thread_make_one(s->m->arena, &one, id, out))
		return 0;
	return 1;
}

static int
mailbox_thread_by_hash(struct search *s, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	*out = (struct mailbox_thread){ 0 };
	if (thread_whole_nameless(s->m, &s->places, &s->found, e) < 0)
		return -1;
	for (size_t i = 0; i < s->found.n; i++) {
		if (i == LIMIT_THREAD_HASHED)
			return err_set(e, ERR_LIMIT,
			    "too many messages without a Message-ID");
		if (mailbox_thread_look_at(s, &s->found.v[i], name->id, out,
			e) < 0)
			return -1;
	}
	return out->n > 0 ? 0 : thread_rows_absent(e);
}

/* -- threads of the store's own ------------------------------------------- */

/* Which of them contains the message with that id? */
static int
thread_of_id(struct search *s, struct str id, struct str *out, struct err *e)
{
	const struct query q = { .message_id = id };
	const struct thread_want want = { mailbox_thread_names_it, s };

	s->now = (struct strs){ &id, 1 };
	for (int place = 0; place < THREAD_PLACES; place++)
		if (thread_rows(s->m, &s->places, (enum thread_place_kind)place,
			&q, &want, &s->found, e) < 0)
			return -1;
	for (size_t i = 0; i < s->found.n; i++) {
		const struct mailbox_thread_message *x = &s->found.v[i];

		if (x->thread.n > 0 && str_eq(x->mail.env.message_id, id)) {
			*out = x->thread;
			return 0;
		}
	}
	return thread_rows_absent(e);
}

static bool
mailbox_thread_holds(const struct mailbox_thread_messages *l, struct str id)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i].ref.id, id))
			return true;
	return false;
}

static int
mailbox_thread_by_store(struct search *s,
    const struct mailbox_thread_name *name, struct mailbox_thread *out,
    struct err *e)
{
	struct mailbox_thread_name own = { thread_name_kind(s->m), name->id };
	struct mailbox_thread_messages all = { 0 };
	struct query q = { .outline = s->how & THREAD_OUTLINE };

	if (!str_eq(str_of(name->kind), str_of(own.kind)) &&
	    thread_of_id(s, name->id, &own.id, e) < 0)
		return -1;
	q.thread = own.id;
	if (thread_rows_own(s->m, &s->places, &q, &all, e) < 0) {
		if (e->kind == ERR_NOT_FOUND)
			return thread_rows_absent(e);
		return -1;
	}
	if (all.n == 0)
		return thread_rows_absent(e);
	/* An archive's name belongs to a message, which must be visible. */
	if (!(s->how & THREAD_KEY) && mailbox_hint_is_needed(s->m) &&
	    str_eq(str_of(name->kind), S("ponymail-mid")) &&
	    !mailbox_thread_holds(&all, name->id))
		return thread_rows_absent(e);
	if (all.v[0].thread.n > 0)
		own.id = all.v[0].thread;
	thread_make_given(s->m->arena, &all, &own, out);
	return 0;
}

int
mailbox_thread_read(struct mailbox *m, const struct mailbox_thread_name *name,
    unsigned how, struct mailbox_thread *out, struct err *e)
{
	struct search s = { .m = m, .how = how };
	int r;

	if (thread_place_find(m, &s.places, e) < 0)
		return -1;
	if (m->src->be->caps & CAP_THREADS)
		r = mailbox_thread_by_store(&s, name, out, e);
	else if (str_eq(str_of(name->kind), S("sha256-raw")))
		r = mailbox_thread_by_hash(&s, name, out, e);
	else
		r = mailbox_thread_by_message_id(&s, name, out, e);
	return r;
}

int
mailbox_thread(struct mailbox *m, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	return mailbox_thread_read(m, name, 0, out, e);
}

int
mailbox_thread_body(struct mailbox *m, const struct mailbox_thread_message *msg,
    struct str *raw, struct err *e)
{
	return mailbox_thread_bytes(m, m->arena, msg, raw, e);
}

bool
mailbox_thread_is_ours(const struct mailbox *m,
    const struct mailbox_thread_message *msg)
{
	struct str from = msg->mail.env.from_sole, us;
	struct err none = { 0 };

	return from.n > 0 &&
	    address_canonical(m->arena, m->src->acct.from_addr, &us, &none) ==
	    0 &&
	    str_eq(from, us);
}

/*
 * Only the account writes to the folder for sent mail; if that is a folder for
 * everything, as an archive may be, the sender decides.
 */
bool
mailbox_thread_is_sent(const struct mailbox *m,
    const struct mailbox_thread_message *msg)
{
	if (msg->draft || msg->sent)
		return !msg->draft;
	return msg->folder.n > 0 &&
	    str_eq(msg->folder, m->src->acct.sent_folder) &&
	    mailbox_thread_is_ours(m, msg);
}

int
mailbox_thread_sent_known(struct mailbox *m, struct err *e)
{
	struct str folder;

	if (thread_place_sent(m, &folder, e) < 0)
		return -1;
	return folder.n > 0
	    ? 0
	    : err_set(e, ERR_UNSUPPORTED, "there is no folder for sent mail");
}

struct str
mailbox_thread_list(const struct mailbox *m)
{
	return m->src->acct.list;
}

const struct mailbox_thread_message *
mailbox_thread_first(const struct mailbox_thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->v[i].draft)
			return &t->v[i];
	return NULL;
}
