/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mail by JMAP.  A connection is an HTTP client and the server's session and
 * folders, both stored beside the store, so that a list takes one request.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"
#include "backend/jmap/put.h"
#include "backend/jmap/query.h"
#include "backend/jmap/url.h"
#include "base/clock.h"

static int
jmap_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	struct jmap *j = arena_new(a, struct jmap);

	j->conn.be = &jmap_backend;
	j->conn.acct = acct;
	j->a = a;
	if (acct->url.n == 0 || acct->url.n > LIMIT_URL)
		return err_set(e, ERR_CONFIG,
		    "the account has no address of a JMAP server");
	j->base = jmap_url_session(a, acct->url);
	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(j->base)) {
		(void)err_set(e, ERR_CONFIG,
		    "the address of the JMAP server is not https, or not "
		    "usable");
		return err_hint(e, "give the server's address with --url");
	}
	*out = &j->conn;
	return 0;
}

static void
jmap_close(struct conn *c)
{
	struct jmap *j = (struct jmap *)c;

	if (j == NULL)
		return;
	jmap_thread_drop(j);
	http_close(&j->http);
}

/* The session and the folders are read from their file again: no request. */
static void
jmap_again(struct conn *c, bool prove)
{
	struct jmap *j = (struct jmap *)c;

	/* libcurl finds that a connection is gone, and opens one. */
	(void)prove;
	jmap_thread_drop(j);
	*j = (struct jmap){ .conn = j->conn,
		.a = j->a,
		.http = j->http,
		.flat = j->flat,
		.base = j->base };
}

static int
jmap_slot_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	int64_t since = clock_mono_ms();
	struct conn *c = NULL;

	if (jmap_open(acct, a, &c, e) < 0) {
		backend_probe_fail(a, out, "jmap.account", since, e);
		return 0;
	}
	jmap_probe((struct jmap *)c, a, out);
	jmap_close(c);
	return 0;
}

const struct backend jmap_backend = {
	.name = "jmap",
	.caps = CAP_READ | CAP_SUBMIT | CAP_APPEND | CAP_THREADS | CAP_DRAFT |
	    CAP_SEARCH | CAP_MARK | CAP_MOVE | CAP_WATCH | CAP_LABEL |
	    CAP_PLACES,
	.flags = FLAG_READ | FLAG_ANSWERED | FLAG_ARCHIVED | FLAG_FLAGGED,
	.keeps = KEEP_USERNAME | KEEP_URL,
	.open = jmap_open,
	.close = jmap_close,
	.again = jmap_again,
	.folders = jmap_folder_list,
	.find = jmap_find,
	.headers = jmap_read_headers,
	.body = jmap_read_body,
	.scan = jmap_query_scan,
	.submit = jmap_submit,
	.append = jmap_put_append,
	.drafts = jmap_put_drafts,
	.draft = jmap_put_draft,
	.mark = jmap_mark,
	.move = jmap_move,
	.move_back = jmap_move_back,
	.watch = jmap_watch,
	.probe = jmap_slot_probe,
};
