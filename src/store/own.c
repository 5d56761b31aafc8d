/* SPDX-License-Identifier: Apache-2.0 */
#include "store/own.h"

#include "store/keeping.h"

enum {
	OWN_MIN = 8, /* shorter passwords occur in honest mail */
	/*
	 * Bytes between two collected texts: more than a key has, and a
	 * password has no line ends.
	 */
	BETWEEN = 64
};

/* As text without spaces; for a key, also the bytes it is the base64 of. */
static void
store_own_add(struct store_own *w, const struct secret *s, bool key)
{
	struct secret *raw;

	if (s == NULL || w->n + 2 > sizeof(w->v) / sizeof(w->v[0]))
		return;
	raw = key ? secret_base64(s) : NULL;
	if (raw != NULL)
		w->v[w->n++] = raw;
	w->v[w->n] = secret_squeezed(s);
	if (secret_size(w->v[w->n]) >= OWN_MIN)
		w->n++;
	else
		secret_close(&w->v[w->n]);
}

static int
store_own_add_sealed(struct store_own *w, struct store *s, int64_t account,
    struct err *e)
{
	static const enum store_sealed which[] = { STORE_PASSWORD,
		STORE_OAUTH_CLIENT_SECRET, STORE_OAUTH_REFRESH_TOKEN };

	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		CLEANUP(secret_close) struct secret *plain = NULL;
		struct err why = { 0 };

		if (store_account_secret(s, account, which[i], &plain, &why) ==
		    0) {
			store_own_add(w, plain, false);
		} else if (why.kind != ERR_NOT_FOUND) {
			*e = why;
			return -1;
		}
	}
	return 0;
}

int
store_own_open(struct store *s, const struct store_keys *k, int64_t account,
    struct arena *a, struct store_own *out, struct err *e)
{
	*out = (struct store_own){ .account = account };
	if (s->role == STORE_SERVED) {
		out->s = s;
		out->asked = arena_new(a, struct buf);
		buf_init(out->asked, a, KEEPER_TEXT);
		return 0;
	}
	store_own_add(out, k->agent, true);
	store_own_add(out, k->admin, true);
	return store_own_add_sealed(out, s, account, e);
}

void
store_own_close(struct store_own *w)
{
	for (size_t i = 0; i < w->n; i++)
		secret_close(&w->v[i]);
	w->n = 0;
}

bool
store_own_any(const struct store_own *w)
{
	return w->s != NULL || w->n > 0;
}

/* Asks now.  A secret is never cut in two: the parts of a long text overlap. */
static void
store_own_ask(struct store_own *w, struct str text)
{
	const size_t step = KEEPER_TEXT - LIMIT_SECRET;
	bool more = true;

	while (more && !w->found && w->failed.kind == ERR_NONE) {
		int r = keeper_ask_own(w->s, w->account,
		    str_first(text, KEEPER_TEXT), &w->failed);

		w->found = r == 1;
		more = text.n > KEEPER_TEXT;
		text = str_from(text, step);
	}
}

static void
store_own_ask_collected(struct store_own *w)
{
	if (w->asked->n > 0)
		store_own_ask(w, buf_view(w->asked));
	buf_reset(w->asked);
}

static void
store_own_collect(struct store_own *w, struct str text)
{
	if (w->asked->n + BETWEEN + text.n > KEEPER_TEXT)
		store_own_ask_collected(w);
	if (BETWEEN + text.n > KEEPER_TEXT) {
		store_own_ask(w, text);
		return;
	}
	for (int i = 0; i < BETWEEN; i++)
		buf_char(w->asked, '\n');
	buf_str(w->asked, text);
}

/* Once something was found or failed, the search need not go on. */
static bool
store_own_within_served(struct store_own *w, struct str text)
{
	if (text.n < OWN_MIN || w->failed.kind != ERR_NONE)
		return w->failed.kind != ERR_NONE;
	if (w->each)
		w->found = false;
	if (w->each)
		store_own_ask(w, text);
	else if (!w->found)
		store_own_collect(w, text);
	return w->found || w->failed.kind != ERR_NONE;
}

bool
store_own_within(struct store_own *w, struct str text)
{
	if (w->s != NULL)
		return store_own_within_served(w, text);
	for (size_t i = 0; i < w->n; i++)
		if (secret_within(w->v[i], text))
			return true;
	return false;
}

int
store_own_settle(struct store_own *w, struct err *e)
{
	if (w->s == NULL)
		return 0;
	if (!w->each && !w->found)
		store_own_ask_collected(w);
	buf_reset(w->asked);
	if (w->failed.kind != ERR_NONE) {
		*e = w->failed;
		return -1;
	}
	/* Which text it was decides what the search reports. */
	w->each = !w->each && w->found;
	w->found = false;
	return w->each;
}
