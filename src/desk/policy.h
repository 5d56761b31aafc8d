/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_POLICY_H
#define DESK_POLICY_H

/*
 * What decides what agents see and do, as a document with one section for each
 * part of the store.  What a document names becomes as it says; a list in it is
 * the whole list.  What it does not name stays as it is.
 */
#include "desk/document.h"
#include "desk/plan.h"
#include "store/store.h"

/* A document that is applied, within a transaction. */
struct policy_apply {
	struct call *c;
	struct store *s;
	struct document d;
	struct plan plan;
	struct strs kept;  /* what is not in it, and stays without --prune */
	struct strs needs; /* commands for secrets that are missing then */
	bool prune;
};

struct policy_section {
	const char *key;
	/* Puts it into the map that is the whole. */
	int (*put)(struct document_put *d, struct err *e);
	/* Makes the store as it says, and tells the plan what is different. */
	int (*take)(struct policy_apply *p, const struct yaml_node *x,
	    struct err *e);
};

/* policy_sections.c: in the order in which they are applied; key NULL after
 * the last. */
extern const struct policy_section policy_sections[];

int policy_config_put(struct document_put *d, struct err *e);
int policy_config_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e);
int policy_models_put(struct document_put *d, struct err *e);
int policy_models_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e);
int policy_accounts_put(struct document_put *d, struct err *e);
int policy_accounts_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e);
int policy_sources_put(struct document_put *d, struct err *e);
int policy_sources_take(struct policy_apply *p, const struct yaml_node *list,
    struct err *e);
int policy_issuer_put(struct document_put *d, struct err *e);
int policy_issuer_take(struct policy_apply *p, const struct yaml_node *x,
    struct err *e);
int policy_agents_put(struct document_put *d, struct err *e);
int policy_agents_take(struct policy_apply *p, const struct yaml_node *map,
    struct err *e);
int policy_canaries_put(struct document_put *d, struct err *e);
int policy_canaries_take(struct policy_apply *p, const struct yaml_node *list,
    struct err *e);

/* policy_lists.c: the two whitelists of an account, in its map. */
void policy_lists_keys(struct arena *a, struct strs *out);
int policy_lists_put(struct document_put *d, int64_t account, struct err *e);
int policy_lists_take(struct policy_apply *p, const struct yaml_node *map,
    const struct store_account *acct, struct err *e);

/* policy.c.  Puts a text that is not empty. */
void policy_put_text(struct document_put *d, const char *key, struct str s);
/* The text of a member into *io, which stays where there is none. */
int policy_take_text(struct policy_apply *p, const struct yaml_node *map,
    const char *key, struct str *io, struct err *e);
/*
 * Something of the store that is not in the file: true if it is to be removed.
 */
bool policy_prune(struct policy_apply *p, struct str what);
/* policy_held.c: the held messages, and which of them can be released. */
struct policy_held {
	int64_t *id;
	size_t n;
};
int policy_held_load(struct call *c, struct policy_held *out, struct err *e);
/* Those of `before` that are not in `now`. */
struct policy_held policy_held_lost(struct arena *a,
    const struct policy_held *before, const struct policy_held *now);
bool policy_held_same(const struct policy_held *x, const struct policy_held *y);

#endif
