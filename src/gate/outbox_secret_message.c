/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every place of a message in which a secret may be, and every form in which a
 * reader may see it there.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_secret.h"

/* How much is looked for in a text of that size. */
static int
outbox_secret_message_depth(size_t n)
{
	return n <= LIMIT_SECRET_DEEP ? 2 : n <= LIMIT_SECRET_VIEWS ? 1 : 0;
}

bool
outbox_secret_message_is_whole(const struct mime_message *m, size_t nth)
{
	int depth = outbox_secret_message_depth(m->part[nth].body.n);

	for (int up = m->part[nth].parent; up >= 0; up = m->part[up].parent)
		if (m->part[up].is_message)
			return depth >
			    outbox_secret_message_depth(m->part[up].body.n);
	return true;
}

/* The fields of a message that is passed on were written by others. */
static const char *
outbox_secret_message_fields(const struct outbox_secret *w,
    const struct mime_header *h)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct buf b;

	buf_init(&b, a, LIMIT_OUTGOING);
	for (size_t i = 0; i < h->n; i++) {
		buf_str(&b, mime_header_text(a, h->field[i].value));
		buf_char(&b, '\n');
	}
	return b.over ? "unread" : outbox_secret_text(w, buf_view(&b));
}

/* What a reader shows of a text: in its charset, and of HTML the page. */
static const char *
outbox_secret_message_shown(const struct outbox_secret *w, struct arena *a,
    const struct mime_part *p, struct str bytes)
{
	struct str text = mime_part_text(a, p);
	const char *kind =
	    str_eq(text, bytes) ? NULL : outbox_secret_text(w, text);

	if (kind == NULL && str_eq(p->type, S("text/html")))
		kind = outbox_secret_text(w, mime_part_page(a, text));
	return kind;
}

static const char *
outbox_secret_message_leaf(const struct outbox_secret *w,
    const struct mime_part *p)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str bytes = mime_part_decode(a, p);
	const char *kind = outbox_secret_text(w, bytes);

	if (kind == NULL && str_starts(p->type, S("text/")))
		kind = outbox_secret_message_shown(w, a, p, bytes);
	return kind;
}

static const char *
outbox_secret_message_part(const struct outbox_secret *w, struct arena *a,
    const struct mime_message *m, size_t nth)
{
	const struct mime_part *p = &m->part[nth];
	const char *kind = outbox_secret_text(w, mime_part_name(a, p));

	if (kind == NULL && nth > 0)
		kind = outbox_secret_message_fields(w, &p->header);
	if (kind != NULL || p->is_multipart)
		return kind;
	/* All of a message: its header, and what is between its parts. */
	if (p->is_message)
		return outbox_secret_message_is_whole(m, nth)
		    ? outbox_secret_text(w, p->body)
		    : NULL;
	return outbox_secret_message_leaf(w, p);
}

const char *
outbox_secret_message(const struct outbox_secret *w, struct str message,
    const struct recipient *to, size_t n)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct mime_field *subject;
	struct mime_message m;
	const char *kind = NULL;

	mime_message_parse(a, message, &m);
	if (m.over || m.n == 0)
		return "unread";
	for (size_t i = 0; kind == NULL && i < n; i++)
		kind = outbox_secret_text(w, to[i].addr);
	if (kind == NULL)
		kind = outbox_secret_text(w,
		    str_first(message, m.part[0].header.size));
	subject = mime_header_get(&m.part[0].header, "Subject", 0);
	if (kind == NULL && subject != NULL)
		kind =
		    outbox_secret_text(w, mime_header_text(a, subject->value));
	for (size_t i = 0; kind == NULL && i < m.n; i++)
		kind = outbox_secret_message_part(w, a, &m, i);
	return kind;
}

int
outbox_secret_message_search(struct outbox_secret *w, struct str message,
    const struct recipient *to, size_t n, const char **kind, struct err *e)
{
	int again;

	do {
		*kind = outbox_secret_message(w, message, to, n);
		again = store_own_settle(w->own, e);
	} while (again > 0);
	return again;
}
