/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data about messages, known without opening them.  Facts only exclude
 * messages; the others are opened and checked as usual.
 */
#include "backend/internal.h"
#include "backend/maildir/internal.h"

/* A longer field is not stored: its header is read each time. */
#define TEXT_MAX 16384
/* The limit for all of them: strangers write them. */
#define TEXTS_MAX (128UL << 20)

void
maildir_facts_drop(struct maildir *m)
{
	arena_close(&m->facts.a);
	maildir_cache_unmap(&m->facts.map);
	m->facts = (struct maildir_facts){ 0 };
}

/* Empty if the fact is damaged. */
static struct str
maildir_facts_text_of(const struct maildir_facts *x,
    const struct maildir_fact *f, enum maildir_text which)
{
	uint64_t at = f->text_at;

	for (int i = 0; i < (int)which; i++)
		at += f->text_n[i];
	if (at > x->text.n || f->text_n[which] > x->text.n - at)
		return (struct str){ 0 };
	return (struct str){ x->text.p + at, f->text_n[which] };
}

/* Facts being made. */
struct making {
	struct maildir *m;
	struct arena *a;
	struct maildir_fact *v;
	size_t n;
	struct buf text;
	size_t fresh; /* of these, how many were not known */
	size_t old;   /* index in the old ones */
};

static void
maildir_facts_add_text(struct making *k, struct maildir_fact *f,
    enum maildir_text which, struct str s)
{
	if (f->text_n[which] + s.n > TEXT_MAX || k->text.n + s.n > TEXTS_MAX) {
		f->open = 1;
		return;
	}
	buf_str(&k->text, s);
	f->text_n[which] += (uint32_t)s.n;
}

static void
maildir_facts_add_fields(struct making *k, struct maildir_fact *f,
    enum maildir_text which, struct arena *scratch, const struct mime_header *h,
    const char *name)
{
	const struct mime_field *field;

	for (size_t i = 0; (field = mime_header_get(h, name, i)) != NULL; i++) {
		maildir_facts_add_text(k, f, which,
		    mime_header_text(scratch, field->value));
		maildir_facts_add_text(k, f, which, S("\n"));
	}
}

/* In normal form: a folded id is one id. */
static void
maildir_facts_add_ids(struct making *k, struct maildir_fact *f,
    enum maildir_text which, struct arena *scratch, const struct mime_header *h,
    const char *name)
{
	struct strs ids = { 0 };

	backend_link_field(scratch, h, name, &ids);
	for (size_t i = 0; i < ids.n; i++)
		maildir_facts_add_text(k, f, which, ids.v[i]);
}

/* Reads a message's header; an unreadable one is left open. */
static int
read_fact(struct making *k, const struct maildir_file *file,
    struct maildir_fact *f, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	CLEANUP(path_close) int fd = -1;
	struct mime_header h;
	struct str head = { 0 };
	struct stat st;
	bool moved;
	int found = maildir_index_open(k->m, file, &fd, &st, &moved, e);

	f->open = 1;
	if (found <= 0)
		return found;
	scratch = arena_open(LIMIT_ARENA);
	if (maildir_bytes_head(fd, scratch, &head, e) < 0)
		return -1;
	f->open = 0;
	f->received_s = st.st_mtim.tv_sec;
	mime_header_parse(scratch, head, &h);
	maildir_facts_add_ids(k, f, MAILDIR_MESSAGE_ID, scratch, &h,
	    "Message-ID");
	maildir_facts_add_ids(k, f, MAILDIR_REFERS, scratch, &h, "References");
	maildir_facts_add_ids(k, f, MAILDIR_REFERS, scratch, &h, "In-Reply-To");
	maildir_facts_add_fields(k, f, MAILDIR_LIST, scratch, &h, "List-Id");
	return 0;
}

/* The old fact, if it was complete. */
static const struct maildir_fact *
maildir_facts_known(struct making *k, struct str id)
{
	const struct maildir_facts *x = &k->m->facts;

	for (; k->old < x->n; k->old++) {
		const struct maildir_fact *f = &x->v[k->old];
		int c = str_cmp(maildir_facts_text_of(x, f, MAILDIR_ID), id);

		if (c == 0 && f->open == 0)
			return f;
		if (c > 0)
			break;
	}
	return NULL;
}

