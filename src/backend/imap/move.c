/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into another folder: UID MOVE, RFC 6851.
 *
 * The first flight asks whether the target and every message are there; only
 * then is anything moved.  A server may still move some and refuse others
 * (RFC 6851 section 4.4): if it does not tell that all are gone, it is asked
 * which are left, in a flight of its own.  Dovecot answers a search that is
 * sent behind a MOVE as if nothing had been moved yet.
 */
#include "backend/imap/change.h"

static const char not_found[] = "no such folder or message";

/* Says how many were moved, and to the operator which. */
static int
imap_move_partly(struct imap_moving *t, size_t left, const struct imap_cmd *bad,
    struct err *e)
{
	uint32_t *gone = arena_array(t->a, t->uids.n, sizeof(*gone));
	size_t n = 0, from = 0;
	struct str set;
	char say[160];

	for (size_t i = 0; i < t->uids.n; i++)
		if (!imap_set_has(&t->here, t->uids.v[i]))
			gone[n++] = t->uids.v[i];
	set = imap_set_text(t->a, gone, n, &from);
	*e = (struct err){ 0 };
	if (bad != NULL)
		(void)imap_moving_refused(t, bad, e);
	(void)snprintf(say, sizeof(say),
	    "the server moved %zu of %zu messages: look where they are before "
	    "you move them again",
	    t->uids.n - left, t->uids.n);
	(void)imap_parts_unknown(e, say);
	return err_because(e, "imap: moved %.*s", STR_ARG(str_first(set, 200)));
}

static int
imap_move_with_move(struct imap_moving *t, struct err *e)
{
	const struct imap_ask ask = { .verb = "UID MOVE ",
		.words = " ",
		.folder = t->name };
	const struct imap_cmd *bad;
	struct imap_parts move;
	size_t left;

	t->unanswered = true;
	t->expunged = t->s->expunged;
	if (imap_parts_send(t->s, &move, &ask, &t->uids, e) < 0 ||
	    imap_parts_wait(t->s, &move, &bad, e) < 0 ||
	    imap_moving_left(t, bad == NULL, &left, e) < 0)
		return -1;
	if (bad == NULL && left == 0)
		return 0;
	/* All are where they were, and no copy was told. */
	if (bad != NULL && left == t->uids.n && t->copied.n == 0 &&
	    !t->copied.wrong)
		return imap_moving_refused(t, bad, e);
	return imap_move_partly(t, left, bad, e);
}

static int
imap_move_run(struct imap_moving *t, struct err *e)
{
	const unsigned caps = t->s->caps;

	if (imap_moving_is_rest(t))
		return imap_rest(t, e);
	if ((caps & (IMAP_CAP_MOVE | IMAP_CAP_UIDPLUS)) == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server can neither move messages (MOVE) nor "
		    "remove single ones (UIDPLUS)");
	t->copies = (caps & IMAP_CAP_MOVE) == 0 && !str_eq(t->from, t->to);
	if (imap_look(t, e) < 0)
		return -1;
	/* It is there already; to move it would give it another uid. */
	if (str_eq(t->from, t->to)) {
		memcpy(t->copied.to, t->uids.v,
		    t->uids.n * sizeof(*t->copied.to));
		return 0;
	}
	t->s->code = imap_copied_take;
	t->s->code_ctx = &t->copied;
	return t->copies ? imap_copy(t, e) : imap_move_with_move(t, e);
}

/* INBOX is INBOX in any case, RFC 9051 section 5.1. */
static struct str
imap_move_folder(struct str name)
{
	return str_eq_case(name, S("INBOX")) ? S("INBOX") : name;
}

static int
imap_move_begin(struct imap_moving *t, const struct refs *refs, struct err *e)
{
	for (size_t i = 0; i < refs->n; i++)
		if (refs->v[i].uid == 0)
			return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	t->uids = imap_uids_of(t->a, refs);
	t->copied.from = &t->uids;
	if (imap_parts_fit(&t->uids, e) < 0 || imap_session_caps(t->s, e) < 0)
		return -1;
	return imap_append_name(t->s, t->to, &t->name, e);
}

int
imap_move(struct imap_session *s, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e)
{
	uint32_t *at = arena_array(a, refs->n, sizeof(*at));
	struct imap_moving t = { .s = s,
		.a = a,
		.refs = refs,
		.by = by,
		.copied = { .to = at },
		.from = imap_move_folder(folder),
		.to = imap_move_folder(to) };

	*moved = (struct refs){ 0 };
	if (refs->n == 0)
		return 0;
	if (imap_move_begin(&t, refs, e) < 0)
		return -1;
	if (imap_move_run(&t, e) < 0) {
		if (!t.unanswered || e->kind == ERR_UNKNOWN_OUTCOME)
			return -1;
		return imap_parts_unknown(e,
		    "the server did not say whether it moved the messages: "
		    "look where they are before you move them again");
	}
	if (imap_moving_is_rest(&t))
		*moved = *by->copies;
	else
		imap_moving_told(&t, moved);
	return 0;
}
