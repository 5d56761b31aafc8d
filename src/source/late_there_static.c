/* SPDX-License-Identifier: Apache-2.0 */
/* The static program has every library in it. */
#include "source/late.h"

bool
late_there(const struct late *l)
{
	return l->file != NULL;
}
