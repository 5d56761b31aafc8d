/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A token on its way: one message that says what follows, and one for each
 * part.
 */
#include "door/serve/token.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"

enum {
	TEXTS = 3,
	SECRETS = 4
};

struct token_head {
	uint8_t what, basic;
	uint8_t parts; /* a bit for each: texts, then secrets */
	uint8_t zero[5];
	int64_t lives_s;
};

/* Which parts each kind has, and which it may have. */
static const struct {
	uint8_t must, may;
} parts_of[SERVE_TOKEN_WHATS] = {
	[SERVE_TOKEN_ACCESS] = { 1 << 3, 0 },
	[SERVE_TOKEN_CONSENT] = { 0, 0x77 },
	[SERVE_TOKEN_CAME] = { 1 << 3, 1 << 4 },
};

static bool
serve_token_put_text(int to, struct str text)
{
	return send(to, text.p, text.n, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	    (ssize_t)text.n;
}

/* By way of a pipe: only base/secret.c reads a secret. */
static bool
serve_token_put_secret(int to, const struct secret *s)
{
	CLEANUP(path_close) int fd = secret_pipe(s);
	char part[LIMIT_SECRET + 1]; /* and a line end */
	ssize_t n = fd >= 0 ? read(fd, part, sizeof(part)) : -1;
	bool sent = n > 1 &&
	    serve_token_put_text(to, (struct str){ part, (size_t)n - 1 });

	secret_wipe(part, sizeof(part));
	return sent;
}

static bool
serve_token_put_all(const struct serve_token *t, int to)
{
	const struct str text[TEXTS] = { t->provider, t->issuer, t->token_url };
	const struct secret *const secret[SECRETS] = { t->access, t->refresh,
		t->id, t->secret };
	struct token_head h = { .what = (uint8_t)t->what,
		.basic = t->basic,
		.lives_s = t->lives_s };

	for (size_t i = 0; i < TEXTS; i++)
		h.parts = (uint8_t)(h.parts | (text[i].n > 0) << i);
	for (size_t i = 0; i < SECRETS; i++)
		h.parts =
		    (uint8_t)(h.parts | (secret[i] != NULL) << (TEXTS + i));
	if (!serve_token_put_text(to, (struct str){ (char *)&h, sizeof(h) }))
		return false;
	for (size_t i = 0; i < TEXTS; i++)
		if (text[i].n > 0 && !serve_token_put_text(to, text[i]))
			return false;
	for (size_t i = 0; i < SECRETS; i++)
		if (secret[i] != NULL && !serve_token_put_secret(to, secret[i]))
			return false;
	return true;
}

int
serve_token_put(const struct serve_token *t)
{
	int fd[2];
	bool fits;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return -1;
	fits = serve_token_put_all(t, fd[1]);
	(void)close(fd[1]);
	if (!fits)
		path_close(&fd[0]);
	return fd[0];
}

/* One message; 0: there is none, or it is too long. */
static size_t
serve_token_recv(int fd, char *out, size_t room)
{
	ssize_t n = recv(fd, out, room, MSG_DONTWAIT | MSG_TRUNC);

	return n > 0 && (size_t)n <= room ? (size_t)n : 0;
}

static bool
serve_token_take_head(int fd, unsigned kinds, struct token_head *out)
{
	static const struct token_head zero;
	struct token_head h = { 0 };
	uint8_t must;

	if (serve_token_recv(fd, (char *)&h, sizeof(h)) != sizeof(h) ||
	    h.what >= SERVE_TOKEN_WHATS || !(kinds >> h.what & 1) ||
	    h.basic > 1 || h.lives_s < 0 ||
	    memcmp(h.zero, zero.zero, sizeof(h.zero)) != 0)
		return false;
	*out = h;
	must = parts_of[h.what].must;
	return (h.parts & must) == must &&
	    (h.parts & ~(must | parts_of[h.what].may)) == 0;
}

/* RFC 6749 appendix A.12: what a server gave is visible ASCII. */
static bool
serve_token_is_visible(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < 0x20 || s.p[i] > 0x7e)
			return false;
	return true;
}

static bool
serve_token_take_parts(int fd, struct arena *a, const struct token_head *h,
    struct serve_token *out)
{
	struct str *const text[TEXTS] = { &out->provider, &out->issuer,
		&out->token_url };
	struct secret **const secret[SECRETS] = { &out->access, &out->refresh,
		&out->id, &out->secret };
	char part[LIMIT_SECRET];
	bool good = true;

	for (size_t i = 0; i < TEXTS + SECRETS && good; i++) {
		struct str s = { part, 0 };

		if (!(h->parts >> i & 1))
			continue;
		s.n = serve_token_recv(fd, part, sizeof(part));
		good = s.n > 0 &&
		    (h->what != SERVE_TOKEN_CAME || serve_token_is_visible(s));
		if (good && i < TEXTS)
			*text[i] = str_dup(a, s);
		else if (good)
			*secret[i - TEXTS] = secret_new(s.p, s.n);
	}
	secret_wipe(part, sizeof(part));
	return good;
}

bool
serve_token_take(int fd, struct arena *a, unsigned kinds,
    struct serve_token *out)
{
	struct token_head h = { 0 };
	char more;

	*out = (struct serve_token){ 0 };
	if (!serve_token_take_head(fd, kinds, &h))
		return false;
	out->what = (enum serve_token_what)h.what;
	out->basic = h.basic;
	out->lives_s = h.lives_s;
	if (serve_token_take_parts(fd, a, &h, out) &&
	    serve_token_recv(fd, &more, 1) == 0)
		return true;
	serve_token_done(out);
	return false;
}

void
serve_token_done(struct serve_token *t)
{
	secret_close(&t->access);
	secret_close(&t->refresh);
	secret_close(&t->id);
	secret_close(&t->secret);
}
