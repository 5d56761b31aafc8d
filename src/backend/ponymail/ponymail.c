/*
 * A Pony Mail archive (Foal's API): mailing lists, read only.
 *
 * A folder is a list, "dev@example.org"; a message's id is the archive's name
 * for it, its mid.  What a list has is asked of `stats`, by months: one
 * question tells how many messages each month has, and only months that have
 * another number than the last time are asked about again.
 *
 * Whoever asks without a session is told masked addresses by every endpoint
 * but `source` ("an...@example.org"), and on a masked From no policy can
 * decide.  So every row is made from the message itself: a question a message,
 * on one connection, and none for what a search has already ruled out.
 *
 * The password, if there is one, is the session of a person who has logged in:
 * the cookie "ponymail=<uuid>", or its value alone.  No endpoint that sends or
 * alters is known here: call.c has the closed list.
 */
#include "backend/ponymail/internal.h"

#include "base/clock.h"

int
ponymail_in_time(const struct pony *p, struct err *e)
{
	if (clock_left_ms(p->conn.acct->deadline_ms) > 0)
		return 0;
	(void)err_set(e, ERR_LIMIT, "reading the archive took too long");
	return err_hint(e, "call again: what was read is known then");
}

int
ponymail_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}

/* No "*": the archive would take it for all lists. */
static bool
is_label(struct str s)
{
	static const struct str plain =
	    SI("-+~_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	       "0123456789");

	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(plain, s.p[i]))
			return false;
	return s.n > 0 && s.n <= LIMIT_FOLDER_NAME;
}

bool
ponymail_folder_cut(struct str folder, struct str *name, struct str *domain)
{
	return str_cut(folder, '@', name, domain) && is_label(*name) &&
	    is_label(*domain);
}

void
ponymail_close(struct conn *c)
{
	struct pony *p = (struct pony *)c;

	if (p == NULL)
		return;
	http_close(&p->http);
	ponymail_heads_keep(p, &p->list);
	ponymail_list_close(&p->list);
	arena_close(&p->kept.a);
}

int
ponymail_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct pony *p = arena_new(a, struct pony);
	struct str base = acct->url;

	while (str_ends(base, S("/")))
		base.n--;
	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(base) || str_has_char(base, '?')) {
		(void)err_set(e, ERR_CONFIG,
		    "the address of the archive is not usable");
		return err_hint(e,
		    "give the archive's address, as https://lists.example.org: "
		    "emcli account edit --url");
	}
	p->conn.be = &ponymail_backend;
	p->conn.acct = acct;
	p->base = str_dup(a, base);
	*out = &p->conn;
	return 0;
}

const struct backend ponymail_backend = {
	.name = "ponymail",
	.caps = CAP_READ | CAP_THREADS,
	.keeps = KEEP_NAME | KEEP_URL,
	.open = ponymail_open,
	.close = ponymail_close,
	.folders = ponymail_session_folders,
	.find = ponymail_find,
	.headers = ponymail_source_headers,
	.body = ponymail_source_body,
	.scan = ponymail_source_ids,
	.probe = ponymail_probe,
};
