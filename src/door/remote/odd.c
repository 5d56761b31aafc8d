/* SPDX-License-Identifier: Apache-2.0 */
#include "door/remote/internal.h"

int
remote_odd(struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "the broker does not speak as this emcli does, version %d",
	    FAR_VERSION);
}
