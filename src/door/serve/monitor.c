/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The monitor: it accepts connections, asks the kernel who made them, and gives
 * each to a worker when its call begins to arrive.  It reads no byte of them,
 * and so waits for nobody.
 */
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"
#include "door/serve/teller.h"

enum {
	ACCEPTS = 64,  /* at once */
	TICK_MS = 500, /* while somebody waits */
	LISTENING = 0, /* places among what is polled */
	SIGNALS,
	KEEPER,
	BESIDE,
	NOTICES,
	TELLER,
	FIXED,
	PLACES = FIXED + LIMIT_SERVE_WAITING +
	    2 * (LIMIT_SERVE_WORKERS + LIMIT_SERVE_PIPES)
};

struct monitor {
	int listening, signals;
	int watchdog_ms;                 /* 0: there is none */
	int64_t now_ms, told_ms, end_ms; /* end_ms 0: it goes on */
	struct serve_queue queue;
	struct serve_refused refused;
	struct serve_crew crew;
	struct pollfd at[PLACES];
};

/* -- connections ----------------------------------------------------------- */

static void
monitor_take(struct monitor *m, int fd)
{
	struct ipc_peer who = { 0 };

	if (ipc_peer_there(fd, &who)) {
		if (!serve_queue_add(&m->queue, fd, who.uid, m->now_ms))
			serve_refuse(&m->refused, fd, m->now_ms);
		return;
	}
	(void)close(fd);
}

