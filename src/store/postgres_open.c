/* SPDX-License-Identifier: Apache-2.0 */
/* Is a store in PostgreSQL?  Needs no libpq. */
#include "store/postgres_open.h"

#include "base/str.h"

bool
postgres_open_is(const char *db)
{
	static const struct str begins[] = { SI("postgresql://"),
		SI("postgres://"), SI("service=") };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (str_starts(str_of(db), begins[i]))
			return true;
	return false;
}
