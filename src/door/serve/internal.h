/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_INTERNAL_H
#define DOOR_SERVE_INTERNAL_H

/*
 * The monitor (monitor.c, queue.c) accepts connections and reads no byte of
 * them; a worker (worker.c, call.c) runs one call at a time.
 */
#include <stdatomic.h>

#include "door/hands.h"
#include "door/route.h"
#include "door/serve/request.h"
#include "door/serve/serve.h"
#include "ipc/sandbox.h"

/* What a worker tells the monitor, a byte each. */
enum serve_note {
	SERVE_READS = 'r', /* its call only reads: it may be ended */
	SERVE_WATCH = 'w', /* its call waits for mail */
	SERVE_PIPE = 'p',  /* its call is a pipe; the answer to both: */
	SERVE_YES = 'y',
	SERVE_NO = 'n',
	SERVE_DONE = 'd',
	SERVE_LEAKED = 'x', /* the same, and it is to be replaced */
	SERVE_STALE = 's',  /* another is to run the call: this one may not use
			       the files that are named now */
	SERVE_JOIN = 'k',   /* two ends of sockets, for the keeper: of this
			       process or of one that it forked */
	/* The teller alone, of a notice: */
	SERVE_TOLD = 't',
	SERVE_UNTOLD = 'u'
};

/* What the monitor tells a worker with a descriptor, a byte each. */
enum serve_order {
	SERVE_CALL = 'c',
	SERVE_AGAIN = 'C' /* one was stale: whatever is named, run it */
};

/* In shared memory: the monitor writes it, workers read it. */
struct serve_board {
	_Atomic uint32_t workers, calls, pipes, waiting;
	_Atomic uint32_t confined[SANDBOX_KINDS]; /* sandbox_pack() */
	/* The keeper writes these. */
	_Atomic uint32_t wires;
	struct serve_board_wire {
		char account[LIMIT_SERVE_NAME]; /* ends with NUL */
		int64_t since_ms;               /* on clock_mono_ms() */
		bool idle;                      /* it waits for a call */
	} wire[LIMIT_WIRES];
	/* The service beside it, if there is one; each text ends with NUL. */
	struct serve_board_beside {
		_Atomic int32_t pid; /* 0: it does not run now */
		char address[LIMIT_SERVE_NAME], path[LIMIT_SERVE_PATH];
	} http;
	/* Of the teller's last notice, the note and when on clock_mono_ms(). */
	struct serve_board_teller {
		_Atomic bool runs;
		_Atomic char note; /* '\0': there was none */
		_Atomic int64_t at_ms;
	} teller;
};

/* -- queue.c: connections that wait for a worker. -------------------------- */

struct serve_waiting {
	int fd;
	uint32_t uid;
	int64_t since_ms;
	bool ready; /* its call has begun to arrive */
	bool again; /* a worker gave it back */
};

struct serve_queue {
	struct serve_waiting v[LIMIT_SERVE_WAITING];
	size_t n;
};

/* How many of a user's wait. */
size_t serve_queue_of(const struct serve_queue *q, uint32_t uid);
/* False: there are too many of them, or of this user's. */
bool serve_queue_add(struct serve_queue *q, int fd, uint32_t uid,
    int64_t now_ms);
/*
 * The next to be served, or -1: the one whose user has the fewest calls
 * running, and of these the oldest.  running: of a user.
 */
ptrdiff_t serve_queue_next(const struct serve_queue *q,
    size_t (*running)(void *ctx, uint32_t uid), void *ctx);
/* Takes it out; the order of the others stays. */
struct serve_waiting serve_queue_take(struct serve_queue *q, size_t i);

/* -- refuse.c: connections that are too many. ------------------------------ */

/*
 * Each hears so a moment later: otherwise whoever floods comes again at once,
 * and the monitor has no time for others.
 */
struct serve_refused {
	struct {
		int fd;
		int64_t at_ms;
	} v[LIMIT_SERVE_REFUSED]; /* the oldest first */
	size_t n;
};

/* Becomes its owner; one more than there is room for ends the oldest's wait. */
void serve_refuse(struct serve_refused *r, int fd, int64_t now_ms);
/* Answers those whose time has come.  Milliseconds to the next; -1: none. */
int serve_refuse_due(struct serve_refused *r, int64_t now_ms);
void serve_refuse_all(struct serve_refused *r);

/* -- crew.c: the workers, as the monitor sees them. ------------------------ */

