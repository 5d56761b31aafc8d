/* SPDX-License-Identifier: Apache-2.0 */
/* Words that the operator planted: whoever sends one has read them. */
#include "base/limits.h"
#include "store/internal.h"
#include "store/outbox.h"

/* Shorter words occur in honest mail. */
#define WORD_MIN 8

static int
store_canary_check_word(struct str word, struct err *e)
{
	size_t seen = 0;

	for (size_t i = 0; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];

		if (c < ' ' || c == 0x7f)
			return err_set(e, ERR_USAGE,
			    "a canary must not contain control characters");
		seen += c > ' ';
	}
	if (seen < WORD_MIN)
		return err_set(e, ERR_USAGE,
		    "a canary needs at least %d bytes, not counting spaces",
		    WORD_MIN);
	if (word.n > LIMIT_CANARY)
		return err_set(e, ERR_LIMIT, "a canary has at most %d bytes",
		    LIMIT_CANARY);
	return 0;
}

static int
store_canary_count(struct store *s, int64_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, "SELECT count(*) FROM canary", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*n = stmt_column_int(st, 0);
	return 0;
}

int
store_canary_add(struct store *s, struct str word, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t n;

	if (store_key_need_admin(s, e) < 0 ||
	    store_canary_check_word(word, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_canary_count(s, &n, e) < 0)
		return -1;
	if (n >= LIMIT_CANARIES)
		return err_set(e, ERR_LIMIT,
		    "there are already %d canaries: remove one first",
		    LIMIT_CANARIES);
	if (stmt_do(s, e,
		"INSERT INTO canary (word) VALUES (?1) ON CONFLICT DO NOTHING",
		V(word)) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_canary_remove(struct store *s, struct str word, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, "DELETE FROM canary WHERE word = ?1", V(word)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such canary");
	return tx_commit(&t, e);
}

int
store_canary_list(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*out = (struct strs){ 0 };
	if (stmt_prepare(s, "SELECT word FROM canary ORDER BY word", &st, e) <
	    0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		str_push(a, out, stmt_column(st, 0, a));
	return r < 0 ? -1 : 0;
}
