/* The threads of a list that something new was written to. */
#include "base/limits.h"
#include "gate/thread.h"
#include "mime/header.h"
#include "source/since.h"
#include "store/outbox.h"

struct listing {
	struct mailbox *m;
	const struct mailbox_threads_query *q;
	struct str id; /* the list's, RFC 2919: "name.domain" */
	struct thread_cursor from;
};

/* "<dev.example.org>" in List-Id, without case; RFC 2919 section 3. */
static bool
is_list_id(struct str value, struct str want)
{
	struct str head, id;

	return str_cut(value, '<', &head, &value) &&
	    str_cut(value, '>', &id, &head) && str_eq_case(str_trim(id), want);
}

static bool
goes_to(const struct addresses *l, struct str addr)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->v[i].addr, addr))
			return true;
	return false;
}

/* Is the folder looked in one that the operator gave to this very list? */
static bool
is_lists_own(const struct listing *l)
{
	const struct store_account *acct = &l->m->src->acct;

	return acct->list_folder.n > 0 && str_eq_case(acct->list, l->q->list);
}

/*
 * Is it the list's?  By List-Id where there is one; else by whom it goes to,
 * but for a folder of the list's own.
 */
static bool
is_of_list(void *ctx, const struct row *row, const struct mail *mail)
{
	const struct listing *l = ctx;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct mime_field *f;
	struct mime_header h;

	if (l->q->list.n == 0)
		return true;
	mime_header_parse(a, row->head, &h);
	f = mime_header_get(&h, "List-Id", 0);
	if (f != NULL)
		return is_list_id(f->value, l->id);
	return is_lists_own(l) || goes_to(&mail->env.to, l->q->list) ||
	    goes_to(&mail->env.cc, l->q->list);
}

/* Messages no newer than the moment asked for are dropped; strictly so. */
static void
drop_old(const struct listing *l, struct mailbox_thread_messages *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->n; i++)
		if (!found->v[i].dated || found->v[i].at_s > l->from.since_s)
			found->v[kept++] = found->v[i];
	found->n = kept;
}

/* A message without an id is known by its bytes. */
static int
hash_nameless(struct mailbox *m, struct mailbox_thread_messages *found,
    struct err *e)
{
	size_t hashed = 0, kept = 0;

	for (size_t i = 0; i < found->n; i++) {
		struct mailbox_thread_message *x = &found->v[i];
		struct str raw;

		if (x->mail.env.message_id.n == 0) {
			if (hashed++ == LIMIT_THREAD_HASHED) {
				found->over = true;
				continue;
			}
			if (mailbox_thread_body(m, x, &raw, e) < 0)
				return -1;
			x->sha256 = store_digest_file(m->arena, raw);
		}
		found->v[kept++] = *x;
	}
	found->n = kept;
	return 0;
}

int
mailbox_threads(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_threads *out, struct err *e)
{
	struct listing l = { .m = m, .q = q };
	struct thread_want want = { is_of_list, &l };
	struct query bq = { 0 };
	struct mailbox_thread_messages found = { 0 };
	struct thread_places places = { 0 };
	struct str name, domain;

	*out = (struct mailbox_threads){ 0 };
	if (thread_cursor_read(m, q, &l.from, e) < 0)
		return -1;
	bq.received_s = l.from.since_s;
	/* The store would leave out what names the list nowhere. */
	if (!is_lists_own(&l))
		bq.list = q->list;
	if (str_cut(q->list, '@', &name, &domain))
		l.id = str_fmt(m->arena, "%.*s.%.*s", STR_ARG(name),
		    STR_ARG(domain));
	if (thread_place_list(m, &places.v[THREAD_LIST]) < 0 ||
	    thread_rows(m, &places, THREAD_LIST, &bq, &want, &found, e) < 0)
		return -1;
	drop_old(&l, &found);
	if (m->src->be->caps & CAP_THREADS) {
		if (mailbox_threads_own(m, &found, out, e) < 0)
			return -1;
	} else {
		if (hash_nameless(m, &found, e) < 0)
			return -1;
		thread_make_all(m->arena, &found, out);
	}
	return thread_cursor_page(m, q, &l.from, out, e);
}
