/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several GETs in one request.  Each has its own answer and status, in any
 * order.  If one is refused because of the quota, all fail, and nothing is
 * retried.  A server without batches gets single requests, up to a limit.
 */
#include <string.h>

#include "backend/gmail/internal.h"

#define MARK "emcli-batch-5f1c"

static struct str
gmail_batch_compose(struct arena *a, const struct gmail_bit *bit, size_t n)
{
	struct buf b;

	buf_init(&b, a, 1 << 20);
	for (size_t i = 0; i < n; i++) {
		struct str path, query;

		(void)str_cut(bit[i].target, '?', &path, &query);
		/* A batch contains only reads. */
		gmail_url_check(false, path);
		buf_fmt(&b,
		    "--" MARK "\r\nContent-Type: application/http\r\n"
		    "Content-ID: <m%zu>\r\n\r\nGET %.*s HTTP/1.1\r\n\r\n\r\n",
		    i, STR_ARG(bit[i].target));
	}
	buf_text(&b, "--" MARK "--\r\n");
	return b.over ? S("") : buf_view(&b);
}

/* Stores one answer in its place. */
static int
gmail_batch_take(struct arena *a, const struct gmail_part *p,
    struct gmail_bit *bit, size_t n, bool *seen, struct err *e)
{
	if (p->at >= n || seen[p->at])
		return gmail_call_garbled(e, "an answer to no question");
	seen[p->at] = true;
	bit[p->at].found = p->status >= 200 && p->status < 300;
	if (bit[p->at].found) {
		bit[p->at].body = str_dup(a, p->body);
		return 0;
	}
	(void)gmail_fault(p->status, p->body, p->retry_after_s, e);
	if (e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	return 0;
}

/* *refused: the token was refused within an answer. */
static int
gmail_batch_read_parts(struct arena *a, const struct http_reply *r,
    struct gmail_bit *bit, size_t n, bool *refused, struct err *e)
{
	bool seen[GMAIL_BITS] = { false };
	struct gmail_parts parts = { 0 };
	struct gmail_part p;
	size_t got = 0;
	int more;

	*refused = false;
	if (!gmail_part_open(&parts, r->type, r->body))
		return gmail_call_garbled(e, "no batch's answer");
	while ((more = gmail_part_next(&parts, &p)) == 1) {
		if (gmail_batch_take(a, &p, bit, n, seen, e) < 0) {
			*refused = p.status == 401;
			return -1;
		}
		got++;
	}
	if (more < 0 || got != n)
		return gmail_call_garbled(e, "a batch's answer in part");
	return 0;
}

static int
gmail_batch_one_by_one(struct gmail *g, struct arena *a, struct gmail_bit *bit,
    size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		struct gmail_ask q = { .target = bit[i].target };
		struct http_reply r;

		if (++g->singles > GMAIL_SINGLES)
			return err_set(e, ERR_LIMIT,
			    "this needs too many requests to Gmail: ask for "
			    "less");
		if (gmail_call(g, &q, &r, e) == 0) {
			bit[i].found = true;
			bit[i].body = str_dup(a, r.body);
			continue;
		}
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
	}
	return 0;
}

static int
gmail_batch_together(struct gmail *g, struct arena *a, struct gmail_bit *bit,
    size_t n, bool *refused, struct err *e)
{
	struct gmail_ask q = {
		.target = S(GMAIL_BATCH_PATH),
		.body = gmail_batch_compose(a, bit, n),
		.type = S("multipart/mixed; boundary=" MARK),
	};
	struct http_reply r = { 0 };

	*refused = false;
	if (q.body.n == 0)
		return err_set(e, ERR_LIMIT,
		    "that is too much for one request: ask for less");
	if (gmail_call(g, &q, &r, e) == 0)
		return gmail_batch_read_parts(a, &r, bit, n, refused, e);
	g->no_batch = r.status == 404 || r.status == 405 || r.status == 501;
	return -1;
}

int
gmail_batch(struct gmail *g, struct arena *a, struct gmail_bit *bit, size_t n,
    struct err *e)
{
	bool refused;

	if (n > GMAIL_BITS)
		err_bug("a batch of %zu", n);
	if (n < 2 || g->no_batch)
		return gmail_batch_one_by_one(g, a, bit, n, e);
	if (gmail_batch_together(g, a, bit, n, &refused, e) == 0)
		return 0;
	if (g->no_batch) {
		*e = (struct err){ 0 };
		return gmail_batch_one_by_one(g, a, bit, n, e);
	}
	/* The token expired between the outer and the inner request. */
	if (!refused || !backend_token_again(g->conn.acct, e))
		return -1;
	return gmail_batch_together(g, a, bit, n, &refused, e);
}
