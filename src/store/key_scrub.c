/* SPDX-License-Identifier: Apache-2.0 */
/* Removes data of older keys from the write-ahead log. */
#include "store/internal.h"
#include "store/key.h"

bool
store_key_scrub(struct store *s)
{
	int r = sqlite3_wal_checkpoint_v2(s->db, NULL,
	    SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

	return r == SQLITE_OK;
}
