/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_INIT_H
#define DESK_INIT_H

/* What the files of emcli init share, and account add's with them. */
#include "desk/aside.h"
#include "desk/note.h"
#include "desk/senders.h"
#include "source/provider.h"
#include "store/store.h"

struct init {
	struct call *c;
	struct notes *notes;
	struct flow flow;
	struct store *store; /* the one that is there; NULL: none */
	struct source_attempt *attempt;
	struct flow_watch watch;
	/* Servers: the address they were sought for, and who asks. */
	struct str sought;
	bool oauth; /* what the secret that was typed is for */
	const struct provider *provider; /* or NULL */
	struct aside aside;
	struct senders senders;
	struct store_account acct; /* what was written */
};

/* init_account.c: the answers made into an account that holds together.  *args
 * become those of `account add`.  ERR_USAGE. */
int init_account(struct init *in, struct args *args, struct store_account *out,
    struct err *e);

/* init_write.c: all that was answered, written at once.  *made: the database
 * is new. */
int init_write(struct init *in, bool *made, struct err *e);
/* The same of a store that is open, in a call that is recorded. */
int init_write_account(struct init *in, struct err *e);
/* The keys in force, wherever they came from. */
struct store_keys init_write_keys(const struct init *in);

/* init_find.c: servers for the address; at once when we know them. */
void init_find_known(struct init *in);
/* Asks the domain; in->aside.watch tells when it is done. */
int init_find_begin(struct init *in, struct err *e);
void init_find_end(struct init *in);

/* init_consent.c: shows what was said so far, then gets a consent for the
 * account that was just written. */
int init_consent(struct init *in, struct err *e);

/* init_hooks.c: begins in->flow, which then has what happens between the
 * pages. */
void init_hooks_begin(struct init *in);

/* init_tell.c: what the agent is given, and what to do next: members of *out,
 * and lines. */
void init_tell(struct init *in, struct json *out, bool made);

#endif
