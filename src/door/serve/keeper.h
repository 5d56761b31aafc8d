/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_KEEPER_H
#define DOOR_SERVE_KEEPER_H

/*
 * The process with the key, and those that speak with mail servers.  The
 * keeper (keeper.c) has the opened store and unseals; a wire (wire.c) has one
 * account's connection and no store; the monitor starts both (brood.c).  A
 * worker asks the keeper for a connected wire (lend.c), and gets one end of a
 * socket whose other end the wire has.
 *
 * Between them go whole messages of fixed size (SOCK_SEQPACKET); each that is
 * not as it must be ends the connection that it came by.
 */
#include "backend/backend.h"
#include "door/serve/internal.h"

/* -- ask.c: the messages. -------------------------------------------------- */

enum serve_ask_type {
	/* A worker's. */
	SERVE_ASK_LEND = 'l', /* a wire for that account: a descriptor */
	/* A wire's. */
	SERVE_ASK_SECRET = 's', /* its account's password or token */
	SERVE_ASK_RENEW = 'n',  /* the same; the token it had was refused */
	SERVE_ASK_FRESH = 'N',  /* the same, for a test: a new one if it may */
	SERVE_ASK_TOKEN = 't',  /* what a request for one gave: token.h */
	SERVE_ASK_DONE = 'd', /* so many of its leases are over: all of them */
	/* The keeper's to a wire. */
	SERVE_ASK_LEASE = 'L', /* serve a worker; a descriptor */
	SERVE_ASK_GIVEN = 'S', /* the answer to it: a descriptor, or none */
	/* The keeper's to a worker: a descriptor. */
	SERVE_ASK_LENT = 'a',
	/* The monitor's to the keeper: of a process, for answers and wires. */
	SERVE_ASK_JOIN = 'j',
	/* The keeper's to the monitor. */
	SERVE_ASK_FORK = 'f',   /* start a wire of that number; a descriptor */
	SERVE_ASK_KILL = 'k',   /* end it */
	SERVE_ASK_NOTICE = 'i', /* a notice is due: notices.h */
};

/* What a lease is for. */
enum serve_purpose {
	SERVE_READS_MAIL,
	SERVE_SENDS_MAIL,
	/* For a change: by a wire that does nothing else until there is one; on
	 * IMAP it then also looks. */
	SERVE_AWAITS_MAIL,
	/* `doctor`: by a wire that does nothing else. */
	SERVE_TESTS_READING,
	SERVE_TESTS_SENDING,
	SERVE_ASKS_NAMES, /* one question, by a wire without account: names.h */
	SERVE_PURPOSES
};

/* How it went. */
enum serve_outcome {
	SERVE_GOOD,
	SERVE_FAILED, /* the server could not be reached, or said no */
	SERVE_ABSENT, /* there is no such account */
	SERVE_UNKEPT, /* the store or the key is of no use */
	SERVE_LATE,   /* the deadline passed before there was one */
	SERVE_WAITS,  /* the server failed before: not tried again so soon */
	SERVE_OUTCOMES
};

struct serve_ask {
	uint8_t type;    /* enum serve_ask_type */
	uint8_t purpose; /* SERVE_ASK_LEND, _LEASE */
	uint8_t outcome; /* SERVE_ASK_DONE, and answers */
	uint8_t zero;
	/* SERVE_ASK_FORK, _KILL: the wire's.  SERVE_ASK_LEND: any but 0,
	 * which the answer repeats.  SERVE_ASK_DONE: how many.  SERVE_ASK_JOIN:
	 * of a worker and what it forked. */
	uint32_t number;
	int64_t account;     /* SERVE_ASK_LEND; 0: SERVE_ASKS_NAMES */
	int64_t deadline_ms; /* SERVE_ASK_LEND, _LEASE: on clock_mono_ms() */
};

bool serve_ask_sends(uint8_t purpose);
bool serve_ask_tests(uint8_t purpose);
/*
 * Reads a message of one of these types, with that many descriptors.  False: it
 * is not as it must be.
 */
bool serve_ask_read(const void *p, size_t n, size_t fds, const char *types,
    struct serve_ask *out);
/* Sends it, with a descriptor if that is not -1. */
bool serve_ask_send(int to, const struct serve_ask *q, int fd);
bool serve_ask_send_all(int to, const struct serve_ask *q, const int *fds,
    size_t n);
/*
 * Waits for one: 1; 0: nothing until then; -1: the end, or a bad one.
 * until_ms: as ipc_wait() has it.
 */
