/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SIGNED_ROWS_H
#define STORE_SIGNED_ROWS_H

/* Shared by the files of the signed copy. */
#include "store/internal.h"

/* -- signed_rows.c: the operator's rows ------------------------------------ */

#define SIGNED_BYTES (64U << 20) /* of all rows together */

/* Texts as chain_put() puts them. */
struct signed_row {
	struct str tab;
	struct str key;   /* its primary key as text */
	struct str cells; /* name, value, name, value ... */
};

/* By table and key, ascending. */
struct signed_set {
	struct signed_row *v;
	size_t n;
};

/* Is it a table whose rows are signed? */
bool signed_rows_cover(const char *table);
/* Adds a row to be filled in. */
struct signed_row *signed_rows_add(struct arena *a, struct signed_set *set);
/* The rows as they are now. */
int signed_rows_take(struct store *s, struct arena *a, struct signed_set *out,
    struct err *e);
bool signed_rows_same(const struct signed_set *x, const struct signed_set *y);
/* As one text, and back; false if the text is malformed. */
struct str signed_rows_text(const struct signed_set *set, struct arena *a);
bool signed_rows_read(struct str text, struct arena *a, struct signed_set *out);
/* The next value of such a text; false at its end. */
bool signed_rows_next(struct str *rest, struct str *out);
/* A cell by its name: the letter of its type and the value; NULL is null. */
bool signed_rows_cell(struct str cells, struct str name, struct str *out);

enum {
	SIGNED_SETS = 3
};

/* Iterates over several sets at once; .set may contain NULL. */
struct signed_walk {
	const struct signed_set *set[SIGNED_SETS];
	size_t at[SIGNED_SETS];
	const struct signed_row *row[SIGNED_SETS]; /* NULL: not in that one */
	const struct signed_row *least;            /* one that is not NULL */
};

bool signed_rows_step(struct signed_walk *w);

/* -- signed_merge.c -------------------------------------------------------- */

/*
 * The previous copy, changed exactly as `before` changed into `after`: changes
 * that others made still differ.
 */
void signed_merge(struct arena *a, const struct signed_set *kept,
    const struct signed_set *before, const struct signed_set *after,
    struct signed_set *out);

/* -- signed_copy.c --------------------------------------------------------- */

struct signed_copy {
	struct str ts, body;
	struct signed_set rows;
};

/* 1; 0 if it is missing or not valid; -1. */
int signed_copy_load(struct store *s, const struct secret *key, struct arena *a,
    struct signed_copy *out, struct err *e);
int signed_copy_put(struct store *s, struct arena *a,
    const struct signed_set *rows, struct err *e);

/* -- signed_edit.c --------------------------------------------------------- */

/* Records one more difference. */
void signed_edit_put(struct store_signed *out, struct arena *a,
    struct str where, struct str what);

/* -- signed_diff.c --------------------------------------------------------- */

/* What differs, in the form of store_signed_check(). */
int signed_diff(struct store *s, struct arena *a, const struct signed_set *kept,
    const struct signed_set *now, struct store_signed *out, struct err *e);
/* Were migrations applied since? */
bool signed_diff_newer(const struct signed_set *kept,
    const struct signed_set *now);
/*
 * Is it a cell that a migration added, with the migration's value?  1, 0, -1.
 */
int signed_diff_added(struct store *s, struct str table, struct str column,
    struct str value, struct err *e);

/* -- signed_schema.c ------------------------------------------------------- */

/* What differs from the schema that the migrations make. */
int signed_schema_check(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e);
/* The same of a store that has only the migrations up to that version. */
int signed_schema_check_of(struct store *s, int64_t version, struct arena *a,
    struct store_signed *out, struct err *e);
/* The rows of a new store, made by migrations only. */
int signed_schema_rows(struct store *s, struct arena *a, struct signed_set *out,
    struct err *e);
/*
 * Is this new setting one that a migration made, unchanged?  `ours` is the row
 * with that key in signed_schema_rows(), or NULL.
 */
bool signed_schema_made(const struct signed_row *row,
    const struct signed_row *ours);

#endif
