/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a grant.  Its handle is derived from a random number in the row and the
 * data key: so it can be returned again, and a copy of the database is useless
 * for calling.
 */
#include <sys/random.h>

#include "base/limits.h"
#include "store/grant.h"
#include "store/keeping.h"
#include "store/outbox.h"

enum {
	NONCE = 16,
	HANDLE = 16 /* bytes of it: 128 bits */
};

static int
store_grant_load_handle(struct store *s, struct arena *a, struct str nonce,
    struct str *out, struct err *e)
{
	unsigned char mac[SEAL_HASH];
	struct buf b;

	if (keeper_mac(s, STORE_LABEL_GRANT, nonce, mac, e) < 0)
		return -1;
	buf_init(&b, a, 64);
	buf_text(&b, "lease-");
	for (size_t i = 0; i < HANDLE; i++)
		buf_fmt(&b, "%02x", mac[i]);
	*out = buf_view(&b);
	return 0;
}

/* The handle of an existing row; empty if the data key has changed. */
static int
store_grant_load_recall(struct store *s, struct arena *a, int64_t id,
    struct str *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, "SELECT nonce, hash FROM skill_grant WHERE id = ?1",
		&st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r < 0 ? -1 : driver_fail(s, DRIVER_FAILED, e);
	if (store_grant_load_handle(s, a, stmt_column(st, 0, a), out, e) < 0)
		return -1;
	if (!seal_same(store_digest_file(a, *out), stmt_column(st, 1, a)))
		*out = S("");
	return 0;
}

static int
store_grant_load_insert(struct store *s, struct arena *a,
    const struct store_grant *g, struct store_grant *out, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO skill_grant (hash, nonce, principal, conversation,"
	    " turn, skill, digest, accounts, ops, issued_ms, expires_ms,"
	    " idle_ms, used_ms, uses_left) VALUES"
	    " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?10, ?13) "
	    "RETURNING id";
	char raw[NONCE];
	struct str nonce = { raw, sizeof(raw) };

	*out = *g;
	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw)) {
		(void)err_set(e, ERR_INTERNAL,
		    "the system gave no random bytes");
		return err_errno(e, "getrandom");
	}
	if (store_grant_load_handle(s, a, nonce, &out->lease, e) < 0 ||
	    stmt_add(s, e, sql, &out->id, V(store_digest_file(a, out->lease)),
		stmt_v_blob(nonce), V(g->principal), V(g->conversation),
		V(g->turn), V(g->skill), V(g->digest), V(g->accounts),
		V(g->ops), V(g->issued_ms), V(g->expires_ms), V(g->idle_ms),
		V(g->uses_left)) < 0)
		return -1;
	out->fresh = true;
	return 0;
}

/* A grant is never widened: any difference makes a new one. */
static bool
store_grant_load_is_same(const struct store_grant *g,
    const struct store_grant *want)
{
	return str_eq(g->digest, want->digest) &&
	    str_eq(g->accounts, want->accounts) && str_eq(g->ops, want->ops);
}

static int
store_grant_load_room(struct store *s, const struct store_grant *want,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_ask(s, e,
		"SELECT count(*) FROM skill_grant WHERE principal = ?1"
		" AND ended IS NULL AND expires_ms > ?2",
		&st, V(want->principal), V(want->issued_ms)) < 0)
		return -1;
	if (stmt_step(s, st, e) < 0)
		return -1;
	if (stmt_column_int(st, 0) < LIMIT_GRANTS)
		return 0;
	return err_set(e, ERR_LIMIT,
	    "too many skills are loaded: unload some, or wait");
}

/*
 * The existing grant for this skill, conversation and turn: 1 if it can be
 * used.
 */
static int
store_grant_load_present(struct store *s, struct arena *a,
    const struct store_grant *want, struct store_grant *out, struct err *e)
{
	struct store_grant *v;
	size_t n;

	if (store_grant_list(s, a, want->principal, want->conversation,
		want->turn, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const char *why = store_grant_over(&v[i], want->issued_ms);

		if (!str_eq(v[i].skill, want->skill))
			continue;
		if (why == NULL && store_grant_load_is_same(&v[i], want)) {
			*out = v[i];
			if (store_grant_load_recall(s, a, v[i].id, &out->lease,
				e) < 0)
				return -1;
			if (out->lease.n > 0)
				return 1;
		}
		/* store_grant_lapse() reports expired ones. */
		if (why == NULL &&
		    store_grant_end(s, v[i].id, "replaced", want->issued_ms,
			e) < 0)
			return -1;
	}
	return 0;
}

int
store_grant_load(struct store *s, struct arena *a,
    const struct store_grant *want, struct store_grant *out, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	if (tx_begin(s, &t, e) < 0)
		return -1;
	r = store_grant_load_present(s, a, want, out, e);
	if (r < 0)
		return -1;
	if (r == 0 &&
	    (store_grant_load_room(s, want, e) < 0 ||
		store_grant_load_insert(s, a, want, out, e) < 0))
		return -1;
	return tx_commit(&t, e);
}
