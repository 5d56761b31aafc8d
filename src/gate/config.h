#ifndef GATE_CONFIG_H
#define GATE_CONFIG_H

/*
 * The settings of the whole store.  A new one is a row in config_table.c; it
 * has its key in the store's settings, and no column.
 */
#include "store/account_setting.h"

/* Ends with a row whose name is NULL.  Of two choices the last is assumed,
 * and one in capitals stands for something that has to be there. */
extern const struct setting config_table[];

/* The row of that key.  ERR_USAGE, with the nearest. */
int config_find(struct arena *a, struct str key, const struct setting **out,
    struct err *e);
/* What is assumed when nothing is set. */
struct str config_default(struct arena *a, const struct setting *s);
/* What it may be as it is written: "off" and "on". */
void config_words(struct arena *a, const struct setting *s, struct strs *out);
/* What is set, or assumed. */
int config_value(struct store *s, struct arena *a, const struct setting *row,
    struct str *out, struct err *e);
/* A value as it is kept: a number without zeros in front, a folder that is
 * there.  ERR_USAGE, ERR_NOT_FOUND. */
int config_read(struct store *s, struct arena *a, const struct setting *row,
    struct str text, struct str *out, struct err *e);

#endif
