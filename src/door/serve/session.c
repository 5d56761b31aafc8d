/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wires of a session in `direct`: its process is what the monitor is to the
 * broker's keeper and wires, and its calls are one worker, one after the other.
 * All of them are one user's, so nothing confines them.
 */
#include "door/serve/session.h"

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"

static struct serve_brood *brood;
/* The calls' end of a socket to the keeper, or -1. */
static int session_worker = -1;

static void
serve_session_part(void)
{
	path_close(&session_worker);
}

static int
serve_session_join(const struct env *env)
{
	int64_t now_ms = clock_mono_ms();

	/* Only the process that opened a trace writes it; within the broker its
	 * own keeper lends them. */
	if (env->trace != NULL || env->foreign)
		return -1;
	if (brood == NULL)
		brood = serve_brood_new(env, NULL);
	serve_brood_reap(brood, now_ms);
	if (serve_brood_fd(brood) < 0)
		serve_session_part();
	serve_brood_start(brood, now_ms);
	if (session_worker < 0)
		session_worker = serve_brood_pair(brood);
	return session_worker;
}

static int
serve_session_fd(void)
{
	return brood != NULL ? serve_brood_fd(brood) : -1;
}

static void
serve_session_hear(void)
{
	serve_brood_hear(brood);
	serve_brood_reap(brood, clock_mono_ms());
}

const struct lent_wires serve_session = {
	.join = serve_session_join,
	.part = serve_session_part,
	.fd = serve_session_fd,
	.hear = serve_session_hear,
	.use = serve_lend_by,
};