static void
monitor_accept(struct monitor *m)
{
	for (int i = 0; i < ACCEPTS; i++) {
		int fd = accept4(m->listening, NULL, NULL,
		    SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			monitor_take(m, fd);
			continue;
		}
		/* Until some are closed. */
		if (errno == EMFILE || errno == ENFILE)
			(void)usleep(10000);
		if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

static void
monitor_drop(struct monitor *m, size_t i)
{
	(void)close(serve_queue_take(&m->queue, i).fd);
}

/* A client that says nothing gets one answer. */
static void
monitor_refuse_late(struct monitor *m)
{
	struct err e = { 0 };

	(void)err_set(&e, ERR_USAGE, "a frame was not whole in %d seconds",
	    LIMIT_FRAME_MS / 1000);
	for (size_t i = m->queue.n; i-- > 0;) {
		const struct serve_waiting *x = &m->queue.v[i];

		if (x->ready || m->now_ms - x->since_ms <= LIMIT_FRAME_MS)
			continue;
		serve_reply_refuse(x->fd, &e);
		monitor_drop(m, i);
	}
}

/* -- calls ----------------------------------------------------------------- */

static void
monitor_dispatch(struct monitor *m)
{
	ptrdiff_t i;

	while ((i = serve_queue_next(&m->queue, serve_crew_running,
		    &m->crew)) >= 0) {
		const uint32_t uid = m->queue.v[i].uid;
		struct serve_member *w = serve_crew_for(&m->crew, uid,
		    serve_queue_of(&m->queue, uid) > 1, m->now_ms);
		struct serve_waiting x;
		struct ipc_peer who;

		if (w == NULL)
			return;
		x = serve_queue_take(&m->queue, (size_t)i);
		/* Counted before it runs: a status leaves itself out. */
		atomic_fetch_add(&m->crew.board->calls, 1);
		/* It may have ended while it waited. */
		if (!ipc_peer_there(x.fd, &who) ||
		    !serve_crew_give(w, &x, m->now_ms))
			(void)close(x.fd);
	}
}

/* The call of one that may not use the files that are named now; so may none
 * of the others. */
static void
monitor_take_back(struct monitor *m, struct serve_member *w)
{
	int fd = w->conn;

	w->conn = -1;
	serve_crew_renew(&m->crew);
	if (fd < 0)
		return;
	if (serve_queue_add(&m->queue, fd, w->uid, m->now_ms)) {
		m->queue.v[m->queue.n - 1].ready = true;
		m->queue.v[m->queue.n - 1].again = true;
		return;
	}
	serve_refuse(&m->refused, fd, m->now_ms);
}

/* Those that have no pipe. */
static size_t
monitor_workers(const struct monitor *m)
{
	return m->crew.n - serve_crew_pipes(&m->crew);
}

static void
monitor_keep_spare(struct monitor *m)
{
	if (m->end_ms == 0)
		serve_brood_start(m->crew.brood, m->now_ms);
	while (m->end_ms == 0 && monitor_workers(m) < LIMIT_SERVE_SPARE &&
	    serve_crew_start(&m->crew, m->now_ms))
		;
	if (m->end_ms == 0)
		serve_beside_keep(m->crew.beside, m->crew.env, m->crew.brood,
		    m->now_ms);
}

/* -- waiting --------------------------------------------------------------- */

/* What is polled: the fixed places, the queue, two of each worker. */
static size_t
monitor_fill(struct monitor *m)
{
	size_t n = FIXED;

	m->at[LISTENING] = (struct pollfd){ m->listening, POLLIN, 0 };
	m->at[SIGNALS] = (struct pollfd){ m->signals, POLLIN, 0 };
	m->at[KEEPER] =
	    (struct pollfd){ serve_brood_fd(m->crew.brood), POLLIN, 0 };
	m->at[BESIDE] = (struct pollfd){ m->crew.beside->fd, POLLIN, 0 };
	m->at[NOTICES] =
	    (struct pollfd){ serve_brood_notices(m->crew.brood), POLLIN, 0 };
	m->at[TELLER] = (struct pollfd){ serve_teller_fd(), POLLIN, 0 };
	for (size_t i = 0; i < m->queue.n; i++) {
		const struct serve_waiting *x = &m->queue.v[i];

		m->at[n++] = (struct pollfd){ x->fd, x->ready ? 0 : POLLIN, 0 };
	}
	for (size_t i = 0; i < m->crew.n; i++) {
		const struct serve_member *w = &m->crew.v[i];
		short what = w->reads ? POLLIN | POLLRDHUP : POLLRDHUP;

		m->at[n++] = (struct pollfd){ w->fd, POLLIN, 0 };
		m->at[n++] = (struct pollfd){ w->left ? -1 : w->conn, what, 0 };
	}
	return n;
}

static int
monitor_patience(struct monitor *m)
{
	const int due = serve_refuse_due(&m->refused, m->now_ms);

	if (due >= 0)
		return due;
	if (serve_brood_fd(m->crew.brood) < 0 || m->queue.n > 0 ||
	    serve_beside_is_due(m->crew.beside) ||
	    monitor_workers(m) != LIMIT_SERVE_SPARE ||
	    serve_crew_busy(&m->crew) > 0 || m->end_ms > 0)
		return TICK_MS;
	return m->watchdog_ms > 0 ? m->watchdog_ms : -1;
}

static void
monitor_hear_signal(struct monitor *m)
{
	struct signalfd_siginfo s;

	if (read(m->signals, &s, sizeof(s)) != (ssize_t)sizeof(s))
		return;
	if (s.ssi_signo == SIGHUP && m->end_ms == 0)
		serve_crew_renew(&m->crew);
	if ((s.ssi_signo != SIGTERM && s.ssi_signo != SIGINT) || m->end_ms > 0)
		return;
	m->end_ms = m->now_ms + LIMIT_SERVE_END_MS;
	ipc_notify("STOPPING=1");
	serve_beside_end(m->crew.beside);
	path_close(&m->listening);
	serve_crew_end_pipes(&m->crew);
	while (m->queue.n > 0) {
		serve_reply_busy(m->queue.v[0].fd);
		monitor_drop(m, 0);
	}
	serve_refuse_all(&m->refused);
}

/* The queue is walked from its end: what is dropped moves no other. */
static void
monitor_hear(struct monitor *m)
{
	const struct pollfd *at = &m->at[FIXED];
	size_t waiting = m->queue.n;

	for (size_t i = 0; i < m->crew.n; i++) {
		const struct pollfd *p = &at[waiting + 2 * i];

		/* First what it says: that it is done, perhaps. */
		if (p[0].revents != 0 &&
		    serve_crew_hear(&m->crew, &m->crew.v[i], m->now_ms))
			monitor_take_back(m, &m->crew.v[i]);
		if (p[1].revents != 0 && m->crew.v[i].conn == p[1].fd)
			serve_crew_left(&m->crew.v[i]);
	}
	for (size_t i = waiting; i-- > 0;) {
		if (at[i].revents & POLLIN)
			m->queue.v[i].ready = true;
		if (at[i].revents & (POLLHUP | POLLERR))
			monitor_drop(m, i);
	}
}

static void
monitor_tell(struct monitor *m)
{
	struct serve_board *b = m->crew.board;

	atomic_store(&b->workers, (uint32_t)m->crew.n);
	atomic_store(&b->pipes, (uint32_t)serve_crew_pipes(&m->crew));
	atomic_store(&b->calls, (uint32_t)serve_crew_busy(&m->crew));
	atomic_store(&b->waiting, (uint32_t)m->queue.n);
	serve_beside_tell(m->crew.beside, b);
	if (m->watchdog_ms == 0 || m->now_ms - m->told_ms < m->watchdog_ms)
		return;
	m->told_ms = m->now_ms;
	ipc_notify("WATCHDOG=1");
}

static bool
monitor_goes_on(const struct monitor *m)
{
	/* Whoever started the broker starts it again. */
	if (serve_spawn_is_gone())
		return false;
	return m->end_ms == 0 ||
	    (serve_crew_busy(&m->crew) + serve_crew_pipes(&m->crew) > 0 &&
		m->now_ms < m->end_ms);
}

static void
monitor_run(struct monitor *m)
{
	while (monitor_goes_on(m)) {
		monitor_keep_spare(m);
		monitor_dispatch(m);
		monitor_tell(m);
		if (poll(m->at, monitor_fill(m), monitor_patience(m)) < 0 &&
		    errno != EINTR)
			return;
		m->now_ms = clock_mono_ms();
		monitor_hear(m);
		if (m->at[KEEPER].revents != 0)
			serve_brood_hear(m->crew.brood);
		if (m->at[BESIDE].revents != 0)
			serve_beside_hear(m->crew.beside, m->crew.brood);
		if (m->at[NOTICES].revents != 0)
			serve_brood_hear_notices(m->crew.brood);
		if (m->at[TELLER].revents != 0)
			serve_brood_hear_teller(m->crew.brood);
		if (m->at[SIGNALS].revents != 0)
			monitor_hear_signal(m);
		serve_crew_reap(&m->crew, m->now_ms);
		if (m->listening >= 0 && m->at[LISTENING].revents != 0)
			monitor_accept(m);
		monitor_refuse_late(m);
		serve_crew_tick(&m->crew, m->now_ms);
	}
}

int
serve_monitor(struct serve_socket *at, const struct env *env,
    const struct sandbox_state *confined, struct serve_beside *beside,
    struct err *e)
{
	static struct monitor m;
	const struct err none = { 0 };
	sigset_t mine;

	m.crew.env = env;
	m.crew.beside = beside;
	m.now_ms = clock_mono_ms();
	m.crew.board = mmap(NULL, sizeof(*m.crew.board), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m.crew.board != MAP_FAILED)
		m.crew.brood = serve_brood_new(env, m.crew.board);
	beside->board = m.crew.board;
	hands_signals(&mine);
	(void)sigprocmask(SIG_BLOCK, &mine, NULL);
	m.signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
	if (m.crew.board == MAP_FAILED || m.signals < 0)
		return err_set(e, ERR_INTERNAL, "the broker cannot start");
	m.watchdog_ms = ipc_notify_begin();
	if (serve_spawner_begin(&m.crew, at, confined, e) < 0)
		return -1;
	m.listening = at->listening;
	at->listening = -1;
	ipc_notify("READY=1");
	serve_starter_tell(at, &none);
	monitor_run(&m);
	serve_crew_kill(&m.crew);
	serve_brood_kill(m.crew.brood);
	return serve_spawn_end(e);
}
