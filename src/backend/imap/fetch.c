/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FETCH of the data for a row, RFC 9051 sections 6.4.5 and 7.5.2.  Answers come
 * in any order, in parts, and for messages that were not requested; each is
 * matched by uid or sequence number.
 */
#include "backend/imap/fetch.h"
#include "backend/imap/change.h"
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/limits.h"
#include "mime/date.h"

#define ITEMS                                                                  \
	" (UID FLAGS RFC822.SIZE INTERNALDATE BODYSTRUCTURE"                   \
	" BODY.PEEK[HEADER.FIELDS (FROM SENDER TO CC BCC REPLY-TO SUBJECT"     \
	" DATE MESSAGE-ID IN-REPLY-TO REFERENCES CONTENT-TYPE"                 \
	" AUTHENTICATION-RESULTS AUTO-SUBMITTED PRECEDENCE RETURN-PATH"        \
	" LIST-ID LIST-POST LIST-UNSUBSCRIBE"
#define ITEMS_END ")])"

void
imap_fetch_init(struct imap_fetch *f, struct arena *a, const uint32_t *uids,
    size_t n)
{
	*f = (struct imap_fetch){ .a = a, .uids = uids, .n = n };
	f->row = arena_array(a, n, sizeof(*f->row));
	f->full = arena_array(a, n, sizeof(*f->full));
}

/* The index of a uid in f->uids, which descend; f->n if it is missing. */
static size_t
imap_fetch_place_of(const struct imap_fetch *f, uint32_t uid)
{
	const struct imap_uids u = { f->uids, f->n };

	return imap_uids_place(&u, uid);
}

struct items {
	uint32_t uid;
	const struct imap_node *flags, *size, *date, *structure, *head;
};

/*
 * msg-att: pairs of a name and a value; items that were not requested are
 * skipped.
 */
static int
imap_fetch_read_items(const struct imap_node *n, struct items *out,
    struct err *e)
{
	for (; n != NULL && n->next != NULL; n = n->next->next) {
		const struct imap_node *value = n->next;

		if (imap_token_is(n, "UID")) {
			if (imap_token_uid(value, &out->uid, e) < 0)
				return -1;
		} else if (imap_token_is(n, "FLAGS")) {
			out->flags = value;
		} else if (imap_token_is(n, "RFC822.SIZE")) {
			out->size = value;
		} else if (imap_token_is(n, "INTERNALDATE")) {
			out->date = value;
		} else if (imap_token_is(n, "BODYSTRUCTURE")) {
			out->structure = value;
		} else if (n->kind == IMAP_ATOM &&
		    str_starts_case(n->text, S("BODY[HEADER.FIELDS "))) {
			out->head = value;
		}
	}
	return 0;
}

static void
imap_fetch_fill(struct imap_fetch *f, size_t at, const struct items *it)
{
	struct row *row = &f->row[at];

	row->ref.uid = it->uid;
	if (it->flags != NULL && it->flags->kind == IMAP_LIST)
		imap_keyword_read(f->a, it->flags, row);
	if (imap_token_is_number(it->size))
		(void)str_to_u64(it->size->text, UINT64_MAX >> 1, &row->size);
	if (it->date != NULL)
		(void)date_imap_parse(it->date->text, &row->received_s);
	if (it->structure != NULL)
		row->has_attachments =
		    imap_structure_has_attachments(it->structure);
	/* The first counts: repetitions must not use memory. */
	if (it->head == NULL || it->head->kind == IMAP_LIST || f->full[at])
		return;
	if (it->head->kind == IMAP_LITERAL || it->head->kind == IMAP_QUOTED)
		row->head = str_dup(f->a,
		    str_first(it->head->text, LIMIT_MIME_HEAD + 1));
	f->full[at] = true;
}

