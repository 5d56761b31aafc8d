/* SPDX-License-Identifier: Apache-2.0 */
/* Removes data of older keys from the write-ahead log. */
#include "store/internal.h"
#include "store/key.h"

bool
store_key_scrub(struct store *s)
{
	return s->driver->scrub(s);
}