struct serve_member {
	struct hand hand;
	int fd;   /* a socket to it; -1: it is to end */
	int conn; /* its client's connection; -1: it has no call */
	uint32_t uid;
	uint32_t number;  /* for the keeper */
	int64_t since_ms; /* since when it has its call, or none */
	uint32_t calls;
	bool reads, left; /* its call only reads; its client has gone */
	bool pipe;        /* it has a pipe, which may last, and then ends */
	bool watch;       /* its call waits for mail */
	bool behind;      /* it is for calls that come behind others' */
};

struct serve_beside;
struct serve_brood;
struct serve_crew {
	const struct env *env;
	struct serve_brood *brood; /* each worker asks its keeper */
	struct serve_board *board;
	struct serve_beside *beside;
	struct serve_member v[LIMIT_SERVE_WORKERS + LIMIT_SERVE_PIPES];
	size_t n;
	int64_t not_before_ms; /* one has ended too soon */
};

_Noreturn void serve_crew_become(const struct serve_crew *c, int fd);
/* Starts one; false: not now. */
bool serve_crew_start(struct serve_crew *c, int64_t now_ms);
/*
 * One without a call for that user's next, or NULL: there may be no more. more:
 * others of the user's wait for one, too.
 */
struct serve_member *serve_crew_for(struct serve_crew *c, uint32_t uid,
    bool more, int64_t now_ms);
/* How many of a user's have one that neither is a pipe nor waits for mail. */
size_t serve_crew_running(void *crew, uint32_t uid);
/* How many have one that is no pipe. */
size_t serve_crew_busy(const struct serve_crew *c);
/* How many have a pipe. */
size_t serve_crew_pipes(const struct serve_crew *c);
/* Tells these that their input has ended. */
void serve_crew_end_pipes(struct serve_crew *c);
/* Gives it a connection, whose owner it becomes; false: it is dead. */
bool serve_crew_give(struct serve_member *m, const struct serve_waiting *x,
    int64_t now_ms);
/*
 * Hears what it says, or that it is dead.  True: it is stale, and its
 * connection is another's.
 */
bool serve_crew_hear(struct serve_crew *c, struct serve_member *m,
    int64_t now_ms);
/* Replaces all, each when it has no call. */
void serve_crew_renew(struct serve_crew *c);
/* Its client has gone: ends a call that only reads. */
void serve_crew_left(struct serve_member *m);
/* Ends calls that take too long, and workers that are not needed. */
void serve_crew_tick(struct serve_crew *c, int64_t now_ms);
/* Forgets those that have ended. */
void serve_crew_reap(struct serve_crew *c, int64_t now_ms);
void serve_crew_kill(struct serve_crew *c);

/* -- beside.c: a service of another door, in a process of its own. --------- */

struct serve_beside {
	const struct route_beside *is;
	void *service;             /* NULL: there is none */
	struct serve_board *board; /* what confines it is written there */
	struct hand hand;
	int fd;                /* a socket to it; -1: there is none */
	uint32_t number;       /* for the keeper */
	int64_t not_before_ms; /* it has ended too soon */
};

_Noreturn void serve_beside_become(const struct serve_beside *b, int fd,
    const struct env *env);
/* Is it to be started, now or in a moment? */
bool serve_beside_is_due(const struct serve_beside *b);
/* Starts it, if it does not run. */
void serve_beside_keep(struct serve_beside *b, const struct env *env,
    struct serve_brood *brood, int64_t now_ms);
/* Hears what one of its processes says. */
void serve_beside_hear(struct serve_beside *b, struct serve_brood *brood);
/* That process has ended; false: it was another. */
bool serve_beside_reap(struct serve_beside *b, pid_t pid, int64_t now_ms);
/* Writes on the board where it listens, and which process it is. */
void serve_beside_tell(const struct serve_beside *b, struct serve_board *board);
/* Ends it, and nobody finds it any more. */
void serve_beside_end(struct serve_beside *b);

/* A socket that is bound. */
struct serve_socket {
	int listening;
	int folder; /* -1: it is systemd's, and stays */
	const char *name;
	int starter; /* a pipe to the process that waits for it, or -1 */
};

/* -- starter.c ------------------------------------------------------------- */

/*
 * Forks the broker, without the terminal.  In it, 0.  Here, 1 as soon as it
 * listens, or -1 and why it cannot.
 */
int serve_starter_fork(struct serve_socket *at, const struct env *env,
    struct err *e);
/* Tells whoever waits, once: that it listens (ERR_NONE), or why it cannot. */
void serve_starter_tell(struct serve_socket *at, const struct err *e);