int
imap_fetch_items(struct imap_session *s, const struct imap_resp *r,
    const struct imap_node **items, struct err *e)
{
	const struct imap_node *n;

	*items = NULL;
	if (!str_eq_case(r->name, S("FETCH")) || r->number == 0 || r->cut)
		return 0;
	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0) {
		if (e->kind != ERR_LIMIT)
			return -1;
		*e = (struct err){ 0 }; /* skipped, as is a cut one */
		return 0;
	}
	if (n == NULL || n->kind != IMAP_LIST)
		return imap_read_nonsense(e, "FETCH without a list");
	*items = n->child;
	return 0;
}

int
imap_fetch_data(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_fetch *f = ctx;
	const struct imap_node *items;
	struct items it = { 0 };
	size_t at;

	if (imap_fetch_items(s, r, &items, e) < 0 ||
	    imap_fetch_read_items(items, &it, e) < 0)
		return -1;
	if (it.uid == 0)
		return 0;
	if (f->uids != NULL)
		at = imap_fetch_place_of(f, it.uid);
	else
		at = r->number >= f->first ? r->number - f->first : f->n;
	if (at < f->n)
		imap_fetch_fill(f, at, &it);
	return 0;
}

int
imap_fetch_send(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t *from, struct err *e)
{
	if (f->uids != NULL) {
		struct str set = imap_set_text(f->a, f->uids, f->n, from);

		if (imap_command_begin(s, c, "UID FETCH ", e) < 0 ||
		    imap_command_say(s, c, set, e) < 0)
			return -1;
	} else {
		*from = f->n;
		if (imap_command_begin(s, c, "FETCH ", e) < 0 ||
		    wire_say_fmt(s->wire, e, "%u:%u", f->first,
			f->first + (uint32_t)(f->n - 1)) < 0)
			return -1;
	}
	if (imap_command_say(s, c,
		s->conn.acct->trace ? S(ITEMS " RECEIVED" ITEMS_END)
				    : S(ITEMS ITEMS_END),
		e) < 0)
		return -1;
	s->data = imap_fetch_data;
	s->ctx = f;
	return imap_command_end(s, c, e);
}

void
imap_fetch_copy(struct arena *a, struct row *to, const struct row *from)
{
	*to = *from;
	to->head = str_dup(a, from->head);
	to->labels = str_dup_all(a, &from->labels);
}

int
imap_fetch_answer(const struct imap_cmd *c, struct err *e)
{
	/* RFC 5530: some were expunged; the others were sent. */
	if (c->status == IMAP_OK || strcmp(c->code, "EXPUNGEISSUED") == 0)
		return 0;
	(void)imap_command_refused(c, ERR_NETWORK,
	    "the server did not return the messages", e);
	return -1;
}

int
imap_fetch_finish(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t from, struct err *e)
{
	for (;;) {
		if (imap_command_wait(s, c, e) < 0 ||
		    imap_fetch_answer(c, e) < 0)
			return -1;
		if (from == f->n)
			return 0;
		if (imap_fetch_send(s, c, f, &from, e) < 0)
			return -1;
	}
}

int
imap_fetch_headers(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct imap_fetch f;
	struct imap_cmd c;
	struct imap_uids uids = imap_uids_of(a, refs);
	size_t n = uids.n, from = 0, got = 0;
	struct row *row;

	imap_fetch_init(&f, a, uids.v, n);
	if (imap_session_select(s, folder, e) < 0)
		return -1;
	if (n > 0 && imap_fetch_send(s, &c, &f, &from, e) < 0)
		return -1;
	if (imap_session_settle(s, e) < 0)
		return -1;
	if (n > 0 && imap_fetch_finish(s, &c, &f, from, e) < 0)
		return -1;

	row = arena_array(a, refs->n, sizeof(*row));
	for (size_t i = 0; i < refs->n; i++) {
		size_t at = imap_fetch_place_of(&f, refs->v[i].uid);

		if (at < f.n && f.full[at])
			row[got++] = f.row[at];
	}
	*st = s->st;
	*out = (struct rows){ row, got };
	return 0;
}
