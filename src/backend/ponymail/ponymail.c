/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Pony Mail archive (Foal's API): mailing lists, read only.
 *
 * A folder is a list, "dev@example.org"; a message's id is the archive's name
 * for it, its mid.  The contents of a list come from `stats`, by months: one
 * request returns the number of messages per month, and only months whose
 * number changed are requested again.
 *
 * Without a session every endpoint except `source` masks addresses
 * ("an...@example.org"), and policy cannot judge a masked From.  So every row
 * is made from the message itself: one request per message, on one connection,
 * and none for messages that a search has already excluded.
 *
 * The password, if there is one, is the session of a person who has logged in:
 * the cookie "ponymail=<uuid>", or only its value.  No endpoint that sends or
 * changes anything is known here: call.c has the closed list.
 */
#include "backend/ponymail/internal.h"

#include "base/clock.h"

/* What was read goes to its file. */
static void
ponymail_keep(struct pony *p)
{
	ponymail_heads_keep(p, &p->list);
	ponymail_list_close(&p->list);
	arena_close(&p->kept.a);
}

static void
ponymail_close(struct conn *c)
{
	struct pony *p = (struct pony *)c;

	if (p == NULL)
		return;
	http_close(&p->http);
	ponymail_keep(p);
}

static void
ponymail_again(struct conn *c, bool prove)
{
	struct pony *p = (struct pony *)c;

	/* libcurl finds that a connection is gone, and opens one. */
	(void)prove;
	ponymail_keep(p);
	*p = (struct pony){ .conn = p->conn, .http = p->http, .base = p->base };
}

static int
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
		    "the archive's address is not valid");
		return err_hint(e,
		    "give the archive's address, such as "
		    "https://lists.example.org: emcli account edit --url");
	}
	p->conn.be = &ponymail_backend;
	p->conn.acct = acct;
	p->base = str_dup(a, base);
	*out = &p->conn;
	return 0;
}

static int
ponymail_slot_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	struct conn *c = NULL;

	if (ponymail_open(acct, a, &c, e) < 0) {
		backend_probe_fail(a, out, "account", since, e);
		return 0;
	}
	ponymail_probe((struct pony *)c, a, out);
	ponymail_close(c);
	return 0;
}

const struct backend ponymail_backend = {
	.name = "ponymail",
	.caps = CAP_READ | CAP_THREADS,
	.keeps = KEEP_NAME | KEEP_URL,
	.open = ponymail_open,
	.close = ponymail_close,
	.again = ponymail_again,
	.folders = ponymail_session_folders,
	.find = ponymail_find,
	.headers = ponymail_source_headers,
	.body = ponymail_source_body,
	.scan = ponymail_source_ids,
	.probe = ponymail_slot_probe,
};
