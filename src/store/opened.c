/* SPDX-License-Identifier: Apache-2.0 */
/* How many stores this process has open. */
#include "store/opening.h"

static int stores;

void
store_opened(int more)
{
	stores += more;
}

bool
store_opened_any(void)
{
	return stores > 0;
}
