/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL of the roles for the store that EMCLI_DB names, which is not opened.
 */
#include "store/postgres_open.h"
#include "store/postgres_uri.h"
#include "store/roles.h"

int
roles_print(const char *db, struct str prefix, struct arena *a, struct str *out,
    struct err *e)
{
	const char *schema = POSTGRES_SCHEMA;

	if (roles_sql_prefix(prefix, e) < 0 ||
	    (postgres_open_is(db) &&
		postgres_uri_schema(db, a, &schema, e) < 0))
		return -1;
	*out = roles_sql(a, str_of(schema), prefix);
	return 0;
}
