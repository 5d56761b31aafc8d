/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gmail by its REST API, version 1.  It reads, makes drafts, and changes labels
 * of messages; all that it may request is in url.c. Mail from such an account
 * is sent by SMTP.
 */
#include "backend/gmail/change.h"
#include "backend/gmail/internal.h"
#include "backend/internal.h"
#include "base/clock.h"

static int
gmail_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct gmail *g = arena_new(a, struct gmail);

	g->conn.be = &gmail_backend;
	g->conn.acct = acct;
	g->a = a;
	if (gmail_url_root(a, acct->url, &g->root, e) < 0)
		return -1;
	*out = &g->conn;
	return 0;
}

static void
gmail_close(struct conn *c)
{
	struct gmail *g = (struct gmail *)c;

	if (g == NULL)
		return;
	gmail_thread_drop(g);
	http_close(&g->http);
}

/* Labels and counts are asked for again. */
static void
gmail_again(struct conn *c, bool prove)
{
	struct gmail *g = (struct gmail *)c;

	/* libcurl finds that a connection is gone, and opens one. */
	(void)prove;
	gmail_thread_drop(g);
	*g = (struct gmail){ .conn = g->conn,
		.a = g->a,
		.http = g->http,
		.no_batch = g->no_batch,
		.root = g->root };
}

static int
gmail_slot_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	struct conn *c = NULL;

	if (gmail_open(acct, a, &c, e) < 0) {
		backend_probe_fail(a, out, "account", since, e);
		return 0;
	}
	gmail_probe((struct gmail *)c, a, out);
	gmail_close(c);
	return 0;
}

const struct backend gmail_backend = {
	.name = "gmail",
	.caps = CAP_READ | CAP_THREADS | CAP_DRAFT | CAP_SEARCH | CAP_MARK |
	    CAP_LABEL | CAP_MOVE | CAP_PLACES,
	.flags = FLAG_READ | FLAG_FLAGGED,
	.keeps = KEEP_NAME | KEEP_USERNAME | KEEP_URL,
	.open = gmail_open,
	.close = gmail_close,
	.again = gmail_again,
	.folders = gmail_label_folders,
	.find = gmail_find,
	.headers = gmail_find_headers,
	.body = gmail_body,
	.scan = gmail_scan,
	.drafts = gmail_draft_folder,
	.draft = gmail_draft,
	.mark = gmail_mark,
	.move = gmail_move,
	.move_back = gmail_move_back,
	.probe = gmail_slot_probe,
};
