#ifndef GATE_RULES_H
#define GATE_RULES_H

/*
 * The operator's words made into policy.  What goes into the store was checked
 * here, so that what comes out can be judged with.
 */
#include "base/err.h"
#include "policy/policy.h"
#include "store/store.h"

/*
 * The rules that are on the account itself: its mode, its level, and which
 * lists are in force.  Without what is on the lists, so that nobody is.
 */
struct policy_rules rules_standing(const struct store_account *acct);
/* The rules of an account; the regex is closed by rules_close(). */
int rules_load(struct store *s, struct arena *a,
    const struct store_account *acct, struct policy_rules *out, struct err *e);
void rules_close(struct policy_rules *r);

/* A whitelist entry in canonical form ("@domain" too).  ERR_USAGE. */
int rules_entry(struct arena *a, struct str in, struct str *out, struct err *e);
/* The same of one that may have been kept from a time when more was taken. */
int rules_entry_kept(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* An account's own address in canonical form.  ERR_USAGE. */
int rules_address(struct arena *a, struct str in, struct str *out,
    struct err *e);
/* Refuses a subject regex that does not compile.  ERR_USAGE with the reason. */
int rules_regex(struct str pattern, struct err *e);
/* The nth backend that mail can be read from, or NULL behind the last. */
const char *rules_backend_at(size_t n);
/* Is that the name of a backend? */
bool rules_backend(struct str name);

#endif
