/* SPDX-License-Identifier: Apache-2.0 */
/* Gives up a connection, and what was prepared on it. */
#include "store/postgres.h"

void
postgres_lost(struct store *s)
{
	struct postgres *pg = s->db;

	if (pg->c != NULL)
		PQ.finish(pg->c);
	pg->c = NULL;
	if (pg->reading != NULL)
		pg->reading->ended = true;
	pg->reading = NULL;
	postgres_known_forget(pg);
}
