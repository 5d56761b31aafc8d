/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session with the archive, and the lists that it shows.  Without a session
 * a private list looks empty, so an empty result must be checked here:
 * invisible is not empty.
 */
#include "backend/ponymail/internal.h"

bool
ponymail_session_is_there(const struct backend_account *acct)
{
	return acct->secret != NULL || (acct->token != NULL && !acct->oauth);
}

void
ponymail_session_for(struct pony *p, struct str folder)
{
	const struct backend_account *acct = p->conn.acct;

	p->inside = ponymail_session_is_there(acct) && acct->list.n > 0 &&
	    (folder.n == 0 || str_eq_case(folder, acct->list));
}

static int
ponymail_session_ask(struct pony *p, struct json_doc **out, struct err *e)
{
	int found = ponymail_call_json(p, PONY_PREFERENCES, S(""), out, e);

	if (found == 0)
		return err_set(e, ERR_CONFIG,
		    "there is no Pony Mail archive at this address");
	return found < 0 ? -1 : 0;
}

static bool
ponymail_session_is_in(const struct json_doc *d)
{
	const struct json_value *login =
	    json_parse_member(json_parse_root(d), "login");

	return json_parse_count(json_parse_member(login, "credentials")) > 0;
}

static int
ponymail_session_ended(struct err *e)
{
	(void)err_set(e, ERR_AUTH, "the archive's session has ended");
	return err_hint(e,
	    "log in to the archive with a browser and set the new cookie "
	    "\"ponymail\": emcli account edit --password-file");
}

int
ponymail_session_check(struct pony *p, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;

	if (!ponymail_session_is_there(p->conn.acct))
		return 0;
	p->inside = true;
	if (ponymail_session_ask(p, &d, e) < 0)
		return -1;
	return ponymail_session_is_in(d) ? 0 : ponymail_session_ended(e);
}

int
ponymail_session_list(struct pony *p, struct str name, struct str domain,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *lists;
	int64_t n = 0;

	if (ponymail_session_ask(p, &d, e) < 0)
		return -1;
	if (p->inside && !ponymail_session_is_in(d))
		return ponymail_session_ended(e);
	lists = json_parse_member(json_parse_root(d), "lists");
	lists = json_parse_member(lists, str_c(a, domain));
	if (!json_parse_int(json_parse_member(lists, str_c(a, name)), &n)) {
		(void)err_set(e, ERR_AUTH,
		    "the list is not visible: it is private or does not exist");
		return err_hint(e,
		    "for a private list, set its name and the cookie "
		    "\"ponymail\" of a person who may read it: emcli account "
		    "edit --list --password-file");
	}
	if (n > 0)
		return err_set(e, ERR_NETWORK,
		    "the archive says that the list has mail, but shows none");
	return 0;
}

static void
ponymail_session_put_folder(struct arena *a, struct folders *out,
    struct str name, struct str domain)
{
	struct str folder =
	    str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(domain));

	if (!ponymail_folder_cut(folder, &name, &domain))
		return;
	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	out->v[out->n++] =
	    (struct folder){ .name = folder, .selectable = true };
}

static int
ponymail_session_by_name(const void *x, const void *y)
{
	const struct folder *f = x, *g = y;

	return str_cmp(f->name, g->name);
}

static bool
ponymail_session_is_among(const struct folders *l, struct str name)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->v[i].name, name))
			return true;
	return false;
}

/*
 * Lists with mail in the last 90 days: the archive returns no others.  The
 * account's own list is a folder all the same.
 */
int
ponymail_session_folders(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct pony *p = (struct pony *)c;
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *all, *lists;
	struct str domain = { 0 }, name;

	*out = (struct folders){ 0 };
	p->inside = false;
	if (ponymail_session_ask(p, &d, e) < 0)
		return -1;
	all = json_parse_member(json_parse_root(d), "lists");
	while ((lists = json_parse_next(all, &domain)) != NULL) {
		name = (struct str){ 0 };
		while (json_parse_next(lists, &name) != NULL) {
			if (out->n == LIMIT_FOLDERS)
				return err_set(e, ERR_LIMIT,
				    "the archive has too many lists");
			ponymail_session_put_folder(a, out, name, domain);
		}
	}
	ponymail_session_for(p, S(""));
	if (!ponymail_session_is_among(out, p->conn.acct->list) &&
	    ponymail_folder_cut(p->conn.acct->list, &name, &domain))
		ponymail_session_put_folder(a, out, name, domain);
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v),
		    ponymail_session_by_name);
	return 0;
}