/* -- monitor.c ------------------------------------------------------------- */

/*
 * Until it is told to stop; then the socket and the service beside it are gone.
 * The key in env is empty afterwards: only the spawner keeps it.  ERR_INTERNAL.
 */
int serve_monitor(struct serve_socket *at, const struct env *env,
    const struct sandbox_state *confined, struct serve_beside *beside,
    struct err *e);

/* -- spawn.c: has processes started by the spawner. ------------------------ */

enum serve_spawn {
	SERVE_SPAWN_KEEPER = 'k',
	SERVE_SPAWN_WIRE = 'w',
	SERVE_SPAWN_WORKER = 'c',
	SERVE_SPAWN_BESIDE = 'b',
	SERVE_SPAWN_NOTICES = 'n',
	SERVE_SPAWN_END = 'e' /* removes what others find the broker by */
};

/* By this socket to it, which it owns. */
void serve_spawn_by(int fd);
/* Starts one of these with that socket, as hands_start(); without a spawner,
 * as in `direct`, this process forks it, and here is its 0. */
pid_t serve_spawn(struct hand *h, enum serve_spawn what, const struct env *env,
    int fd);
/* It has ended, or does not answer: nothing can be started any more. */
bool serve_spawn_is_gone(void);
/* Ends it; it does what is left to be done.  ERR_INTERNAL: it is gone. */
int serve_spawn_end(struct err *e);

/* -- spawner.c: the process that all others are forked from. --------------- */

/*
 * Forks it, once: it has what this process has now, which then has no key, no
 * files, and can fork nothing.  confined: it is already.  Its own
 * children are this process's.  ERR_INTERNAL.
 */
int serve_spawner_begin(struct serve_crew *c, const struct serve_socket *at,
    const struct sandbox_state *confined, struct err *e);

/* -- worker.c -------------------------------------------------------------- */

struct serve_worker {
	int monitor;           /* a socket */
	const struct env *env; /* it has no key */
	struct serve_board *board;
	struct sandbox_state confined;
	uint64_t print; /* of the files that it may use */
};

/* Runs calls that come by the socket, until it is closed. */
_Noreturn void serve_worker(struct serve_worker *w);

/* -- may.c ----------------------------------------------------------------- */

/*
 * Asks the monitor, which counts them, whether the call of conn may be one of
 * these: SERVE_PIPE, SERVE_WATCH.  False: conn has its answer.
 */
bool serve_may(const struct serve_worker *w, enum serve_note what, int conn);

/* -- confine.c ------------------------------------------------------------- */

/* What all of them have at most.  ERR_CONFIG, ERR_INTERNAL. */
int serve_confine_spawner(const struct env *env, struct sandbox_state *out,
    struct err *e);
/* The monitor, when its spawner is there. */
int serve_confine_monitor(struct serve_board *b, struct err *e);
/* The process of one call over HTTP, as a worker. */
route_confine serve_confine_call;
/* The process that speaks HTTP, which writes it there first. */
route_confine_server serve_confine_http;
void serve_confine_http_tells(struct serve_board *b);
/* Before its first connection; it ends if it cannot. */
void serve_confine_worker(struct serve_worker *w);
/* The same for the process that gives notices, with the store alone. */
void serve_confine_notices(const struct env *env, struct serve_board *b);
/* The same for the keeper. */
void serve_confine_keeper(const struct env *env, struct serve_board *b);
/* Confines this process, and tells the board; it ends if it cannot. */
void serve_confine_as(enum sandbox_kind kind, const struct sandbox_path *v,
    size_t n, struct serve_board *b);
/*
 * Is the file with the broker's key, or one that its command names, at that
 * path, or somewhere below?
 */
bool serve_confine_has_key(const struct env *env, const char *path,
    struct arena *a);
/* May it use the files that are named now?  g: NULL if it cannot be opened. */
bool serve_confine_holds(const struct serve_worker *w, struct gate *g,
    struct arena *a);

/* -- call.c: one call, from its frame to its reply. ------------------------ */

/*
 * False: this worker may not use the files that are named now, and has read
 * nothing.  any: it runs the call all the same.
 */
bool serve_call(struct serve_worker *w, int conn, bool any);

/* -- pipe.c: a pipe, from its frame to its exit status. -------------------- */

/* env names its caller. */
void serve_pipe(const struct serve_worker *w, int conn, const struct env *env,
    const struct serve_request_pipe *q);

/* status.c: puts what is known of the broker. */
void serve_status_put(struct json *j, const struct serve_board *b);

#endif
