/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address where a person can see a thread: by the operator's template, or
 * else by the kind of source; never made up.
 */
#include "gate/thread.h"
#include "source/ponymid.h"
#include "source/url.h"

static int
mailbox_thread_url_none(struct err *e)
{
	return err_set(e, ERR_UNSUPPORTED,
	    "this source has no address for that thread");
}

/*
 * The name that a Pony Mail archive has for it, or would have: that needs the
 * bytes.
 */
static int
mailbox_thread_url_hash_of(struct mailbox *m, const struct mailbox_thread *t,
    bool fetch, struct str *out, struct mailbox_thread_address *to,
    struct err *e)
{
	const struct mailbox_thread_message *first = mailbox_thread_first(t);
	struct str raw;

	if (str_eq(str_of(t->name.kind), S("ponymail-mid"))) {
		*out = t->name.id;
		return 0;
	}
	if (!fetch || first == NULL || m->src->acct.list.n == 0)
		return mailbox_thread_url_none(e);
	if (mailbox_thread_body(m, first, &raw, e) < 0)
		return -1;
	*out = ponymid_of(m->arena, raw, m->src->acct.list);
	to->kind = "computed";
	return 0;
}

static int
mailbox_thread_url_by_template(struct mailbox *m,
    const struct mailbox_thread *t, bool fetch,
    struct mailbox_thread_address *to, struct err *e)
{
	struct str template = m->src->acct.thread_url;
	struct url_parts parts = { .id = t->name.id,
		.list = m->src->acct.list };

	to->kind = "archive";
	if (url_wants(template, S("<hash>")) &&
	    mailbox_thread_url_hash_of(m, t, fetch, &parts.hash, to, e) < 0)
		return -1;
	return url_fill(m->arena, template, &parts, &to->url)
	    ? 0
	    : mailbox_thread_url_none(e);
}

/* RFC 5092: the address of one message, if a thread has none. */
static int
mailbox_thread_url_by_imap(struct mailbox *m, const struct mailbox_thread *t,
    struct mailbox_thread_address *to, struct err *e)
{
	const struct mailbox_thread_message *first = mailbox_thread_first(t);

	if (first == NULL || !first->uids)
		return mailbox_thread_url_none(e);
	to->kind = "imap";
	to->url = str_fmt(m->arena, "imap://%.*s/%.*s;UID=%u",
	    STR_ARG(url_encode(m->arena, m->src->acct.imap_host)),
	    STR_ARG(url_encode(m->arena, first->folder)), first->mail.uid);
	return 0;
}

int
mailbox_thread_url(struct mailbox *m, const struct mailbox_thread *t,
    bool fetch, struct mailbox_thread_address *to, struct err *e)
{
	const struct store_account *acct = &m->src->acct;
	struct arena *a = m->arena;
	struct str site = acct->url;

	*to = (struct mailbox_thread_address){ 0 };
	if (acct->thread_url.n > 0)
		return mailbox_thread_url_by_template(m, t, fetch, to, e);
	if (str_eq(acct->backend, S("gmail"))) {
		to->kind = "webmail";
		to->url = str_fmt(a,
		    "https://mail.google.com/mail/?authuser=%.*s#all/%.*s",
		    STR_ARG(url_encode(a, acct->from_addr)),
		    STR_ARG(url_encode(a, t->name.id)));
		return 0;
	}
	if (str_eq(acct->backend, S("ponymail")) && site.n > 0) {
		while (site.n > 0 && site.p[site.n - 1] == '/')
			site.n--;
		to->kind = "archive";
		to->url = str_fmt(a, "%.*s/thread/%.*s", STR_ARG(site),
		    STR_ARG(url_encode(a, t->name.id)));
		return 0;
	}
	if (str_eq(acct->backend, S("imap")))
		return mailbox_thread_url_by_imap(m, t, to, e);
	return mailbox_thread_url_none(e);
}
