/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of the journal. */
#include "store/journal_row.h"

#include "store/chain.h"
#include "store/signed_rows.h"

static const char *const words[STORE_JOURNAL_STATES] = {
	[STORE_JOURNAL_BEGUN] = "begun",
	[STORE_JOURNAL_DONE] = "done",
	[STORE_JOURNAL_PARTLY] = "partly",
	[STORE_JOURNAL_FAILED] = "failed",
	[STORE_JOURNAL_UNDONE] = "undone",
};

const char *
journal_row_word(enum store_journal_state state)
{
	return state < STORE_JOURNAL_STATES ? words[state] : "";
}

/* An unknown word counts as begun: nothing is known of it. */
enum store_journal_state
journal_row_state_of(struct str word)
{
	for (int i = 0; i < STORE_JOURNAL_STATES; i++)
		if (str_eq(word, str_of(words[i])))
			return (enum store_journal_state)i;
	return STORE_JOURNAL_BEGUN;
}

struct str
journal_row_labels(struct arena *a, const struct strs *labels)
{
	struct buf b;

	if (labels->n == 0)
		return S("");
	buf_init(&b, a, CHAIN_BYTES);
	for (size_t i = 0; i < labels->n; i++)
		chain_put(&b, labels->v[i]);
	return buf_view(&b);
}

void
journal_row_labels_read(struct arena *a, struct str text, struct strs *out)
{
	struct str one;

	*out = (struct strs){ 0 };
	while (text.n > 0 && signed_rows_next(&text, &one))
		str_push(a, out, one);
}

void
journal_row_read(struct stmt *st, struct arena *a, struct store_journal *out)
{
	*out = (struct store_journal){
		.id = stmt_column_int(st, 0),
		.account = stmt_column_int(st, 1),
		.audit = stmt_column_int(st, 2),
		.principal = stmt_column(st, 3, a),
		.move = str_eq(stmt_column(st, 4, a), S("move")),
		.folder = stmt_column(st, 5, a),
		.uidvalidity = stmt_column_u32(st, 6),
		.target = stmt_column(st, 7, a),
		.target_uidvalidity = stmt_column_u32(st, 8),
		.set = stmt_column_u32(st, 9),
		.clear = stmt_column_u32(st, 10),
		.state = journal_row_state_of(stmt_column(st, 13, a)),
		.n = stmt_column_u32(st, 14),
		.created_s = stmt_column_int(st, 15),
		.changed_s = stmt_column_int(st, 16),
		.done = stmt_column_u32(st, 17),
		.copied = stmt_column_u32(st, 18),
		.undoes = stmt_column_int(st, 19),
		.undone = stmt_column_u32(st, 20),
	};
	journal_row_labels_read(a, stmt_column(st, 11, a), &out->add);
	journal_row_labels_read(a, stmt_column(st, 12, a), &out->drop);
}

static void
journal_row_message(struct stmt *st, struct arena *a,
    struct store_journal_message *out)
{
	const struct str digest = stmt_column_raw(st, 4);

	*out = (struct store_journal_message){
		.uid = stmt_column_u32(st, 0),
		.id = stmt_column(st, 1, a),
		.folder = stmt_column(st, 2, a),
		.message_id = stmt_column(st, 3, a),
		.flags = stmt_column_u32(st, 5),
		.new_uid = stmt_column_u32(st, 7),
		.new_id = stmt_column(st, 8, a),
		.done = stmt_column_int(st, 9) != 0,
		.undone = stmt_column_int(st, 10) != 0,
		.origin = stmt_column_u32(st, 11),
		.kept = stmt_column_u32(st, 12),
	};
	journal_row_labels_read(a, stmt_column(st, 6, a), &out->labels);
	journal_row_labels_read(a, stmt_column(st, 13, a), &out->kept_labels);
	journal_row_labels_read(a, stmt_column(st, 14, a), &out->places);
	if (digest.n == STORE_JOURNAL_DIGEST)
		memcpy(out->digest, digest.p, STORE_JOURNAL_DIGEST);
}

int
journal_row_messages(struct store *s, struct arena *a,
    struct store_journal *row, struct err *e)
{
	static const char sql[] =
	    "SELECT uid, ref, folder, message_id, digest, flags, labels,"
	    " new_uid, new_ref, done, undone, origin, kept_flags, kept_labels,"
	    " places"
	    " FROM journal_message"
	    " WHERE journal_id = ?1 ORDER BY place";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(row->id)) < 0)
		return -1;
	row->v = NULL;
	row->n = 0;
	while ((r = stmt_step(s, st, e)) == 1) {
		row->v = arena_more(a, row->v, row->n, sizeof(*row->v));
		journal_row_message(st, a, &row->v[row->n++]);
	}
	return r;
}