static int
maildir_facts_make_one(struct making *k, const struct maildir_file *file,
    struct err *e)
{
	const struct maildir_facts *x = &k->m->facts;
	const struct maildir_fact *was = maildir_facts_known(k, file->id);
	struct maildir_fact *f = &k->v[k->n];

	*f = (struct maildir_fact){ .text_at = k->text.n };
	maildir_facts_add_text(k, f, MAILDIR_ID, file->id);
	if (was == NULL) {
		if (backend_in_time(k->m->conn.acct, MAILDIR_LATE, e) < 0 ||
		    read_fact(k, file, f, e) < 0)
			return -1;
		k->fresh++;
	} else {
		f->received_s = was->received_s;
		for (int i = MAILDIR_MESSAGE_ID; i < MAILDIR_TEXTS; i++)
			maildir_facts_add_text(k, f, (enum maildir_text)i,
			    maildir_facts_text_of(x, was,
				(enum maildir_text)i));
	}
	k->n++;
	return 0;
}

/* Replaces the old facts by the new ones, and saves them. */
static void
maildir_facts_settle(struct making *k, bool whole)
{
	struct maildir *m = k->m;
	/* Reading a few again is cheaper than writing all of them. */
	bool save = k->fresh > MAILDIR_FEW / 10 + k->n / 64;

	maildir_facts_drop(m);
	m->facts.a = k->a;
	m->facts.v = k->v;
	m->facts.n = k->n;
	m->facts.text = buf_view(&k->text);
	m->facts.whole = whole;
	if (save)
		maildir_facts_file_save(m);
}

int
maildir_facts_need(struct maildir *m, struct err *e)
{
	struct making k = { .m = m };
	size_t n;
	int r = 0;

	if (m->facts.whole)
		return 0;
	if (maildir_index_whole(m, e) < 0)
		return -1;
	n = m->index.n;
	if (m->facts.v == NULL && !maildir_facts_file_load(m))
		maildir_facts_drop(m);
	k.a = arena_open(LIMIT_ARENA);
	k.v = arena_array(k.a, n, sizeof(*k.v));
	buf_init(&k.text, k.a, TEXTS_MAX + TEXT_MAX);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = maildir_facts_make_one(&k, &m->index.v[i], e);
		if (m->conn.acct->progress != NULL && k.fresh % 1000 == 999)
			m->conn.acct->progress(i + 1, n);
	}
	/* What was made in time is available to the next call. */
	maildir_facts_settle(&k, r == 0);
	return r;
}

static struct str
maildir_facts_id_at(const void *ctx, size_t i)
{
	const struct maildir_facts *x = ctx;

	return maildir_facts_text_of(x, &x->v[i], MAILDIR_ID);
}

static const struct maildir_fact *
maildir_facts_find(const struct maildir_facts *x, struct str id)
{
	size_t i = backend_place(x, x->n, id, maildir_facts_id_at);

	return i < x->n ? &x->v[i] : NULL;
}

bool
maildir_facts_fit(const struct maildir *m, struct str id, const struct query *q,
    struct str list_id)
{
	const struct maildir_facts *x = &m->facts;
	const struct maildir_fact *f = maildir_facts_find(x, id);
	struct str lists;

	if (f == NULL || f->open != 0)
		return true;
	if (q->received_s != 0 && f->received_s <= q->received_s)
		return false;
	lists = maildir_facts_text_of(x, f, MAILDIR_LIST);
	return str_find_case(maildir_facts_text_of(x, f, MAILDIR_MESSAGE_ID),
		   q->message_id) >= 0 &&
	    (lists.n == 0 || str_find_case(lists, list_id) >= 0);
}

bool
maildir_facts_names(const struct maildir *m, size_t i, struct arena *a,
    struct str *id, struct strs *names)
{
	const struct maildir_facts *x = &m->facts;
	const struct maildir_fact *f = &x->v[i];

	*id = maildir_facts_text_of(x, f, MAILDIR_ID);
	*names = (struct strs){ 0 };
	backend_link_cut(a, maildir_facts_text_of(x, f, MAILDIR_MESSAGE_ID),
	    names);
	backend_link_cut(a, maildir_facts_text_of(x, f, MAILDIR_REFERS), names);
	return f->open == 0;
}