int serve_ask_wait(int from, int64_t until_ms, const char *types,
    struct serve_ask *out, struct ipc_passed *with);

/* -- account.c: an account without its secret, as bytes. ------------------- */

struct serve_account {
	struct str backend; /* its name */
	struct backend_account view;
	bool has_password;
	bool files; /* its mail is in files of this machine: no network */
};

/* At most LIMIT_WIRE_ACCOUNT bytes; empty: it is too long. */
struct str serve_account_put(struct arena *a, const struct serve_account *x);
/* False: it is not as it must be.  The texts are borrowed. */
bool serve_account_take(struct str bytes, struct serve_account *out);

/* -- pool.c: which wires there are; it does nothing itself. ---------------- */

#define SERVE_POOL_PRINT 64

struct serve_pool_wire {
	uint32_t id;                  /* its number; never 0 */
	int64_t account;              /* whose; 0: nobody's, it asks names */
	char print[SERVE_POOL_PRINT]; /* of the account's settings */
	bool waits;                   /* it is for leases that wait */
	bool tests;                   /* it is for one lease, which tests */
	bool files;                   /* it reads files, and has no network */
	uint64_t paths;               /* these files' print, or 0 */
	bool lent, stale;             /* stale: it ends with its lease */
	uint32_t worker, of;          /* whose it is while it is lent */
	uint32_t leases;              /* so far */
	int64_t since_ms;             /* lent, or idle */
	/* The keeper's: the pool leaves them alone. */
	bool by_token;           /* its account logs in with one */
	bool wants;              /* a token, */
	uint32_t refused, token; /* no longer that one; the one that it has */
	int fd;                  /* its socket */
	char name[LIMIT_SERVE_NAME]; /* of its account */
};

/* An account whose server failed, or that is tested. */
struct serve_pool_fault {
	int64_t account;
	uint32_t times;
	int64_t not_before_ms, at_ms;
	int64_t tests_ms; /* until then, one test in LIMIT_WIRE_TEST_AGAIN_MS */
};

struct serve_pool {
	struct serve_pool_wire v[LIMIT_WIRES];
	size_t n;
	struct serve_pool_fault fault[LIMIT_WIRES];
	size_t faults;
	uint32_t next; /* the number of the next wire */
};

/* What is asked, and by which process; of: the number of its worker. */
struct serve_pool_ask {
	int64_t account;
	const char *print; /* SERVE_POOL_PRINT bytes */
	uint32_t worker, of;
	bool waits;     /* for a change: by a wire of its own */
	bool files;     /* for mail in files; the same account may send over the
			   network */
	uint64_t paths; /* the print of these files now, or 0 */
	bool tests;     /* by a wire of its own; some of them whatever failed */
};

enum serve_pool_what {
	SERVE_POOL_LEND,  /* wire `at` */
	SERVE_POOL_START, /* one more */
	SERVE_POOL_DROP,  /* end wire `at`, and ask again */
	SERVE_POOL_WAIT,  /* until one is free, or until_ms if that is not 0 */
};

struct serve_pool_choice {
	enum serve_pool_what what;
	size_t at;
	int64_t until_ms;
};

/* Wires of the account as it was before end with their leases. */
void serve_pool_renew(struct serve_pool *p, const struct serve_pool_ask *q);
struct serve_pool_choice serve_pool_choose(const struct serve_pool *p,
    const struct serve_pool_ask *q, int64_t now_ms);
/* Adds one for that worker, to be lent next; there is room for it. */
struct serve_pool_wire *serve_pool_add(struct serve_pool *p,
    const struct serve_pool_ask *q, int64_t now_ms);
void serve_pool_lend(struct serve_pool_wire *w, uint32_t worker, uint32_t of,
    int64_t now_ms);
/*
 * Its lease is over.  failed: its server could not be reached; jitter: any
 * number, of which reconnects depend.  False: it is to end.
 */
bool serve_pool_done(struct serve_pool *p, size_t at, bool failed,
    uint32_t jitter, int64_t now_ms);
/* Takes it out: the last one gets its place. */
void serve_pool_take(struct serve_pool *p, size_t at);
/* One that nobody used for so long that it is to end; -1: there is none. */
ptrdiff_t serve_pool_old(const struct serve_pool *p, int64_t now_ms);

/* -- brood.c: the monitor's keeper and wires. ------------------------------ */

/* board: NULL: nobody is shown what they do, and nothing confines them. */
struct serve_brood *serve_brood_new(const struct env *env,
    struct serve_board *board);
