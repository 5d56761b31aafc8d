/* Commits that outlive a power cut: before anything leaves the house. */
#include "store/internal.h"

int
store_durable(struct store *s, struct err *e)
{
	return stmt_exec(s, "PRAGMA synchronous = FULL", e);
}
