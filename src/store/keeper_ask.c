/* SPDX-License-Identifier: Apache-2.0 */
/* A worker's questions, as messages to the keeper. */
#include "store/keeping.h"

static struct str
keeper_ask_answer(const struct store_answer *x, size_t from)
{
	return (struct str){ (const char *)x->p + from, x->n - from };
}

/* The keeper's refusal becomes ours. */
static int
keeper_ask_refused(const struct store_answer *x, struct err *e)
{
	enum err_kind kind = x->n > 1 ? (enum err_kind)x->p[1] : ERR_NONE;

	if (kind == ERR_NONE || kind >= ERR_KINDS)
		return err_set(e, ERR_CONFIG,
		    "the keeper of the store's data key gave no answer");
	(void)err_set(e, kind, "%.*s", STR_ARG(keeper_ask_answer(x, 2)));
	return kind == ERR_CONFIG
	    ? err_hint(e, "the operator must look after emcli serve")
	    : -1;
}

/* Sends it; the answer must have that many bytes after its first. */
static int
keeper_ask_send(struct store *s, const struct buf *request,
    struct store_answer *out, size_t want, struct err *e)
{
	if (request->over)
		err_bug("store: a request to the keeper is too long");
	out->n = 0;
	if (s->keeper.ask(s->keeper.ctx, buf_view(request), out, e) < 0)
		return -1;
	if (out->n == want + 1 && out->p[0] == KEEPER_YES)
		return 0;
	if (out->n > 0 && out->p[0] == KEEPER_YES)
		out->n = 0;
	return keeper_ask_refused(out, e);
}

/* A byte that says yes or no. */
static int
keeper_ask_whether(struct store *s, const struct buf *request, struct err *e)
{
	struct store_answer x = { .n = 0 };

	return keeper_ask_send(s, request, &x, 1, e) < 0 ? -1 : x.p[1] == 1;
}

int
store_keeper_ask_way(const struct store_keeper *k, struct arena *a,
    struct str *out, struct err *e)
{
	const char ask = KEEPER_WAY;
	struct store_answer x = { .n = 0 };

	if ((k->begin != NULL && k->begin(k->ctx, e) < 0) ||
	    k->ask(k->ctx, (struct str){ &ask, 1 }, &x, e) < 0)
		return -1;
	if (x.n == 0 || x.p[0] != KEEPER_YES)
		return keeper_ask_refused(&x, e);
	*out = str_dup(a, keeper_ask_answer(&x, 1));
	return out->n > 0;
}

int
keeper_ask_hello(struct store *s, int64_t *dek_count, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct store_answer x = { .n = 0 };
	uint64_t n = 0;
	struct buf b;

	buf_init(&b, a, LIMIT_KEEPER_ASK);
	buf_char(&b, KEEPER_HELLO);
	if ((s->keeper.begin != NULL &&
		s->keeper.begin(s->keeper.ctx, e) < 0) ||
	    keeper_ask_send(s, &b, &x, 8, e) < 0)
		return -1;
	for (int i = 1; i <= 8; i++)
		n = n << 8 | x.p[i];
	*dek_count = (int64_t)n;
	return 0;
}

/* A part of a text; the last part gets the MAC, 32 bytes. */
static int
keeper_ask_part(struct store *s, char type, enum store_label label,
    struct str part, struct store_answer *x, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, LIMIT_KEEPER_ASK);
	(void)buf_reserve(&b, part.n + 2);
	buf_char(&b, type);
	buf_char(&b, (char)label);
	buf_str(&b, part);
	return keeper_ask_send(s, &b, x, type == KEEPER_MAC ? SEAL_HASH : 0, e);
}

int
keeper_ask_mac(struct store *s, enum store_label label, struct str text,
    unsigned char out[SEAL_HASH], struct err *e)
{
	struct store_answer x = { .n = 0 };

	if (text.n > LIMIT_KEEPER_TEXT)
		return err_set(e, ERR_LIMIT, "the text is too long");
	while (text.n > KEEPER_TEXT) {
		if (keeper_ask_part(s, KEEPER_MORE, label,
			str_first(text, KEEPER_TEXT), &x, e) < 0)
			return -1;
		text = str_from(text, KEEPER_TEXT);
	}
	if (keeper_ask_part(s, KEEPER_MAC, label, text, &x, e) < 0)
		return -1;
	memcpy(out, x.p + 1, SEAL_HASH);
	return 0;
}

int
keeper_ask_fits(struct store *s, enum store_label label, struct str text,
    const unsigned char mac[SEAL_HASH], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	if (text.n > KEEPER_TEXT)
		return err_set(e, ERR_LIMIT, "the text is too long");
	buf_init(&b, a, LIMIT_KEEPER_ASK);
	buf_char(&b, KEEPER_FITS);
	buf_char(&b, (char)label);
	buf_add(&b, mac, SEAL_HASH);
	buf_str(&b, text);
	return keeper_ask_whether(s, &b, e);
}

static void
keeper_ask_put_account(struct buf *b, char type, int64_t account)
{
	buf_char(b, type);
	for (int i = 7; i >= 0; i--)
		buf_char(b, (char)((uint64_t)account >> 8 * i & 0xff));
}

int
keeper_ask_opens(struct store *s, int64_t account, enum store_sealed what,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct buf b;

	buf_init(&b, a, 64);
	keeper_ask_put_account(&b, KEEPER_OPENS, account);
	buf_char(&b, (char)what);
	return keeper_ask_whether(s, &b, e);
}

int
keeper_ask_own(struct store *s, int64_t account, struct str text, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, LIMIT_KEEPER_ASK);
	(void)buf_reserve(&b, text.n + 9);
	keeper_ask_put_account(&b, KEEPER_OWN, account);
	buf_str(&b, text);
	return keeper_ask_whether(s, &b, e);
}

void
store_keeper_ask_notice(struct store *s)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct store_answer x = { .n = 0 };
	struct err unused = { 0 };
	struct buf b;

	buf_init(&b, a, LIMIT_KEEPER_ASK);
	buf_char(&b, KEEPER_NOTICE);
	(void)keeper_ask_send(s, &b, &x, 0, &unused);
}
