/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every folder and what it is for: LIST, RFC 9051 sections 6.3.9 and 7.3.1,
 * RFC 6154 (roles), RFC 8457 (\Important).
 */
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "base/limits.h"
#include "base/utf8.h"

struct listing {
	struct arena *a;
	struct folders found;
};

static void
imap_list_read_attributes(const struct imap_node *list, struct folder *f)
{
	static const struct {
		const char *name;
		enum folder_role role;
	} roles[] = {
		{ "\\All", FOLDER_ALL },
		{ "\\Archive", FOLDER_ARCHIVE },
		{ "\\Drafts", FOLDER_DRAFTS },
		{ "\\Flagged", FOLDER_FLAGGED },
		{ "\\Important", FOLDER_IMPORTANT },
		{ "\\Junk", FOLDER_JUNK },
		{ "\\Sent", FOLDER_SENT },
		{ "\\Trash", FOLDER_TRASH },
	};

	for (const struct imap_node *n = list->child; n != NULL; n = n->next) {
		if (imap_token_is(n, "\\Noselect") ||
		    imap_token_is(n, "\\NonExistent"))
			f->selectable = false;
		for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
			if (imap_token_is(n, roles[i].name))
				f->role = roles[i].role;
	}
}

/*
 * The name in the form for callers; false: it has none.  Valid until the next
 * response is read, so that unusable names cost no memory.
 */
static bool
imap_list_read_name(const struct imap_session *s, struct str sent,
    struct str *out)
{
	if (sent.n == 0 || sent.n > LIMIT_FOLDER_NAME)
		return false;
	if (!s->utf8 && imap_utf7_decode(s->reader.scratch, sent, out))
		return out->n <= LIMIT_FOLDER_NAME;
	/* Some servers send UTF-8 without being asked to. */
	if (!utf8_valid(sent))
		return false;
	*out = sent;
	return true;
}

static int
imap_list_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	const struct imap_node *n, *mark, *name;
	struct folder f = { .selectable = true };
	struct listing *l = ctx;
	struct str given;

	if (!str_eq_case(r->name, S("LIST")))
		return 0;
	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0)
		return -1;
	mark = imap_token_at(n, 1);
	name = imap_token_at(n, 2);
	if (!imap_token_has_text(mark) || !imap_token_has_text(name) ||
	    n->kind != IMAP_LIST)
		return imap_read_nonsense(e, "LIST");
	if (!imap_list_read_name(s, name->text, &given))
		return 0;
	f.name = str_dup(l->a, given);
	if (mark->kind != IMAP_NIL && mark->text.n == 1)
		f.delimiter = mark->text.p[0];
	imap_list_read_attributes(n, &f);
	if (str_eq_case(f.name, S("INBOX")))
		f.role = FOLDER_INBOX;

	if (l->found.n == LIMIT_FOLDERS) {
		(void)err_set(e, ERR_LIMIT, "the account has too many folders");
		return err_conn(e);
	}
	l->found.v = arena_more(l->a, l->found.v, l->found.n, sizeof(f));
	l->found.v[l->found.n++] = f;
	return 0;
}

int
imap_list(struct imap_session *s, struct arena *a, struct folders *out,
    struct err *e)
{
	const unsigned both = IMAP_CAP_LIST_EXTENDED | IMAP_CAP_SPECIAL_USE;
	struct listing l = { .a = a };
	struct imap_cmd c;

	/*
	 * Roles depend on capabilities that most servers announce only after
	 * the login.
	 */
	if (imap_session_caps(s, e) < 0)
		return -1;
	s->data = imap_list_take;
	s->ctx = &l;
	if (imap_command_begin(s, &c, "LIST \"\" \"*\"", e) < 0)
		return -1;
	if ((s->caps & both) == both &&
	    imap_command_say(s, &c, S(" RETURN (SPECIAL-USE)"), e) < 0)
		return -1;
	if (imap_command_end(s, &c, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	if (c.status != IMAP_OK)
		return imap_command_refused(&c, ERR_NETWORK,
		    "the server did not list its folders", e);
	*out = l.found;
	return 0;
}
