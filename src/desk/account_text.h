/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ACCOUNT_TEXT_H
#define DESK_ACCOUNT_TEXT_H

/*
 * An account's settings as members of a document, made from the table of
 * settings: whatever gets a row there is in it.
 */
#include "desk/document.h"
#include "gate/setting.h"
#include "store/oauth.h"

/* Puts them into the open map: all, or those that are rules. */
void account_text_put(struct document_put *d, const struct store_account *v,
    bool rules);
/* The keys that it puts, added to *out. */
void account_text_keys(struct arena *a, bool rules, struct strs *out);
/*
 * Takes those that the map has into *v, which then holds together.  A value
 * that `was` has already is not checked again.  NULL: the account is new.
 * ERR_USAGE with the line.
 */
int account_text_take(const struct document *d, const struct yaml_node *map,
    const struct store_account *was, bool rules, struct store_account *v,
    struct err *e);

/* Whom a consent was asked of, in the member "oauth". */
void account_text_put_oauth(struct document_put *d,
    const struct store_oauth *x);
int account_text_take_oauth(const struct document *d,
    const struct yaml_node *map, struct store_oauth *out, struct err *e);

#endif
