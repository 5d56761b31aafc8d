/* SPDX-License-Identifier: Apache-2.0 */
/* One call, on a connection of its own. */
#include "base/path.h"
#include "door/remote/internal.h"

/* The other process did not live to answer, or was not heard. */
static int
remote_call_lost(const struct far_call *c, const struct err *why, struct err *e)
{
	enum effect effect =
	    args_given(c->args, "dry_run") ? EFFECT_READ : c->op->effect;

	if (effect == EFFECT_SEND)
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the broker's process ended before it answered: the "
		    "message may have been sent; do not send it again");
	else if (effect == EFFECT_READ)
		(void)err_set(e, ERR_INTERNAL, "the call did not finish");
	else
		(void)err_set(e, ERR_INTERNAL,
		    "the call did not finish: check what it did before you "
		    "make it again");
	return err_because(e, "%s", why->say);
}

static int
remote_call_send(int fd, const struct env *env, const struct far_call *c,
    struct remote_saves *saves, struct arena *a, struct err *e)
{
	struct remote_files files = { .folder = -1 };
	struct ipc_frame f = { .type = FAR_CALL };
	struct err unsent = { 0 };
	int r = remote_files(c->args, a, &files, e);

	if (r == 0)
		r = remote_put(env, c, &files, a, &f.payload, e);
	if (r == 0 && f.payload.n > LIMIT_FRAME)
		r = err_set(e, ERR_LIMIT,
		    "the call is too long for the broker: at most %lu bytes",
		    LIMIT_FRAME);
	/* Whoever refuses it may have closed already, and said why. */
	if (r == 0)
		(void)ipc_frame_send(fd, &f, files.with.fd, files.with.n,
		    &unsent);
	ipc_pass_close(&files.with);
	*saves = (struct remote_saves){ .folder = files.folder, .a = a };
	return r;
}

int
remote_call(const struct env *env, const struct far_call *c, struct arena *a,
    struct far_reply *out, struct err *e)
{
	CLEANUP(path_close) int fd = remote_find(remote_find_path(env), e);
	CLEANUP(remote_saves_close)
	struct remote_saves saves = { .folder = -1 };
	struct err lost = { 0 };
	int r;

	if (fd < 0 || remote_call_send(fd, env, c, &saves, a, e) < 0)
		return -1;
	r = remote_take(fd, c, &saves, a, out, &lost);
	if (r == 1)
		return 0;
	if (r == 0)
		(void)err_set(&lost, ERR_NETWORK, "the connection ended");
	if (r < 0 && lost.kind == ERR_CONFIG) {
		*e = lost;
		return -1;
	}
	return remote_call_lost(c, &lost, e);
}
