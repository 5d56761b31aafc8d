/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an IMAP server may say.  The first byte picks the question; the rest is
 * the server's side of the conversation, given to the client through a socket
 * as a whole, or to the reader alone from memory.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/imap/fetch.h"
#include "backend/imap/internal.h"
#include "backend/imap/search.h"
#include "backend/imap/token.h"
#include "backend/internal.h"
#include "base/clock.h"
#include "base/utf8.h"

#define INPUT_MAX 60000
#define ARENA (64UL << 20)

static const char greeting[] =
    "* PREAUTH [CAPABILITY IMAP4rev1 ESEARCH LITERAL+] hi\r\n";

static int
read_line(void *ctx, struct arena *a, size_t max, struct str *out,
    struct err *e)
{
	struct str *left = ctx, head;

	(void)a;
	if (!str_cut(*left, '\n', &head, left) || head.n > max)
		return err_set(e, ERR_NETWORK, "end");
	*out = head;
	return 0;
}

static int
read_bytes(void *ctx, void *p, size_t n, struct err *e)
{
	struct str *left = ctx;

	if (n > left->n)
		return err_set(e, ERR_NETWORK, "end");
	if (n > 0)
		memcpy(p, left->p, n);
	*left = str_from(*left, n);
	return 0;
}

/* Every response through every reader, asked for or not. */
static void
feed(struct str says)
{
	CLEANUP(arena_close) struct arena *a = arena_open(ARENA);
	static const uint32_t uids[] = { 9, 5, 4, 3 };
	struct imap_source src = { read_line, read_bytes, &says };
	struct imap_session *s = imap_session_new(NULL, a);
	struct imap_set set = { .a = a };
	const struct imap_node *n;
	struct imap_fetch f;
	struct imap_resp r;
	struct str name, back;
	struct err e = { 0 };

	imap_fetch_init(&f, a, uids, 4);
	imap_read_init(&s->reader, &src);
	s->reader.keep = a;
	s->reader.body_max = 4096;
	while (imap_read_next(&s->reader, &r, &e) == 0) {
		if (r.kind != IMAP_DATA)
			continue;
		(void)imap_fetch_data(s, &r, &f, &e);
		(void)imap_search_data(s, &r, &set, &e);
		imap_session_set_caps(s, r.piece[0].text);
		if (imap_token_parse(s->reader.scratch, &r, &n, &e) < 0)
			continue;
		for (; n != NULL; n = n->next)
			(void)imap_structure_has_attachments(n);
		if (imap_utf7_decode(a, r.piece[0].text, &name) &&
		    (!utf8_valid(name) || !imap_utf7_encode(a, name, &back)))
			abort();
	}
	imap_set_tidy(&set, 3, 1000000);
	for (size_t i = 0; i < set.n; i++)
		if (set.v[i].lo > set.v[i].hi ||
		    (i > 0 && set.v[i].lo <= set.v[i - 1].hi))
			abort();
	imap_read_done(&s->reader);
}

static void
ask(struct imap_session *s, struct arena *a, unsigned what)
{
	static const struct query whole = { .folder = { "b", 1 } };
	static const struct query part = { .folder = { "b", 1 },
		.uid_min = 3,
		.subject = { "\xc3\xa4", 2 } };
	struct ref asked[] = { { .uid = 5 }, { .uid = 3 } };
	struct refs refs = { asked, 2 };
	struct folder_state st;
	struct folders folders;
	struct rows rows = { 0 };
	struct str raw = { 0 };
	struct err e = { 0 };
	struct conn *c = &s->conn;
	int r = 0;

	switch (what) {
	case 0:
		r = imap_backend.find(c, a, &whole, 3, &st, &rows, &e);
		break;
	case 1:
		r = imap_backend.find(c, a, &part, 3, &st, &rows, &e);
		break;
	case 2:
		r = imap_backend.headers(c, a, S("b"), &refs, &st, &rows, &e);
		break;
	case 3:
		r = imap_backend.body(c, a, S("b"), asked, 100, &raw, &e);
		break;
	default:
		r = imap_backend.folders(c, a, &folders, &e);
		break;
	}
	/* The contract: an error has a kind and a text, a page its limit. */
	if (r < 0 && (e.kind == ERR_NONE || e.say[0] == '\0'))
		abort();
	if (rows.n > 3 || raw.n > 100)
		abort();
	for (size_t i = 1; what < 2 && i < rows.n; i++)
		if (rows.v[i].ref.uid >= rows.v[i - 1].ref.uid)
			abort();
}

static void
talk(const uint8_t *p, size_t n, unsigned what)
{
	CLEANUP(arena_close) struct arena *a = arena_open(ARENA);
	struct backend_account acct = {
		.username = S("me"),
		.imap_host = S("mail.example"),
		.deadline_ms = clock_mono_ms() + 10000,
	};
	struct imap_session *s;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		abort();
	if (write(fd[0], greeting, sizeof(greeting) - 1) < 0 ||
	    (n > 0 && write(fd[0], p, n) != (ssize_t)n))
		abort();
	(void)shutdown(fd[0], SHUT_WR);
	s = imap_session_over(&acct, a, wire_over(fd[1], acct.deadline_ms));
	ask(s, a, what);
	imap_backend.close(&s->conn);
	(void)close(fd[0]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (n < 1 || n > INPUT_MAX)
		return 0;
	if (p[0] % 6 == 5)
		feed((struct str){ (const char *)p + 1, n - 1 });
	else
		talk(p + 1, n - 1, p[0] % 6);
	return 0;
}
