/* SPDX-License-Identifier: Apache-2.0 */
/* The system's sources of names, as nsswitch.conf(5) has them. */
#include "base/lookup.h"

void
lookup_begin(void)
{
}
