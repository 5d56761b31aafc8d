/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a day's folder of messages was last scanned, by its time of change:
 * opening a root scans only folders that changed since.
 */
#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

int64_t
agentbox_days_time(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

void
agentbox_days_keep(struct agentbox_root *r, struct str day,
    const struct stat *was, const struct stat *is)
{
	struct err e = { 0 };
	struct db *own = db_own(r, &e);
	int64_t known = 0;
	int got = own == NULL ? -1 : db_keep_day(own, day, &known, &e);

	/*
	 * Otherwise something else was added to it that has not been scanned.
	 */
	if (got == 1 && known == agentbox_days_time(was))
		(void)db_keep_day_put(own, day, agentbox_days_time(is), &e);
}

/* 1, 0, -1 */
int
agentbox_days_is_known(struct agentbox_root *r, struct str day,
    const struct stat *is, struct err *e)
{
	struct db *own = db_own(r, e);
	int64_t known;
	int got = own == NULL ? -1 : db_keep_day(own, day, &known, e);

	return got == 1 ? known == agentbox_days_time(is) : got;
}
