/* SPDX-License-Identifier: Apache-2.0 */
/* The static program has no libpq: its archive needs libraries that have none.
 */
#include "store/postgres_library.h"

struct postgres_library postgres_library;

int
postgres_library_load(struct err *e)
{
	(void)err_set(e, ERR_CONFIG,
	    "this emcli is the static program, which has no PostgreSQL");
	return err_hint(e,
	    "use the emcli of a Debian package, or one built without STATIC=1; "
	    "or set EMCLI_DB to a file");
}
