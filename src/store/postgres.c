/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of PostgreSQL. */
#include "store/postgres.h"

static void
postgres_close(struct store *s)
{
	struct postgres *pg = s->db;
	struct arena *a;

	if (pg == NULL)
		return;
	a = pg->a;
	if (pg->c != NULL)
		PQ.finish(pg->c);
	postgres_known_forget(pg);
	s->db = NULL;
	arena_close(&a);
}

/* What is durable says the next transaction. */
static int
postgres_durable(struct store *s, bool on, struct err *e)
{
	struct postgres *pg = s->db;

	(void)e;
	pg->durable = on;
	return 0;
}

/* Of a session nothing is tidied. */
static void
postgres_be_short(struct store *s)
{
	(void)s;
}

/* The server's log has it for as long as the server is told to keep it. */
static bool
postgres_scrub(struct store *s)
{
	(void)s;
	return false;
}

const struct driver postgres_driver = {
	.name = "postgresql",
	.few = 1,
	.close = postgres_close,
	.prepare = postgres_stmt_prepare,
	.finish = postgres_stmt_finish,
	.bind = postgres_stmt_bind,
	.step = postgres_stmt_step,
	.reset = postgres_stmt_reset,
	.columns = postgres_stmt_columns,
	.column_name = postgres_stmt_column_name,
	.type = postgres_stmt_type,
	.number = postgres_stmt_number,
	.bytes = postgres_stmt_bytes,
	.changes = postgres_stmt_changes,
	.exec = postgres_stmt_exec,
	.begin = postgres_tx_begin,
	.commit = postgres_tx_commit,
	.rollback = postgres_tx_rollback,
	.in_transaction = postgres_tx_open,
	.begin_append = postgres_tx_begin_append,
	.chain = postgres_log_chain,
	.asked = postgres_log_asked,
	.durable = postgres_durable,
	.has_table = postgres_schema_has_table,
	.given = postgres_schema_given,
	.load = postgres_schema_load,
	.migrate = postgres_stmt_exec,
	.owns = postgres_roles_owns,
	.migrated = postgres_roles_renew,
	.parts = postgres_schema_parts,
	.column_default = postgres_schema_default,
	.size = postgres_schema_size,
	.empty = postgres_schema_empty,
	.be_operator = postgres_schema_be_operator,
	.be_short = postgres_be_short,
	.version = postgres_schema_version,
	.scrub = postgres_scrub,
};
