/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_RULES_H
#define GATE_RULES_H

/*
 * Turns the operator's settings into policy.  Values are checked before they
 * are stored, so stored values can be used for judging.
 */
#include "base/err.h"
#include "policy/policy.h"
#include "store/store.h"

/*
 * The rules on the account itself: its mode, its level, and which lists are on.
 * Without the lists' entries, so nobody is listed.
 */
struct policy_rules rules_standing(const struct store_account *acct);
/* The rules of an account; rules_close() frees the regex. */
int rules_load(struct store *s, struct arena *a,
    const struct store_account *acct, struct policy_rules *out, struct err *e);
void rules_close(struct policy_rules *r);

/* A whitelist entry in canonical form ("@domain" too).  ERR_USAGE. */
int rules_entry(struct arena *a, struct str in, struct str *out, struct err *e);
/*
 * The same for a stored entry, which an earlier, more permissive version may
 * have accepted.
 */
int rules_entry_kept(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* An account's own address in canonical form.  ERR_USAGE. */
int rules_address(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* Refuses a subject regex that does not compile.  ERR_USAGE with the reason. */
int rules_regex(struct str pattern, struct err *e);
/* The names in the setting organise_folders.  An empty one is no folder's. */
struct strs rules_folders(struct arena *a, struct str text);
/* The nth backend that can read mail, or NULL after the last. */
const char *rules_backend_at(size_t n);
/* Is that the name of a backend? */
bool rules_backend(struct str name);

#endif
