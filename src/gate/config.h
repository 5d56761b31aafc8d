/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_CONFIG_H
#define GATE_CONFIG_H

/*
 * The settings of the whole store.  A new one is a row in config_table.c; it
 * has a key in the store's settings, and no column.
 */
#include "store/account_setting.h"

/*
 * Ends with a row whose name is NULL.  Of two choices the last is the default;
 * a choice in capitals is a placeholder for a value.
 */
extern const struct setting config_table[];

/* The row with that key.  ERR_USAGE, with the nearest key. */
int config_find(struct arena *a, struct str key, const struct setting **out,
    struct err *e);
/* The default. */
struct str config_default(struct arena *a, const struct setting *s);
/* Its possible values as they are written: "off" and "on". */
void config_words(struct arena *a, const struct setting *s, struct strs *out);
/* The value that is set, or the default. */
int config_value(struct store *s, struct arena *a, const struct setting *row,
    struct str *out, struct err *e);
/*
 * The value in the form that is stored: a number without leading zeros, a
 * folder that exists.  ERR_USAGE, ERR_NOT_FOUND.
 */
int config_read(struct store *s, struct arena *a, const struct setting *row,
    struct str text, struct str *out, struct err *e);

/*
 * What is worth knowing of a value that config_read() took; empty: nothing.
 */
struct str config_remark(struct store *s, struct arena *a,
    const struct setting *row, struct str value);

#endif
