/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper's answers.  A worker may have been taken over, so a request may be
 * any bytes: it is read strictly, and what no worker asks ends the asker.
 */
#include <stdlib.h>

#include "store/keeping.h"
#include "store/notice.h"
#include "store/own.h"
#include "store/slot.h"

struct store_asker {
	struct store *const *s;
	const struct store_keys *keys;
	/* A long text comes in parts; NULL: none has come. */
	struct seal_run *text;
	enum store_label label;
	size_t n; /* bytes of it so far */
	bool noticed;
};

struct store_asker *
store_keeper_answer_begin(struct store *const *s, const struct store_keys *k)
{
	struct store_asker *w = calloc(1, sizeof(*w));

	if (w == NULL)
		err_bug("out of memory");
	w->s = s;
	w->keys = k;
	return w;
}

void
store_keeper_answer_end(struct store_asker **w)
{
	if (*w == NULL)
		return;
	seal_run_drop(&(*w)->text);
	free(*w);
	*w = NULL;
}

bool
store_keeper_answer_noticed(struct store_asker *w)
{
	bool was = w->noticed;

	w->noticed = false;
	return was;
}

static void
store_keeper_answer_put(struct store_answer *out, const void *p, size_t n)
{
	out->p[0] = KEEPER_YES;
	if (n > 0)
		memcpy(out->p + 1, p, n);
	out->n = n + 1;
}

/* The text for the caller alone: a detail is not for another process. */
static void
store_keeper_answer_refuse(struct store_answer *out, const struct err *e)
{
	size_t n = strlen(e->say);

	out->p[0] = KEEPER_NO;
	out->p[1] = (unsigned char)e->kind;
	memcpy(out->p + 2, e->say, n);
	out->n = n + 2;
}

/* Does the key still open its slot?  From now on the DEK in it is used. */
static int
store_keeper_answer_renew(struct store_asker *w, int64_t *count, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };
	struct store *s = *w->s;
	struct secret *dek = NULL;
	int r;

	if (store_key_pick(s->role, w->keys, &key, e) < 0 ||
	    store_key_count(s, count, e) < 0)
		return -1;
	r = store_key_unwrap(s, &key, &dek, e);
	if (r <= 0)
		return r == 0 ? store_key_refuse(&key, e) : -1;
	secret_close(&s->dek);
	s->dek = dek;
	s->dek_count = *count;
	return 0;
}

static int
store_keeper_answer_hello(struct store_asker *w, struct str rest,
    struct store_answer *out, struct err *e)
{
	unsigned char raw[8];
	int64_t count = 0;

	if (rest.n > 0)
		return err_set(e, ERR_USAGE, "a greeting has no text");
	if (store_keeper_answer_renew(w, &count, e) < 0)
		return -1;
	for (int i = 0; i < 8; i++)
		raw[i] = (unsigned char)((uint64_t)count >> (56 - 8 * i));
	store_keeper_answer_put(out, raw, sizeof(raw));
	return 0;
}

/* Begins a text, or goes on with it. */
static int
store_keeper_answer_take(struct store_asker *w, enum store_label label,
    struct str part, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	if (w->text != NULL && w->label != label)
		return err_set(e, ERR_USAGE, "another label within a text");
	if (part.n > LIMIT_KEEPER_TEXT - w->n)
		return err_set(e, ERR_LIMIT, "the text is too long");
	if (w->text == NULL &&
	    (keeper_label_key(*w->s, label, &key, e) < 0 ||
		seal_run_begin(key, &w->text, e) < 0))
		return -1;
	w->label = label;
	w->n += part.n;
	return seal_run_add(w->text, part, e);
}

/* The label of a request. */
static int
store_keeper_answer_label(struct str *rest, enum store_label *out,
    struct err *e)
{
	enum store_label label = rest->n > 0
	    ? (enum store_label)(unsigned char)rest->p[0]
	    : STORE_LABEL_NONE;

	if (label == STORE_LABEL_NONE || label >= STORE_LABELS)
		return err_set(e, ERR_USAGE, "there is no such label");
	*rest = str_from(*rest, 1);
	*out = label;
	return 0;
}

static int
store_keeper_answer_mac(struct store_asker *w, struct str rest, bool last,
    struct store_answer *out, struct err *e)
{
	enum store_label label = STORE_LABEL_NONE;
	unsigned char mac[SEAL_HASH];

	if (store_keeper_answer_label(&rest, &label, e) < 0)
		return -1;
	/* A text is what its first part says. */
	if (w->text == NULL && !keeper_label_is_agents(label, rest))
		return err_set(e, ERR_POLICY,
		    "the keeper does not sign that for a worker");
	if (store_keeper_answer_take(w, label, rest, e) < 0)
		return -1;
	if (!last) {
		store_keeper_answer_put(out, NULL, 0);
		return 0;
	}
	if (seal_run_end(&w->text, mac, e) < 0)
		return -1;
	w->n = 0;
	store_keeper_answer_put(out, mac, sizeof(mac));
	return 0;
}

