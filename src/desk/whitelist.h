/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_WHITELIST_H
#define DESK_WHITELIST_H

/* Shared by the commands on whitelists. */
#include "gate/gate.h"
#include "store/store.h"

/* "in" or "out". */
const char *whitelist_word(enum store_list which);
/* The account of the call. */
int whitelist_find(const struct call *c, struct store_account *acct,
    struct err *e);
/* Is the list on? */
bool whitelist_in_force(enum store_list which,
    const struct store_account *acct);
/* Says what an entry needs to have an effect. */
void whitelist_note_force(struct call *c, enum store_list which,
    const struct store_account *acct);
/* Says what requiring an authenticated sender costs. */
void whitelist_note_auth(struct call *c, const struct store_account *acct);
/* The given entries, each parsed by `read`. */
int whitelist_read_entries(const struct call *c,
    int (*read)(struct arena *a, struct str in, struct str *out, struct err *e),
    struct strs *out, struct err *e);

/* A list; for the list in, both kinds of entries. */
struct whitelist_entries {
	struct strs plain;
	struct strs dmarc; /* whose sender must be authenticated */
};

int whitelist_load(const struct call *c, enum store_list which,
    const struct store_account *acct, struct whitelist_entries *out,
    struct err *e);

#define WHITELIST_ACCOUNT                                                      \
	{                                                                      \
		.name = "account", .type = ARG_ACCOUNT, .flags = ARG_SOLE,     \
		.help =                                                        \
		    "account whose list it is; optional if there is only one"  \
	}
#define WHITELIST_ENTRY                                                        \
	{                                                                      \
		.name = "entry", .type = ARG_TEXT,                             \
		.flags = ARG_REQUIRED | ARG_MANY | ARG_POSITIONAL,             \
		.help = "an address, or @domain for all of a domain"           \
	}

#endif
