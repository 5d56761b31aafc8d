/* SPDX-License-Identifier: Apache-2.0 */
#include "backend/internal.h"
#include "base/clock.h"

int
backend_in_time(const struct backend_account *acct, const char *late,
    struct err *e)
{
	if (clock_left_ms(acct->deadline_ms) > 0)
		return 0;
	return err_set(e, ERR_LIMIT, "%s", late);
}
