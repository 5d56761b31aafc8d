/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper's answers to workers: from a store that it opened with the key. */
#include <errno.h>
#include <sys/socket.h>

#include "door/serve/keys.h"
#include "ipc/ipc.h"

bool
serve_answers_open(struct serve_answers *x, const struct env *env)
{
	struct err none = { 0 };

	*x = (struct serve_answers){ env, { NULL, env->agent_key }, NULL };
	return store_open(env->db, STORE_AGENT, &x->keys, &x->store, &none) ==
	    0;
}

void
serve_answers_renew(struct serve_answers *x)
{
	struct store *s = NULL;
	struct err none = { 0 };

	if (store_same_file(x->store) ||
	    store_open(x->env->db, STORE_AGENT, &x->keys, &s, &none) < 0)
		return;
	store_close(&x->store);
	x->store = s;
}

int
serve_answers_one(struct store_asker *w, int fd)
{
	/* One more than may come: a longer message is cut off there. */
	static char request[LIMIT_KEEPER_ASK + 1];
	struct store_answer out = { .n = 0 };
	struct ipc_passed in = { .n = 0 };
	ssize_t n = ipc_pass_recv(fd, request, sizeof(request), &in);
	bool goes_on;

	/* Descriptors are no part of a question. */
	if (in.n > 0)
		n = 0;
	ipc_pass_close(&in);
	if (n < 0)
		return (errno == EAGAIN || errno == EINTR) ? 0 : -1;
	if (n == 0)
		return -1;
	goes_on =
	    store_keeper_answer(w, (struct str){ request, (size_t)n }, &out);
	n = ipc_pass_send(fd, (struct str){ (char *)out.p, out.n }, NULL, 0);
	return goes_on && n == (ssize_t)out.n ? 0 : -1;
}
