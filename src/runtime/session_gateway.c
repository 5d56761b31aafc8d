/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The step before the program: the session's gateway listens.  So its program
 * finds it, and a command that dies in between leaves a start to undo.
 */
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/instance.h"
#include "runtime/session.h"

#define HOST_VARIABLE "HOUMAO_AGENT_GATEWAY_HOST"
#define PORT_VARIABLE "HOUMAO_AGENT_GATEWAY_PORT"

static bool
session_gateway_is_host(struct str s)
{
	return str_eq(s, S(INSTANCE_LOOPBACK)) || str_eq(s, S(INSTANCE_ANY));
}

/* What was given, else the environment, else where it listened before. */
static int
session_gateway_choose(struct sessions *s, int folder,
    struct session_gateway *g, struct err *e)
{
	struct instance_desired before = { S(""), 0 };
	struct str host = str_of(getenv(HOST_VARIABLE));
	struct str port = str_of(getenv(PORT_VARIABLE));

	if (instance_desired_read(folder, s->a, &before, e) < 0)
		return -1;
	if (host.n > 0 && !session_gateway_is_host(host))
		return err_set(e, ERR_CONFIG,
		    HOST_VARIABLE " is neither 127.0.0.1 nor 0.0.0.0");
	if (port.n > 0 && !str_to_u32(port, 65535, &g->port))
		return err_set(e, ERR_CONFIG,
		    PORT_VARIABLE " is not a number from 0 to 65535");
	g->host = s->gateway_host;
	if (g->host.n == 0)
		g->host = host.n > 0 ? host : before.host;
	if (g->host.n == 0)
		g->host = S(INSTANCE_LOOPBACK);
	if (s->gateway_port_given)
		g->port = s->gateway_port;
	g->any = !s->gateway_port_given && port.n == 0;
	if (g->any)
		g->port = before.port;
	return 0;
}

int
session_gateway_do(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	bool runs =
	    x->state.step == SESSION_STARTED && x->is == SESSION_IS_RUNNING;
	struct session_gateway g = { .path = x->path,
		.epoch = x->state.generation + !runs };

	if (s->gateway == NULL ||
	    x->manifest.mailbox.transport == TRANSPORT_NONE)
		return 0;
	if (session_gateway_choose(s, folder, &g, e) < 0)
		return -1;
	return s->gateway(&g, e);
}

int
session_gateway_here(struct sessions *s, struct session *x,
    struct session_gateway *out, struct err *e)
{
	CLEANUP(path_close) int folder = session_folder(s, x, false, e);

	*out = (struct session_gateway){ .path = x->path,
		.epoch = x->state.generation > 0 ? x->state.generation : 1 };
	return folder < 0 ? -1 : session_gateway_choose(s, folder, out, e);
}

/*
 * Its workers have its lock too, and end a moment after it: a gateway that is
 * started now must not meet it.
 */
static void
session_gateway_wait(int folder)
{
	const struct timespec moment = { .tv_nsec = 5 * 1000000L };
	int64_t until_ms = clock_mono_ms() + LIMIT_SESSION_STOP_MS;
	struct err none = { 0 };
	CLEANUP(path_close) int run = instance_run(folder, false, &none);

	while (run >= 0 && flock(run, LOCK_EX | LOCK_NB) < 0 &&
	    clock_mono_ms() < until_ms)
		(void)nanosleep(&moment, NULL);
}

int
session_gateway_stop(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	struct process p = { 0 };
	int r = instance_process(folder, s->a, &p, e);

	if (r > 0)
		return 1;
	/* One that cannot be read is one that cannot be found. */
	if (r < 0 || process_stop(&p, LIMIT_SESSION_STOP_MS, e) < 0)
		return -1;
	session_gateway_wait(folder);
	return instance_put_clear(folder, &x->manifest, s->a, e);
}

int
session_gateway_undo(struct sessions *s, const struct session *x, struct err *e)
{
	struct session one = *x;
	struct err why = { 0 };
	CLEANUP(path_close) int folder = session_folder(s, x, false, &why);

	if (folder >= 0 && session_gateway_stop(s, &one, folder, &why) >= 0)
		return 0;
	if (why.kind == ERR_NOT_FOUND)
		return 0;
	*e = why;
	return -1;
}

bool
session_gateway_is_wanted(struct sessions *s, int folder)
{
	struct instance_desired d;
	struct err none = { 0 };

	return instance_desired_read(folder, s->a, &d, &none) == 0;
}
