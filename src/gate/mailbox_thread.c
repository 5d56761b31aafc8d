/*
 * One thread, whole.  Who answers whom is told by messages, and each knows only
 * those before it: so ids are looked for until no message brings a new one.
 * What is hidden brings none.
 */
#include "base/limits.h"
#include "gate/thread.h"
#include "mime/address.h"
#include "store/outbox.h"

struct search {
	struct mailbox *m;
	struct thread_places places;
	struct strs ids; /* in the order they were met */
	size_t asked;    /* how many of them were looked for */
	struct mailbox_thread_messages found;
	size_t learned;  /* whose ids are known, of found */
	struct strs now; /* looked for now */
};

/* What a server is asked about at once: a command's line has its limits. */
#define IDS_AT_ONCE 8
#define ID_BYTES_AT_ONCE 2000

static void
learn_id(struct search *s, struct str id)
{
	if (id.n > 0 && !str_among(&s->ids, id))
		str_push(s->m->arena, &s->ids, id);
}

/* The ids of what was just found. */
static void
learn_ids(struct search *s)
{
	for (; s->learned < s->found.n; s->learned++) {
		const struct mime_envelope *v =
		    &s->found.v[s->learned].mail.env;

		learn_id(s, v->message_id);
		for (size_t i = 0; i < v->references.n; i++)
			learn_id(s, v->references.v[i]);
		if (v->references.n == 0 && v->in_reply_to.n > 0)
			learn_id(s, v->in_reply_to.v[0]);
	}
}

/* A store may find more than was asked for. */
static bool
names_it(void *ctx, const struct row *row, const struct mail *mail)
{
	const struct search *s = ctx;

	(void)row;
	for (size_t i = 0; i < s->now.n; i++)
		if (thread_make_names(mail, s->now.v[i]))
			return true;
	return false;
}

/* The next of those that were not looked for yet. */
static void
take_ids(struct search *s)
{
	size_t bytes = 0;

	s->now = (struct strs){ s->ids.v + s->asked, 0 };
	while (s->asked < s->ids.n && s->now.n < IDS_AT_ONCE &&
	    s->asked < LIMIT_THREAD_LOOKUPS) {
		bytes += s->ids.v[s->asked].n;
		if (s->now.n > 0 && bytes > ID_BYTES_AT_ONCE)
			break;
		s->now.n++;
		s->asked++;
	}
}

static int
look_for(struct search *s, struct err *e)
{
	const struct query q = { .about = s->now };
	const struct thread_want want = { names_it, s };

	for (int place = 0; place < THREAD_PLACES; place++)
		if (thread_rows(s->m, &s->places, (enum thread_place_kind)place,
			&q, &want, &s->found, e) < 0)
			return -1;
	learn_ids(s);
	return 0;
}

static int
by_message_id(struct search *s, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	learn_id(s, name->id);
	while (s->asked < s->ids.n && !s->found.over) {
		if (s->asked == LIMIT_THREAD_LOOKUPS) {
			s->found.over = true;
			break;
		}
		take_ids(s);
		if (look_for(s, e) < 0)
			return -1;
	}
	if (s->found.n == 0 ||
	    !thread_make_one(s->m->arena, &s->found, name->id, out))
		return thread_rows_absent(e);
	return 0;
}

/* -- messages without an id ---------------------------------------------- */

static bool
is_nameless(void *ctx, const struct row *row, const struct mail *mail)
{
	(void)ctx;
	(void)row;
	return mail->env.message_id.n == 0;
}

