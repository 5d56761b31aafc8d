/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects secrets in outgoing messages: keys and tokens by their form, emcli's
 * keys and the account's credentials by their value, canaries by their text.
 * The result is a kind and never the text.  Compressed or encrypted data
 * passes.
 */
#include "gate/outbox_secret.h"
#include "base/buf.h"
#include "base/clean.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "store/outbox.h"

enum {
	FIRST = 8, /* bytes of a canary in the sieve: the minimum length */
	SIEVE = 1 << 16
};

static uint32_t
sieve_at(uint64_t first)
{
	/* Fibonacci hashing: the top bits of a product with 2^64 / phi. */
	return (uint32_t)(first * 0x9E3779B97F4A7C15ULL >> 48);
}

static void
outbox_secret_add_canary(struct outbox_secret *w, struct arena *a,
    struct str word)
{
	uint64_t first = 0;
	struct buf b;

	buf_init(&b, a, LIMIT_CANARY);
	outbox_secret_view_squeeze(word, true, &b);
	if (b.n < FIRST)
		return;
	for (int i = 0; i < FIRST; i++)
		first = first << 8 | (unsigned char)b.p[i];
	w->sieve[sieve_at(first) / 8] |= (uint8_t)(1 << sieve_at(first) % 8);
	str_push(a, &w->canary, buf_view(&b));
}

int
outbox_secret_open(struct outbox_secret *w, struct store *s,
    const struct env *env, int64_t account, struct arena *a, struct err *e)
{
	const struct store_keys keys = { env->admin_key, env->agent_key };
	struct strs words;

	*w = (struct outbox_secret){ 0 };
	if (store_canary_list(s, a, &words, e) < 0)
		return -1;
	w->sieve = arena_alloc(a, SIEVE / 8);
	for (size_t i = 0; i < words.n; i++)
		outbox_secret_add_canary(w, a, words.v[i]);
	w->own = arena_new(a, struct store_own);
	return store_own_open(s, &keys, account, a, w->own, e);
}

void
outbox_secret_close(struct outbox_secret *w)
{
	if (w->own != NULL)
		store_own_close(w->own);
	w->own = NULL;
}

static bool
outbox_secret_holds_canary(const struct outbox_secret *w, struct str s)
{
	uint64_t first = 0;

	for (size_t i = 0; w->canary.n > 0 && i < s.n; i++) {
		uint32_t at;

		first = first << 8 | (unsigned char)s.p[i];
		at = sieve_at(first);
		if (i + 1 < FIRST || !(w->sieve[at / 8] >> at % 8 & 1))
			continue;
		for (size_t k = 0; k < w->canary.n; k++)
			if (str_starts(str_from(s, i + 1 - FIRST),
				w->canary.v[k]))
				return true;
	}
	return false;
}

static bool
outbox_secret_holds_own(const struct outbox_secret *w, struct str s)
{
	return w->own != NULL && store_own_within(w->own, s);
}

/* Reversed text is a disguise too. */
static const char *
outbox_secret_look_back(const struct outbox_secret *w, struct arena *a,
    struct str folded, struct str tight)
{
	struct buf b;

	buf_init(&b, a, tight.n);
	outbox_secret_view_reverse(folded, &b);
	if (outbox_secret_holds_canary(w, buf_view(&b)))
		return "canary";
	b.n = 0;
	outbox_secret_view_reverse(tight, &b);
	return outbox_secret_holds_own(w, buf_view(&b)) ? "own_credential"
							: NULL;
}

/* One decoded form of a text; *tight is the same without white space. */
static const char *
outbox_secret_look(const struct outbox_secret *w, struct arena *a,
    struct str text, bool back, struct str *tight)
{
	struct str seen = clean_text(a, text, NULL);
	struct buf b, folded;
	const char *kind = outbox_secret_shape(text);

	if (kind == NULL && seen.n != text.n)
		kind = outbox_secret_shape(seen);
	buf_init(&b, a, text.n);
	outbox_secret_view_squeeze(text, false, &b);
	*tight = buf_view(&b);
	if (kind != NULL)
		return kind;
	if (outbox_secret_holds_own(w, text) ||
	    outbox_secret_holds_own(w, *tight))
		return "own_credential";
	if (w->canary.n == 0 && (w->own == NULL || !store_own_any(w->own)))
		return NULL;
	buf_init(&folded, a, text.n);
	outbox_secret_view_squeeze(text, true, &folded);
	if (outbox_secret_holds_canary(w, buf_view(&folded)))
		return "canary";
	return back ? outbox_secret_look_back(w, a, buf_view(&folded), *tight)
		    : NULL;
}

/*
 * The texts that `text` may disguise; if deep, also those that these may
 * disguise.
 */
static const char *
outbox_secret_look_within(const struct outbox_secret *w, struct str text,
    struct str tight, bool deep)
{
	const char *kind = NULL;

	for (int i = 0; kind == NULL; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct str again;
		struct buf b;

		buf_init(&b, a, text.n);
		if (!outbox_secret_view_get(text, tight, i, &b))
			break;
		kind = outbox_secret_look(w, a, buf_view(&b), false, &again);
		for (int k = 0; kind == NULL && deep && b.n > 0; k++) {
			struct buf c;
			struct str unused;

			buf_init(&c, a, b.n);
			if (!outbox_secret_view_get(buf_view(&b), again, k, &c))
				break;
			kind = outbox_secret_look(w, a, buf_view(&c), false,
			    &unused);
		}
	}
	return kind;
}

const char *
outbox_secret_text(const struct outbox_secret *w, struct str text)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str tight;
	const char *kind;

	if (text.n == 0)
		return NULL;
	kind = outbox_secret_look(w, a, text, true, &tight);
	if (kind != NULL || text.n > LIMIT_SECRET_VIEWS)
		return kind;
	return outbox_secret_look_within(w, text, tight,
	    text.n <= LIMIT_SECRET_DEEP);
}
