/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_LENDING_H
#define DOOR_SERVE_LENDING_H

/*
 * Inside the keeper: who asks it, and what it has.  keeper.c hears and waits;
 * lending.c lends wires to those that asked for one.
 */
#include <poll.h>

#include "door/serve/keys.h"
#include "door/serve/names.h"
#include "door/serve/token.h"

enum {
	LENDING_NOBODY = 0, /* no worker's id: its process has ended */
	LENDING_WORKERS = LIMIT_KEEPER_JOINED
};

/* A worker, or a process that it forked. */
struct keeper_worker {
	int fd;   /* for wires */
	int keys; /* for answers; -1: it gets no more of them */
	struct store_asker *asker;
	uint32_t id, of; /* of: the worker's number */
	uint64_t turn;   /* when it asked; 0: it waits for nothing */
	struct serve_ask ask;
};

struct keeper {
	int monitor;
	struct serve_board *board;
	struct serve_vault *vault;
	struct serve_answers answers;
	int64_t now_ms;
	struct keeper_worker worker[LENDING_WORKERS];
	size_t workers;
	uint32_t last_id;
	uint64_t last_turn;
	struct serve_pool pool;
	struct serve_tokens *tokens;
	struct serve_names_asked asked;
	int64_t due_ms;       /* the next look whether a notice is due */
	int64_t due_asked_ms; /* when one was asked for */
	struct pollfd at[1 + LIMIT_WIRES + 2 * LENDING_WORKERS];
};

/*
 * The wire at that place sees the end of its socket, and ends; at_once: it is
 * killed, whatever it does.
 */
void serve_lending_drop(struct keeper *k, size_t at, bool at_once);
/* Its question has this answer; fd: of a wire, or -1. */
void serve_lending_answer(struct keeper_worker *w, enum serve_outcome o,
    int fd);
/* due.c: something waits, as a worker says. */
void serve_due_soon(struct keeper *k);
/* due.c: has the monitor begin to give notices, if one is due. */
void serve_due_look(struct keeper *k);
/* How long the keeper may wait for others: `other`, or less; -1: for ever. */
int serve_due_patience(const struct keeper *k, int other);
/* Lends what can be lent, in the order in which they asked. */
void serve_lending_all(struct keeper *k);
/* Ends wires that are busy with what nobody waits for. */
void serve_lending_end_left(struct keeper *k);

#endif
