/* SPDX-License-Identifier: Apache-2.0 */
/* What is in force of a store in PostgreSQL, without a secret. */
#include "store/postgres.h"

struct str
postgres_about(struct store *s, struct arena *a)
{
	const struct postgres *pg = s->db;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str commit = S("?");
	struct err none = { 0 };
	const char *host, *tls;
	bool near;

	if (stmt_prepare(s, "SELECT current_setting('synchronous_commit')", &st,
		&none) == 0 &&
	    stmt_step(s, st, &none) == 1)
		commit = stmt_column(st, 0, a);
	if (pg->c == NULL)
		return S("the database server does not answer");
	host = PQ.host(pg->c);
	near = host == NULL || *host == '/' || *host == '@' || *host == '\0';
	tls = PQ.sslInUse(pg->c) ? PQ.sslAttribute(pg->c, "protocol") : NULL;
	return str_fmt(a,
	    "PostgreSQL %d.%d at %s, port %s, database %s, schema %s, user %s; "
	    "%s; synchronous_commit %.*s; statements %s",
	    PQ.serverVersion(pg->c) / 10000, PQ.serverVersion(pg->c) % 10000,
	    near ? "the socket of this machine" : host, PQ.port(pg->c),
	    PQ.db(pg->c), pg->uri.schema, PQ.user(pg->c),
	    tls != NULL ? tls : "no TLS", STR_ARG(commit),
	    pg->uri.pooled ? "not prepared (prepare=off)" : "prepared");
}
