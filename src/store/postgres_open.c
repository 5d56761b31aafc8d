/* SPDX-License-Identifier: Apache-2.0 */
/* A store in PostgreSQL, as others see it. */
#include "store/postgres_open.h"

#include "base/str.h"
#include "store/postgres.h"

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

int
postgres_open(struct store *s, const char *uri, struct err *e)
{
	s->driver = &postgres_driver;
	return postgres_connect(s, uri, e);
}
