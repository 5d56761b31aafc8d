/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder for drafts, and saving a draft there.  Whether a folder is
 * writable is asked and never tried: with MYRIGHTS (RFC 4314), or with SELECT,
 * whose answer says READ-WRITE (RFC 9051 section 6.3.2) and which EXAMINE
 * follows immediately: unlike CLOSE, that leaves the folder unchanged.
 */
#include "backend/imap/internal.h"
#include "mime/header.h"

/* How many messages with one Message-ID are checked. */
#define LOOKED_AT 8

static int
imap_draft_no_drafts(struct err *e, const char *say, const char *why)
{
	*e = (struct err){ 0 };
	(void)err_set(e, ERR_UNSUPPORTED, "%s", say);
	(void)err_hint(e,
	    "name a writable folder: emcli account edit --drafts-folder");
	return err_because(e, "imap: drafts: %s", why);
}

/*
 * The folder that the operator named, or the first with that role (RFC 6154).
 */
static int
imap_draft_choose(struct imap_session *s, struct arena *a, struct str *out,
    struct err *e)
{
	struct folders f = { 0 };

	*out = s->conn.acct->drafts_folder;
	if (out->n > 0)
		return 0;
	if (imap_list(s, a, &f, e) < 0)
		return -1;
	for (size_t i = 0; i < f.n; i++) {
		if (f.v[i].role != FOLDER_DRAFTS || !f.v[i].selectable)
			continue;
		*out = f.v[i].name;
		return 0;
	}
	return imap_draft_no_drafts(e, "the account has no folder for drafts",
	    "no folder is marked \\Drafts");
}

static int
imap_draft_ask_rights(struct imap_session *s, struct imap_rights *x,
    struct err *e)
{
	struct imap_cmd c;

	s->data = imap_rights_take;
	s->ctx = x;
	if (imap_rights_send(s, x, &c, e) < 0 ||
	    imap_command_wait(s, &c, e) < 0)
		return -1;
	s->data = NULL;
	/* If a server does not answer this, the other way is used. */
	x->told = x->told && c.status == IMAP_OK;
	return 0;
}

/* In one flight; the folder is examined afterwards. */
static int
imap_draft_ask_select(struct imap_session *s, struct str folder,
    struct str name, bool *writable, struct err *e)
{
	struct imap_cmd c;

	s->examined = false;
	if (imap_command_begin(s, &c, "SELECT ", e) < 0 ||
	    imap_command_name(s, &c, name, e) < 0 ||
	    imap_command_end(s, &c, e) < 0 ||
	    imap_session_select(s, folder, e) < 0 ||
	    imap_session_settle(s, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	*writable = c.status == IMAP_OK && strcmp(c.code, "READ-WRITE") == 0;
	return 0;
}

static int
imap_draft_is_writable(struct imap_session *s, struct str folder, bool *out,
    struct err *e)
{
	struct imap_rights x = { 0 };

	if (imap_session_caps(s, e) < 0 ||
	    imap_append_name(s, folder, &x.name, e) < 0)
		return -1;
	if ((s->caps & IMAP_CAP_ACL) != 0 &&
	    imap_draft_ask_rights(s, &x, e) < 0)
		return -1;
	*out = x.insert;
	return x.told ? 0 : imap_draft_ask_select(s, folder, x.name, out, e);
}

int
imap_draft_folder(struct imap_session *s, struct arena *a, struct str *folder,
    struct err *e)
{
	struct str chosen;
	bool writable = false;

	if (imap_draft_choose(s, a, &chosen, e) < 0)
		return -1;
	if (imap_draft_is_writable(s, chosen, &writable, e) < 0)
		return e->kind == ERR_NOT_FOUND && e->scope != ERR_SCOPE_CONN
		    ? imap_draft_no_drafts(e,
			  "the account's drafts folder does not exist",
			  "it cannot be opened")
		    : -1;
	if (!writable)
		return imap_draft_no_drafts(e,
		    "the account's drafts folder is not writable", "read-only");
	*folder = str_dup(a, chosen);
	return 0;
}

/* The first Message-ID of a header, or an empty string. */
static struct str
imap_draft_id_of(struct arena *a, struct str head)
{
	const struct mime_field *f;
	struct mime_header h;
	struct strs ids = { 0 };

	mime_header_parse(a, head, &h);
	f = mime_header_get(&h, "Message-ID", 0);
	if (f != NULL)
		mime_header_msgids(a, f->value, &ids);
	return ids.n > 0 ? ids.v[0] : S("");
}

struct placing {
	struct arena *a;
	struct str folder, id;
	struct drafted *out;
};

/* Is one of these rows the draft? */
static bool
imap_draft_take_place(const struct placing *p, const struct folder_state *st,
    const struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->v[i];

		if (r->ref.uid == 0 || st->uidvalidity == 0 ||
		    !str_eq(imap_draft_id_of(p->a, r->head), p->id))
			continue;
		p->out->ref.uid = r->ref.uid;
		p->out->id =
		    str_fmt(p->a, "%u:%u", st->uidvalidity, r->ref.uid);
		return true;
	}
	return false;
}

/*
 * Finds the draft.  The server's answer (RFC 4315) counts if a message with
 * that Message-ID is there: otherwise another message could be returned and
 * later replaced.  1, 0 if it is not found, -1.
 */
static int
imap_draft_locate(struct imap_session *s, const struct placing *p,
    const struct imap_appended *said, struct err *e)
{
	struct ref ref = { .uid = said->uid };
	struct refs refs = { &ref, 1 };
	struct query q = { .folder = p->folder, .message_id = p->id };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };

	if (p->id.n == 0)
		return 0;
	/* An open folder may not show new messages yet. */
	s->examined = false;
	if (said->uid != 0) {
		if (imap_fetch_headers(s, p->a, p->folder, &refs, &st, &rows,
			e) < 0)
			return -1;
		if (st.uidvalidity == said->uidvalidity &&
		    imap_draft_take_place(p, &st, &rows))
			return 1;
	}
	if (imap_find(s, p->a, &q, LOOKED_AT, &st, &rows, e) < 0)
		return -1;
	return imap_draft_take_place(p, &st, &rows);
}

/* The connection broke before the answer: is the draft there? */
static int
imap_draft_look_again(struct imap_session *s, const struct placing *p,
    struct err *e)
{
	struct imap_appended nothing = { 0 };
	struct err why = *e, later = { 0 };
	int found;

	imap_session_drop(s);
	found = imap_draft_locate(s, p, &nothing, &later);
	if (found > 0) {
		*e = (struct err){ 0 };
		return 0;
	}
	*e = (struct err){ 0 };
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the server did not say whether it saved the draft: look for it "
	    "before you make another");
	(void)err_because(e, "%s", why.detail);
	return err_conn(e);
}

int
imap_draft(struct imap_session *s, struct arena *a, struct str folder,
    struct str message, struct drafted *out, struct err *e)
{
	struct placing p = { a, folder, imap_draft_id_of(a, message), out };
	struct imap_appended said = { 0 };
	struct err later = { 0 };

	*out = (struct drafted){ 0 };
	if (imap_append(s, folder, message, "(\\Draft \\Seen)", &said, e) < 0)
		return said.unanswered ? imap_draft_look_again(s, &p, e) : -1;
	/* It was saved, even if this check fails. */
	if (imap_draft_locate(s, &p, &said, &later) < 0)
		imap_session_drop(s);
	return 0;
}