/* What a new process does as the keeper, or as a wire. */
_Noreturn void serve_brood_become(const struct serve_brood *b,
    enum serve_spawn what, int fd);
/* To be polled for what the keeper says; -1: there is no keeper. */
int serve_brood_fd(const struct serve_brood *b);
/*
 * Starts the keeper if there is none, and not too soon.  The processes that ask
 * it find it by themselves: keys.h.
 */
void serve_brood_start(struct serve_brood *b, int64_t now_ms);
/* A number for one more worker, and for all processes that it forks. */
uint32_t serve_brood_number(struct serve_brood *b);
/* What one of them said: passes its ends on to the keeper, and closes them. */
void serve_brood_join(struct serve_brood *b, uint32_t number,
    struct ipc_passed *ends);
/*
 * For the caller, in whose processes the key is: the end of a socket for wires
 * alone; -1: there is no keeper.
 */
int serve_brood_pair(struct serve_brood *b);
void serve_brood_hear(struct serve_brood *b);
/* The same for what the process says that gives notices (notices.h). */
int serve_brood_notices(const struct serve_brood *b);
void serve_brood_hear_notices(struct serve_brood *b);
/* What the teller says (teller.h), which the board then shows. */
void serve_brood_hear_teller(struct serve_brood *b);
/* Forgets one that has ended; false: it was none of these. */
bool serve_brood_reaped(struct serve_brood *b, pid_t pid, int64_t now_ms);
/* Reaps those that have ended, and nobody else's. */
void serve_brood_reap(struct serve_brood *b, int64_t now_ms);
void serve_brood_kill(struct serve_brood *b);

/* -- vault.c: the opened store, and what is unsealed. ---------------------- */

struct serve_vault;
/* NULL: the store or the key is of no use. */
struct serve_vault *serve_vault_open(const struct env *env);

/* What the keeper knows of an account. */
struct serve_vault_account {
	struct str name, print;
	struct str bytes; /* for a wire */
	bool token;       /* it logs in with one that has to be made */
	bool files;       /* its mail is in files: */
	uint64_t paths;   /* sandbox_paths_print() of what its wire may use */
};

/* SERVE_GOOD, SERVE_ABSENT, SERVE_UNKEPT. */
enum serve_outcome serve_vault_account(struct serve_vault *v, struct arena *a,
    int64_t id, enum serve_purpose purpose, struct serve_vault_account *out);
/* A pipe with its password.  SERVE_ABSENT: there is none. */
enum serve_outcome serve_vault_secret(struct serve_vault *v, int64_t id,
    struct ipc_passed *out);
/*
 * Its consent, for a request for a token, and the lock that is held until that
 * is stored (source/consent.h).  SERVE_LATE: another process has the lock.
 */
struct source_consent;
struct store_lock;
enum serve_outcome serve_vault_consent(struct serve_vault *v, struct arena *a,
    int64_t id, struct store_lock **lock, struct source_consent *out);
/* Stores what such a request gave; refresh: NULL if it is the same. */
enum serve_outcome serve_vault_refreshed(struct serve_vault *v, int64_t id,
    const struct secret *refresh);

/* -- keeper.c, wire.c: what they do, until their socket ends. -------------- */

_Noreturn void serve_keeper(const struct env *env, struct serve_board *board,
    int monitor);
_Noreturn void serve_wire(const struct env *env, struct serve_board *board,
    int keeper);

/* -- confine_wire.c -------------------------------------------------------- */

/* A wire, with the files of its account; it ends if it cannot. */
void serve_confine_wire(const struct serve_account *x, const struct env *env,
    struct serve_board *b);
/* A number of these files, as sandbox_paths_print(). */
uint64_t serve_confine_wire_print(const struct serve_account *x,
    const struct env *env);

/* -- lend.c: the worker's side. -------------------------------------------- */

/*
 * Asks for one by a SERVE_ASK_LEND, whose type and number it fills in: its
 * descriptor.  ERR_LIMIT: none was free in time; ERR_CONFIG, ERR_NETWORK,
 * ERR_NOT_FOUND, ERR_INTERNAL.
 */
int serve_lend_get(struct serve_ask *q, struct err *e);
/* From now on calls get their connections by this socket; it owns it. */
void serve_lend_by(int keeper);
/*
 * Before each wire is asked for, that finds the keeper, and calls
 * serve_lend_by() if it is another one.  In a process that was forked: the
 * socket that there was is not open.
 */
void serve_lend_find(int (*find)(struct err *e));

#endif
