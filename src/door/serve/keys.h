#ifndef DOOR_SERVE_KEYS_H
#define DOOR_SERVE_KEYS_H

/*
 * What store/keeper.h says, over a SOCK_SEQPACKET pair between a worker and the
 * keeper: a request is one message, and so is its answer.  Neither side can
 * make the other wait for the rest of a message.
 */
#include "store/keeper.h"

/*
 * The worker's side: asks by *fd, which must stay valid as long as *out is
 * used.  After an error *fd is closed and -1: nothing can be asked again.
 */
void serve_keys_remote(int *fd, struct store_keeper *out);
/*
 * The keeper's side: answers one request if there is one; it does not wait. -1:
 * close the socket, and end what is at its other end: it has closed it, or it
 * asked what no worker asks, or it reads no answers.
 */
int serve_keys_answer(struct store_asker *w, int fd);

#endif