static int
store_keeper_answer_fits(struct store_asker *w, struct str rest,
    struct store_answer *out, struct err *e)
{
	enum store_label label = STORE_LABEL_NONE;
	unsigned char mac[SEAL_HASH], fits;
	int r;

	if (store_keeper_answer_label(&rest, &label, e) < 0)
		return -1;
	if (rest.n < SEAL_HASH)
		return err_set(e, ERR_USAGE, "a MAC is cut off");
	memcpy(mac, rest.p, SEAL_HASH);
	r = keeper_fits(*w->s, label, str_from(rest, SEAL_HASH), mac, e);
	fits = r == 1;
	store_keeper_answer_put(out, &fits, 1);
	return r < 0 ? -1 : 0;
}

/* The account at the beginning of a request. */
static int
store_keeper_answer_account(struct str *rest, int64_t *out, struct err *e)
{
	uint64_t account = 0;

	if (rest->n < 8)
		return err_set(e, ERR_USAGE, "an account is cut off");
	for (int i = 0; i < 8; i++)
		account = account << 8 | (unsigned char)rest->p[i];
	*rest = str_from(*rest, 8);
	*out = (int64_t)account;
	return 0;
}

/* Whether, and nothing of it. */
static int
store_keeper_answer_opens(struct store_asker *w, struct str rest,
    struct store_answer *out, struct err *e)
{
	int64_t account = 0;
	unsigned char opens;
	int r;

	if (store_keeper_answer_account(&rest, &account, e) < 0)
		return -1;
	if (rest.n != 1 || (unsigned char)rest.p[0] >= STORE_SEALED)
		return err_set(e, ERR_USAGE, "there is no such credential");
	r = store_account_secret_opens(*w->s, account,
	    (enum store_sealed)(unsigned char)rest.p[0], e);
	if (r < 0 && e->kind != ERR_CONFIG)
		return -1;
	opens = r == 0;
	store_keeper_answer_put(out, &opens, 1);
	return 0;
}

static int
store_keeper_answer_own(struct store_asker *w, struct str rest,
    struct store_answer *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(store_own_close) struct store_own own = { .n = 0 };
	int64_t account = 0;
	unsigned char within;

	if (store_keeper_answer_account(&rest, &account, e) < 0 ||
	    store_own_open(*w->s, w->keys, account, a, &own, e) < 0)
		return -1;
	within = store_own_within(&own, rest);
	store_keeper_answer_put(out, &within, 1);
	return 0;
}

/* Whoever asks keeps no store, and greets nobody. */
static int
store_keeper_answer_way(struct store_asker *w, struct str rest,
    struct store_answer *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str way = { 0 };
	int64_t count = 0;
	int r;

	if (rest.n > 0)
		return err_set(e, ERR_USAGE, "that question has no text");
	if (store_keeper_answer_renew(w, &count, e) < 0)
		return -1;
	r = store_notice_way(*w->s, a, &way, e);
	if (r < 0)
		return -1;
	if (way.n >= sizeof(out->p))
		return err_set(e, ERR_CONFIG, "notify is too long");
	store_keeper_answer_put(out, way.p, r > 0 ? way.n : 0);
	return 0;
}

static int
store_keeper_answer_one(struct store_asker *w, struct str request,
    struct store_answer *out, struct err *e)
{
	struct str rest = str_from(request, 1);
	char type = '\0';

	if (request.n > 0)
		type = request.p[0];
	if (request.n > LIMIT_KEEPER_ASK)
		return err_set(e, ERR_USAGE, "a request is too long");
	if (type == KEEPER_MORE || type == KEEPER_MAC)
		return store_keeper_answer_mac(w, rest, type == KEEPER_MAC, out,
		    e);
	if (w->text != NULL)
		return err_set(e, ERR_USAGE, "another request within a text");
	if (type == KEEPER_HELLO)
		return store_keeper_answer_hello(w, rest, out, e);
	if (type == KEEPER_FITS)
		return store_keeper_answer_fits(w, rest, out, e);
	if (type == KEEPER_OWN)
		return store_keeper_answer_own(w, rest, out, e);
	if (type == KEEPER_OPENS)
		return store_keeper_answer_opens(w, rest, out, e);
	if (type == KEEPER_WAY)
		return store_keeper_answer_way(w, rest, out, e);
	if (type == KEEPER_NOTICE && rest.n == 0) {
		w->noticed = true;
		store_keeper_answer_put(out, NULL, 0);
		return 0;
	}
	return err_set(e, ERR_USAGE, "a request of an unknown type");
}

bool
store_keeper_answer(struct store_asker *w, struct str request,
    struct store_answer *out)
{
	struct err e = { 0 };

	out->n = 0;
	if (store_keeper_answer_one(w, request, out, &e) == 0)
		return true;
	store_keeper_answer_refuse(out, &e);
	return e.kind != ERR_USAGE && e.kind != ERR_POLICY &&
	    e.kind != ERR_LIMIT;
}
