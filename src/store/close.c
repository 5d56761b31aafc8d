/* SPDX-License-Identifier: Apache-2.0 */
/* Closes a handle: wipes the DEK, closes the connection. */
#include "store/internal.h"
#include "store/opening.h"
#include "store/outbox_row.h"
#include "store/setting_kept.h"

void
store_close(struct store **s)
{
	if (*s == NULL)
		return;
	outbox_lock_drop(*s);
	setting_kept_drop(*s);
	secret_close(&(*s)->dek);
	secret_close(&(*s)->audit_key);
	/* Every other statement was already finalized. */
	stmt_kept_end(*s);
	if ((*s)->driver != NULL)
		(*s)->driver->close(*s);
	store_opened(-1);
	free(*s);
	*s = NULL;
}
