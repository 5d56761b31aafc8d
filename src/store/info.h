/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_INFO_H
#define STORE_INFO_H

/* What a store is, and how much is in it: of either kind. */
#include "store/store.h"

struct store_info_table {
	const char *name;
	int64_t rows;
};

/* The newest link of a chain of the audit log. */
struct store_info_head {
	int64_t link;
	struct str hash;
};

struct store_info {
	const char *driver; /* "sqlite", "postgresql" */
	struct str place;   /* the file's path, or the server in words */
	int64_t version;    /* of the schema */
	int64_t bytes;      /* on the disk, without logs */
	struct store_info_table *tables; /* all of them, */
	size_t n;
	int64_t rows; /* together */
	/* Of each chain that has a link, in order. */
	struct store_info_head *heads;
	size_t n_heads;
};

/* As of one moment. */
int store_info(struct store *s, struct arena *a, struct store_info *out,
    struct err *e);

/* -- parts of it, within a transaction ------------------------------------- */

/* Counts the rows of each table; adds to *out. */
int store_info_count(struct store *s, struct arena *a, struct store_info *out,
    struct err *e);
/* The newest links; adds to *out. */
int store_info_heads(struct store *s, struct arena *a, struct store_info *out,
    struct err *e);

#endif
