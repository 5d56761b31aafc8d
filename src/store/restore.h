/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_RESTORE_H
#define STORE_RESTORE_H

/*
 * Puts a copy in the place of the store.  What the operator decided comes from
 * the copy: accounts, policy, agents, settings.  What happened in the world
 * does not become undone by that, so it stays as the store has it: messages
 * that were sent or wait, changes of mail, what agents have seen, the numbers
 * of messages, and the audit log.  Every agent is stopped until the operator
 * has looked, and freezes stay.
 */
#include "store/signed.h"
#include "store/store.h"

struct store_restore {
	const char *path; /* the store's place */
	const char *from; /* the copy */
	const struct store_keys *keys;
	/* The row of this call in the present log, which is not done; 0. */
	int64_t audit;
	/* Writes that row into the copy's log, where that one is used. */
	int (*record)(void *ctx, struct store *copy, int64_t *audit,
	    struct err *e);
	/* Is told of the copy when it is open. */
	void (*opened)(void *ctx, const struct store *copy);
	void *ctx;
	void (*progress)(uint64_t done, uint64_t all); /* or NULL */
};

struct store_restored {
	struct str digest; /* SHA-256 (hex) of the copy's file */
	unsigned mode;     /* of that file if others can read it; else 0 */
	struct str taken;  /* when the copy's last call was recorded; empty */
	struct str before; /* the store that was there; empty: there was none */
	int64_t audit;     /* the row of the restore */
	bool log_stays; /* the audit log goes on; otherwise it is the copy's */
	/* How the copy differs from the store that was there. */
	struct store_signed differs;
	bool was_edited;   /* that one was changed without emcli, */
	bool was_unsigned; /* or its signed copy of the rows is not valid */
	struct strs keys;  /* sentences about keys that are the copy's again */
	int64_t freezes;   /* how many were carried over */
	int64_t unknown;   /* messages that waited in the copy, and of which
			    * nobody knows what became of them */
	int64_t left;      /* messages of accounts that the copy does not have:
			    * they are in the store that was there alone */
};

/*
 * now: the store that is there, opened as the operator; NULL: there is none.
 * All or nothing, whenever the process is killed; other processes may have the
 * store open.  ERR_CONFIG: the copy cannot be used: it is none, opens with
 * another key, is of a newer emcli, or was changed without emcli.  ERR_DB: it
 * is damaged; or the store is busy.  ERR_LIMIT: a message is being sent, or
 * mail is being changed.
 */
int store_restore(const struct store_restore *r, struct store *now,
    struct arena *a, struct store_restored *out, struct err *e);

#endif
