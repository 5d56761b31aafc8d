/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_KEYS_H
#define DOOR_SERVE_KEYS_H

/*
 * What store/keeper.h says, over a SOCK_SEQPACKET pair between a worker and the
 * keeper: a request is one message, and so is its answer.  Neither side can
 * make the other wait for the rest of a message.
 */
#include "base/env.h"
#include "store/keeper.h"

/* -- the worker's side: keys.c --------------------------------------------- */

/*
 * In a new process of the broker: from now on it and its children have no key,
 * and ask the keeper.  Each of them has sockets of its own, to which the
 * monitor, at the other end of that one, helps it: again if the keeper was
 * replaced.  *out: the environment for its gates.
 */
void serve_keys_join(int monitor, const struct env *env, struct env *out);
/*
 * Asks by *fd, which must stay valid as long as *out is used.  After an error
 * *fd is closed and -1: nothing can be asked again.
 */
void serve_keys_remote(int *fd, struct store_keeper *out);

/* -- the keeper's side: answers.c ------------------------------------------ */

/* The store by which it answers: not the one that unseals. */
struct serve_answers {
	const struct env *env;
	struct store_keys keys;
	struct store *store;
};

/* False: the store or the key is of no use. */
bool serve_answers_open(struct serve_answers *x, const struct env *env);
/* If the file was replaced, as by a backup: opens the one that is there now. */
void serve_answers_renew(struct serve_answers *x);
/*
 * Answers one request if there is one; it does not wait. -1: close the socket,
 * and end what is at its other end: it has closed it, or it asked what no
 * worker asks, or it reads no answers.
 */
int serve_answers_one(struct store_asker *w, int fd);

#endif