static int
by_hash(struct search *s, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	static const enum thread_place_kind where[] = { THREAD_LIST,
		THREAD_INBOX };
	const struct thread_want want = { is_nameless, NULL };
	const struct query every = { 0 };
	struct mailbox_thread_messages one = { 0 };

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++)
		if (thread_rows(s->m, &s->places, where[i], &every, &want,
			&s->found, e) < 0)
			return -1;
	for (size_t i = 0; i < s->found.n; i++) {
		struct mailbox_thread_message *x = &s->found.v[i];
		struct str raw;

		if (i == LIMIT_THREAD_HASHED)
			return err_set(e, ERR_LIMIT,
			    "too many messages without a Message-ID");
		if (mailbox_thread_body(s->m, x, &raw, e) < 0)
			return -1;
		x->sha256 = store_digest_file(s->m->arena, raw);
		if (!str_eq(x->sha256, name->id))
			continue;
		one.v = x;
		one.n = 1;
		if (thread_make_one(s->m->arena, &one, name->id, out))
			return 0;
	}
	return thread_rows_absent(e);
}

/* -- threads of the store's own ------------------------------------------- */

/* In which of them is the message of that id? */
static int
thread_of_id(struct search *s, struct str id, struct str *out, struct err *e)
{
	const struct query q = { .message_id = id };
	const struct thread_want want = { names_it, s };

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

static int
by_store(struct search *s, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	struct mailbox_thread_name own = { thread_name_kind(s->m), name->id };
	struct mailbox_thread_messages all = { 0 };

	if (!str_eq(str_of(name->kind), str_of(own.kind)) &&
	    thread_of_id(s, name->id, &own.id, e) < 0)
		return -1;
	if (thread_rows_own(s->m, &s->places, own.id, &all, e) < 0) {
		if (e->kind == ERR_NOT_FOUND)
			return thread_rows_absent(e);
		return -1;
	}
	if (all.n == 0)
		return thread_rows_absent(e);
	thread_make_given(s->m->arena, &all, &own, out);
	return 0;
}

int
mailbox_thread(struct mailbox *m, const struct mailbox_thread_name *name,
    struct mailbox_thread *out, struct err *e)
{
	struct search s = { .m = m };
	int r;

	if (thread_place_find(m, &s.places, e) < 0)
		return -1;
	if (m->src->be->caps & CAP_THREADS)
		r = by_store(&s, name, out, e);
	else if (str_eq(str_of(name->kind), S("sha256-raw")))
		r = by_hash(&s, name, out, e);
	else
		r = by_message_id(&s, name, out, e);
	return r;
}

int
mailbox_thread_body(struct mailbox *m, const struct mailbox_thread_message *msg,
    struct str *raw, struct err *e)
{
	struct row whole = { .ref = msg->ref, .draft = msg->draft };
	struct mail mail;

	if (mailbox_open(m, e) < 0 ||
	    m->src->be->body(m->conn, m->arena, msg->folder, &msg->ref,
		LIMIT_MESSAGE, raw, e) < 0)
		return -1;
	whole.head = *raw;
	whole.size = raw->n;
	/* What came is judged, and not only what was announced. */
	if (judge_whole(m, m->arena, &whole, &mail) ||
	    ((msg->sent || msg->draft) && thread_ours(m, m->arena, &mail)))
		return 0;
	return thread_rows_absent(e);
}

/*
 * The folder for what is sent is the account's own; where that is a folder for
 * everything, as an archive may be, it is who wrote it.
 */
bool
mailbox_thread_is_sent(const struct mailbox *m,
    const struct mailbox_thread_message *msg)
{
	struct str from = msg->mail.env.from_sole, us;
	struct err none = { 0 };

	if (msg->draft || msg->sent)
		return !msg->draft;
	return msg->folder.n > 0 &&
	    str_eq(msg->folder, m->src->acct.sent_folder) && from.n > 0 &&
	    address_canonical(m->arena, m->src->acct.from_addr, &us, &none) ==
	    0 &&
	    str_eq(from, us);
}

int
mailbox_thread_sent_known(struct mailbox *m, struct err *e)
{
	struct str folder;

	if (thread_place_sent(m, &folder, e) < 0)
		return -1;
	return folder.n > 0 ? 0
			    : err_set(e, ERR_UNSUPPORTED,
				  "there is no folder for what is sent");
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
