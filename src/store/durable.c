/* Commits that survive a power failure: before anything is sent. */
#include "store/internal.h"

int
store_durable(struct store *s, struct err *e)
{
	return stmt_exec(s, "PRAGMA synchronous = FULL", e);
}
