/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that is ever asked of Gmail.  Whatever sends, imports, inserts or
 * destroys is not in the list; messages only change by their labels.  What is
 * not in the list is a bug that ends the program: no Google scope lets one
 * draft without letting one send, so that we never send is here and nowhere
 * else.
 */
#include "backend/gmail/internal.h"

/* "*" stands for one id. */
static const struct {
	bool post;
	struct str path;
} calls[] = {
	{ false, SI(GMAIL_ME "/profile") }, { false, SI(GMAIL_ME "/labels") },
	{ false, SI(GMAIL_ME "/labels/*") },
	{ false, SI(GMAIL_ME "/messages") },
	{ false, SI(GMAIL_ME "/messages/*") },
	{ false, SI(GMAIL_ME "/threads/*") },
	{ false, SI(GMAIL_ME "/history") }, { false, SI(GMAIL_ME "/drafts") },
	{ true, SI(GMAIL_ME "/drafts") }, /* makes one; drafts/send sends */
	{ true, SI(GMAIL_ME "/labels") }, /* makes one */
	{ true, SI(GMAIL_ME "/messages/batchModify") }, /* changes labels */
	{ true, SI(GMAIL_BATCH_PATH) }, /* batch.c puts only GET into it */
};

bool
gmail_url_is_id(struct str id)
{
	if (id.n == 0 || id.n > GMAIL_ID)
		return false;
	for (size_t i = 0; i < id.n; i++) {
		char c = id.p[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
		    !(c >= 'A' && c <= 'Z') && c != '-' && c != '_')
			return false;
	}
	return true;
}

bool
gmail_url_allowed(bool post, struct str path)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct str p = calls[i].path;

		if (calls[i].post != post)
			continue;
		if (p.p[p.n - 1] != '*') {
			if (str_eq(path, p))
				return true;
			continue;
		}
		p.n--;
		if (str_starts(path, p) && gmail_url_is_id(str_from(path, p.n)))
			return true;
	}
	return false;
}

void
gmail_url_check(bool post, struct str path)
{
	if (!gmail_url_allowed(post, path))
		err_bug("Gmail is never asked %s %.*s", post ? "POST" : "GET",
		    STR_ARG(path));
}

void
gmail_url_param(struct buf *b, const char *name, struct str value)
{
	buf_char(b, str_has_char(buf_view(b), '?') ? '&' : '?');
	buf_text(b, name);
	buf_char(b, '=');
	buf_percent(b, value, "(),/:");
}

int
gmail_url_root(struct arena *a, struct str url, struct str *root, struct err *e)
{
	struct str host;

	if (url.n == 0) {
		*root = S("https://gmail.googleapis.com");
		return 0;
	}
	while (str_ends(url, S("/")))
		url.n--;
	if (str_ends(url, S(GMAIL_ME)))
		url.n -= sizeof(GMAIL_ME) - 1;
	(void)str_cut(str_from(url, str_starts(url, S("https://")) ? 8 : 7),
	    '/', &host, &host);
	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(url) || host.n > 0 || str_has_char(url, '?'))
		return err_set(e, ERR_CONFIG,
		    "the account's --url is not a Gmail address: give https "
		    "(or http to this machine) and only a host");
	*root = str_dup(a, url);
	return 0;
}
