/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_KEEPER_H
#define STORE_KEEPER_H

/*
 * A store in a process without its data key.  Another process, the keeper, has
 * the key.  A worker opens the store as STORE_SERVED and asks the keeper by
 * messages; this room does not know how they travel.
 *
 * The keeper answers seven questions:
 * 1. Does your key still open the store?  Asked first, once each time the store
 *    is opened.
 * 2. What is the MAC of this text?  Only of texts that agents' calls sign.
 * 3. Is this the MAC of this text?  Of every text.
 * 4. Does this text contain a secret that the account must not send?
 * 5. Does a credential of this account unseal?
 * 6. Something waits for the operator: will you look?
 * 7. What is the setting notify?  For the process that runs its program, and
 *    has no store.  It is checked under the data key as it is now.
 * It unseals nothing for a worker: no message asks for that.  What the operator
 * signs in the store (policy, accounts, agents, the audit log) is signed under
 * a key that is derived from the admin key, which neither process has.
 *
 * The fifth answer is yes or no.  The fourth confirms a password that was
 * guessed in full, and no part of one.
 */
#include "base/limits.h"
#include "store/store.h"

/*
 * What a MAC is for.  Each label has its own key, derived from the data key.
 * The numbers travel; the labels themselves are in keeper.c.
 */
enum store_label {
	STORE_LABEL_NONE,
	STORE_LABEL_TURN,   /* a user's turn: skill/mark.c */
	STORE_LABEL_LOAD,   /* a skill that was loaded in it */
	STORE_LABEL_ASK,    /* gate/outbox_ask_state.c */
	STORE_LABEL_CURSOR, /* gate/thread_cursor.c */
	STORE_LABEL_CURSOR_MASK,
	STORE_LABEL_GRANT,  /* a grant's handle: grant_load.c */
	STORE_LABEL_ROOT,   /* a message in a mailbox root: mark.c */
	STORE_LABEL_WATCH,  /* gate/watch_cursor.c */
	STORE_LABEL_ISSUER, /* what the issuer said: issuer_kept.c */
	STORE_LABEL_NOTIFY, /* the setting notify: notice_way.c */
	STORE_LABELS        /* how many there are */
};

struct store_answer {
	unsigned char p[LIMIT_KEEPER_ANSWER];
	size_t n;
};

/* -- the worker's side ----------------------------------------------------- */

/* How a store reaches the keeper. */
struct store_keeper {
	/*
	 * Before a store is opened: a keeper that was replaced since is found
	 * again.  ERR_CONFIG; NULL: nothing is to be done.
	 */
	int (*begin)(void *ctx, struct err *e);
	/*
	 * Sends a request of at most LIMIT_KEEPER_ASK bytes and waits for its
	 * answer.  ERR_CONFIG: there is none; the keeper is gone.
	 */
	int (*ask)(void *ctx, struct str request, struct store_answer *out,
	    struct err *e);
	void *ctx;
};

/*
 * Opens the store without its data key: STORE_SERVED.  *k is copied, its ctx
 * borrowed.  Errors of store_open(); the keeper's are ERR_CONFIG.  Unsealing
 * and sealing are refused with ERR_CONFIG.  store/open.c
 */
int store_open_served(const char *path, const struct store_keeper *k,
    struct store **out, struct err *e);
/* The same for a command, as store_enter().  store/enter.c */
int store_enter_served(const char *path, const struct store_keeper *k,
    struct store **out, struct err *e);
/*
 * One that has been kept open since the last call: may it be used for the next
 * one?  Nothing of the last call is left in it then.  False: close it, and open
 * it again.  store/again.c
 */
bool store_again(struct store *s, const char *path);
/*
 * Opens the store, or takes *kept, which becomes NULL: it was opened with this
 * path and keeper, and its process has not forked since.  store/enter.c
 */
int store_enter_again(const char *path, const struct store_keeper *k,
    struct store **kept, struct store **out, struct err *e);
/*
 * Tells the keeper that something waits for the operator: store/notice.h.
 * store/keeper_ask.c
 */
void store_keeper_ask_notice(struct store *s);
/*
 * The seventh, without a store: 1 with the setting; 0: it is off.  ERR_CONFIG:
 * the keeper is gone, or somebody else wrote the setting.  store/keeper_ask.c
 */
int store_keeper_ask_way(const struct store_keeper *k, struct arena *a,
    struct str *out, struct err *e);
/* Is it such a store?  store/open.c */
bool store_open_is_served(const struct store *s);

/* -- the keeper's side: store/keeper_answer.c ------------------------------ */

/* One worker, as the keeper knows it. */
struct store_asker;

/*
 * Begins to answer a worker from a store that was opened with these keys.  Both
 * are borrowed; several askers may share them.  Between two answers *s may
 * become another store.
 */
struct store_asker *store_keeper_answer_begin(struct store *const *s,
    const struct store_keys *k);
/*
 * Answers one request, which may be any bytes.  False: no worker asks that, so
 * this one was taken over; send it the answer, which is an error, and nothing
 * else again.
 */
bool store_keeper_answer(struct store_asker *w, struct str request,
    struct store_answer *out);
/* Did it say that something waits for the operator, since this was asked? */
bool store_keeper_answer_noticed(struct store_asker *w);
/* NULL-safe. */
void store_keeper_answer_end(struct store_asker **w);

#endif
