/* Maintenance of the audit log and the outbox at every run. */
#include "base/clock.h"
#include "store/audit.h"
#include "store/outbox.h"
#include "store/store.h"

int
store_tidy(struct store *s, struct err *e)
{
	int64_t now = clock_now();

	if (store_audit_purge(s, now, e) < 0)
		return -1;
	return store_outbox_purge(s, now, e);
}
