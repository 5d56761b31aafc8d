/* SPDX-License-Identifier: Apache-2.0 */
/* What a store is, and how much is in it. */
#include "store/info.h"

#include "store/chain.h"
#include "store/transferring.h"

int
store_info_count(struct store *s, struct arena *a, struct store_info *out,
    struct err *e)
{
	const char *table;

	for (size_t i = 0; (table = transfer_rows_table(i)) != NULL; i++) {
		struct store_info_table *t;

		out->tables =
		    arena_more(a, out->tables, out->n, sizeof(*out->tables));
		t = &out->tables[out->n++];
		t->name = table;
		if (transfer_rows_count(s, table, &t->rows, e) < 0)
			return -1;
		out->rows += t->rows;
	}
	return 0;
}

int
store_info_heads(struct store *s, struct arena *a, struct store_info *out,
    struct err *e)
{
	bool there[CHAIN_RANGES] = { 0 };

	if (chain_there(s, there, e) < 0)
		return -1;
	for (int k = 0; k < CHAIN_RANGES; k++) {
		char hash[CHAIN_HEX];
		int64_t link;
		int r = there[k] ? chain_head(s, k, &link, hash, e) : 0;

		if (r < 0)
			return -1;
		if (r == 0)
			continue;
		out->heads = arena_more(a, out->heads, out->n_heads,
		    sizeof(*out->heads));
		out->heads[out->n_heads++] = (struct store_info_head){
			.link = link,
			.hash = str_dup(a, (struct str){ hash, CHAIN_HEX }),
		};
	}
	return 0;
}

/* The first number of the first row. */
static int
store_info_number(struct store *s, const char *sql, int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0 || stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_int(st, 0);
	return 0;
}

int
store_info(struct store *s, struct arena *a, struct store_info *out,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	*out = (struct store_info){ .driver = s->driver->name };
	if (tx_begin_read(s, &t, e) < 0 ||
	    store_info_number(s, "SELECT max(version) FROM migration",
		&out->version, e) < 0 ||
	    store_info_number(s, s->driver->size, &out->bytes, e) < 0 ||
	    store_info_count(s, a, out, e) < 0 ||
	    store_info_heads(s, a, out, e) < 0)
		return -1;
	out->place = s->driver->is_file ? str_dup(a, str_of(s->path))
					: store_about(s, a);
	return 0;
}
