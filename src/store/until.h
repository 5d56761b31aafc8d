/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_UNTIL_H
#define STORE_UNTIL_H

/*
 * How long a call may wait for the server of its database, all its waits
 * together.  store_until() in store.h says when a call ends; a driver that
 * waits asks until_by() before a wait, and tells until_waited() after it.
 */
#include <stdbool.h>
#include <stdint.h>

struct store;

enum {
	/*
	 * The last part of a call's time, in milliseconds, is kept for what
	 * must be recorded though the time is over; of a short call it is half.
	 */
	UNTIL_RESERVE_MS = 8000,
	/* At least so much there is, even if others took all of the time. */
	UNTIL_LEAST_MS = 2000,
	/* To open a store, before it can be read how long a call may take. */
	UNTIL_OPEN_MS = 30000,
	/* All waits of an operator's command, without those that are short. */
	UNTIL_OPERATOR_MS = 1800000,
	UNTIL_SHORT_MS = 1000
};

/* In the handle. */
struct until {
	bool bound;          /* false: each wait ends by itself */
	int64_t end_ms;      /* of ordinary waits, on clock_mono_ms() */
	int64_t deadline_ms; /* of the call */
	int64_t spare_ms;    /* left for waits after end_ms, */
	int64_t each_ms;     /* and the most that one of them gets */
	int64_t short_ms;    /* such waits are not counted */
	int64_t before_ms;   /* that the next call has taken already */
};

/* When a wait that begins now has to end that would end then. */
int64_t until_by(const struct store *s, int64_t end_ms);
/* The same of one that may take so long, in milliseconds from now; 0: none. */
int until_left(const struct store *s, int64_t most_ms);
/* It was waited since then. */
void until_waited(struct store *s, int64_t since_ms);
/* Is only the reserve left? */
bool until_over(const struct store *s);
/* From now on there are so many milliseconds, if there were fewer. */
void until_least(struct store *s, int64_t least_ms);

#endif
