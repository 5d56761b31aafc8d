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

static int
imap_move_send_status(struct imap_moving *t, struct imap_cmd *c, struct err *e)
{
	if (imap_command_begin(t->s, c, "STATUS ", e) < 0 ||
	    imap_command_name(t->s, c, t->name, e) < 0 ||
	    imap_command_say(t->s, c, S(" (UIDNEXT UIDVALIDITY)"), e) < 0)
		return -1;
	return imap_command_end(t->s, c, e);
}

/* As imap_session.code. */
static void
imap_move_take_code(struct imap_session *s, struct str word, struct str rest,
    void *ctx)
{
	struct imap_moving *t = ctx;

	if (!s->examining || !str_eq_case(word, S("PERMANENTFLAGS")))
		return;
	t->told = true;
	t->removes = imap_keyword_among(rest, S("\\Deleted"));
}

/* Both folders and all messages, in one flight. */
static int
imap_move_look(struct imap_moving *t, struct err *e)
{
	const struct imap_cmd *bad;
	struct imap_parts search;
	struct imap_cmd status;

	t->s->code = imap_move_take_code;
	t->s->code_ctx = t;
	if (imap_move_send_status(t, &status, e) < 0 ||
	    imap_session_write(t->s, t->from, e) < 0 ||
	    imap_moving_send_search(t, &search, e) < 0 ||
	    imap_session_settle(t->s, e) < 0 ||
	    imap_command_wait(t->s, &status, e) < 0 ||
	    imap_parts_wait(t->s, &search, &bad, e) < 0)
		return -1;
	if (status.status != IMAP_OK)
		return imap_command_refused(&status, ERR_NOT_FOUND, not_found,
		    e);
	if (bad != NULL)
		return imap_command_refused(bad, ERR_NETWORK,
		    "the server refused the search", e);
	if (imap_moving_count(t) != t->uids.n)
		return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	t->uidvalidity = t->s->st.uidvalidity;
	return 0;
}

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

	if ((caps & (IMAP_CAP_MOVE | IMAP_CAP_UIDPLUS)) == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server can neither move messages (MOVE) nor "
		    "remove single ones (UIDPLUS)");
	if (imap_move_look(t, e) < 0)
		return -1;
	/* It is there already; to move it would give it another uid. */
	if (str_eq(t->from, t->to)) {
		memcpy(t->copied.to, t->uids.v,
		    t->uids.n * sizeof(*t->copied.to));
		return 0;
	}
	t->s->code = imap_copied_take;
	t->s->code_ctx = &t->copied;
	if (caps & IMAP_CAP_MOVE)
		return imap_move_with_move(t, e);
	return imap_copy(t, e);
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
    const struct refs *refs, struct str to, struct refs *moved, struct err *e)
{
	uint32_t *at = arena_array(a, refs->n, sizeof(*at));
	struct imap_moving t = { .s = s,
		.a = a,
		.copied = { .to = at },
		.from = imap_move_folder(folder),
		.to = imap_move_folder(to) };

	*moved = (struct refs){ arena_array(a, refs->n, sizeof(*moved->v)),
		refs->n };
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
	for (size_t i = 0; i < refs->n; i++)
		moved->v[i].uid = at[imap_uids_place(&t.uids, refs->v[i].uid)];
	return 0;
}
