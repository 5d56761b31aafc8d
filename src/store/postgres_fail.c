/* SPDX-License-Identifier: Apache-2.0 */
/* What the server says of an error, in emcli's words. */
#include <string.h>

#include "base/said.h"
#include "store/postgres.h"

enum {
	STATE = 5 /* letters of an SQLSTATE */
};

static const char again[] =
    "try again; emcli doctor says whether the server answers";
static const char held[] =
    "try again; if it stays so, pg_stat_activity on the server shows who "
    "holds a lock";

static const char pool[] = "the database server is behind a pool";
static const char no_prepare[] = "add prepare=off to EMCLI_DB";

/* By the begin of the SQLSTATE; the first that fits. */
static const struct reason {
	const char *state;
	const char *say;  /* NULL: as of every database */
	const char *hint; /* or NULL */
	enum driver_reason why;
	bool lost;
} reasons[] = {
	{ "23503", NULL, NULL, DRIVER_NO_ACCOUNT, false },
	{ "23505", NULL, NULL, DRIVER_TAKEN, false },
	{ "22003", NULL, NULL, DRIVER_LAST, false },
	{ "55P03", NULL, held, DRIVER_BUSY, false },
	{ "40", NULL, held, DRIVER_BUSY, false },
	{ "57014", NULL, held, DRIVER_BUSY, false },
	{ "53100", NULL, "make room on the database server, and try again",
	    DRIVER_FULL, false },
	{ "53300", "the database server has no free connection", again,
	    DRIVER_BUSY, false },
	{ "25006",
	    "the store cannot be written: the database server is read-only",
	    NULL, DRIVER_READONLY, false },
	{ "42501", "this role may not do that with the store's tables",
	    "an operator's command needs the operator's role in EMCLI_DB; "
	    "emcli doctor says what a role lacks",
	    DRIVER_READONLY, false },
	/* What was prepared is in another's session, or another's in this. */
	{ "26000", pool, no_prepare, DRIVER_FAILED, false },
	{ "42P05", pool, no_prepare, DRIVER_FAILED, false },
	{ "XX001", "the store's database is damaged", NULL, DRIVER_DAMAGED,
	    false },
	{ "XX002", "the store's database is damaged", NULL, DRIVER_DAMAGED,
	    false },
	{ "57P", "the database server does not answer", again, DRIVER_FAILED,
	    true },
	{ "08", "the database server does not answer", again, DRIVER_FAILED,
	    true },
	{ "", NULL, NULL, DRIVER_FAILED, false },
};

static const struct reason *
postgres_fail_reason(const char *state)
{
	const struct reason *r = reasons;

	while (strncmp(state, r->state, strlen(r->state)) != 0)
		r++;
	return r;
}

static int
postgres_fail_as(struct store *s, const struct reason *r, const char *state,
    const char *words, struct err *e)
{
	char clean[200];

	(void)driver_fail(s, r->why, e);
	if (r->say != NULL)
		(void)err_set(e, e->kind, "%s", r->say);
	if (r->hint != NULL)
		(void)err_hint(e, r->hint);
	said_clean(clean, sizeof(clean), str_trim(str_of(words)));
	return err_because(e, "postgresql %s: %s", state, clean);
}

int
postgres_fail(struct store *s, const PGresult *r, struct err *e)
{
	struct postgres *pg = s->db;
	const char *state = PQ.resultErrorField(r, PG_DIAG_SQLSTATE);
	const char *words = PQ.resultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	const struct reason *is;

	/* libpq itself gives none. */
	if (state == NULL || strlen(state) != STATE) {
		if (pg->c != NULL && PQ.status(pg->c) != CONNECTION_OK)
			return postgres_fail_lost(s, e);
		state = "?";
	}
	is = postgres_fail_reason(state);
	(void)postgres_fail_as(s, is, state, words != NULL ? words : "?", e);
	if (is->lost)
		postgres_lost(s);
	return -1;
}

int
postgres_fail_other(struct store *s, const PGresult *r, struct err *e)
{
	const char *state = PQ.resultErrorField(r, PG_DIAG_SQLSTATE);
	const char *words = PQ.resultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);

	/* libpq itself gives none: the connection is lost. */
	if (state == NULL || strlen(state) != STATE)
		state = "08000";
	return postgres_fail_as(s, postgres_fail_reason(state), state,
	    words != NULL ? words : "no answer", e);
}

int
postgres_fail_lost(struct store *s, struct err *e)
{
	struct postgres *pg = s->db;
	const char *words = pg->c != NULL ? PQ.errorMessage(pg->c) : "";

	(void)postgres_fail_as(s, postgres_fail_reason("08"), "connection",
	    *words != '\0' ? words : "no answer", e);
	postgres_lost(s);
	return -1;
}

/* Words of libpq and servers about what an operator must change. */
static const struct {
	const char *words, *say, *hint;
	enum err_kind kind;
} unmade[] = {
	{ "unsupported startup parameter", pool, no_prepare, ERR_CONFIG },
	{ "password authentication failed",
	    "the database server refused the password",
	    "check the file that PGPASSFILE names, or ~/.pgpass, mode 600",
	    ERR_CONFIG },
	{ "no password supplied", "the database server wants a password",
	    "put it into ~/.pgpass or the file that PGPASSFILE names, mode 600",
	    ERR_CONFIG },
	{ "authentication failed", "the database server refused this user",
	    "check the user in EMCLI_DB, and the server's pg_hba.conf",
	    ERR_CONFIG },
	{ "pg_hba.conf", "the database server refused this user",
	    "check the user in EMCLI_DB, and the server's pg_hba.conf",
	    ERR_CONFIG },
	{ "role \"", "the database server does not know this user",
	    "check the user in EMCLI_DB", ERR_CONFIG },
	{ "database \"", "there is no such database",
	    "check EMCLI_DB; to create a database: createdb", ERR_CONFIG },
	{ "root certificate file",
	    "the certificate of the database server cannot be checked",
	    "name the authority's certificate with sslrootcert= in EMCLI_DB, "
	    "or put it into ~/.postgresql/root.crt",
	    ERR_CONFIG },
	{ "certificate", "the certificate of the database server is not valid",
	    "check the host in EMCLI_DB, and sslrootcert", ERR_CONFIG },
	{ "does not support SSL", "the database server has no TLS",
	    "turn ssl on there, or use its socket on this machine",
	    ERR_CONFIG },
	{ "definition of service", "there is no such service",
	    "check EMCLI_DB and ~/.pg_service.conf", ERR_CONFIG },
	{ "read-only", "no database server takes writes",
	    "wait until a replica has been promoted, and try again", ERR_DB },
	{ "hot standby", "no database server takes writes",
	    "wait until a replica has been promoted, and try again", ERR_DB },
	{ "", "the database server does not answer", again, ERR_DB },
};

int
postgres_fail_pool(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "%s", pool);
	return err_hint(e, no_prepare);
}

int
postgres_fail_connect(struct store *s, const char *words, struct err *e)
{
	char clean[300];
	size_t i = 0;

	if (strstr(words, "remaining connection slots") != NULL ||
	    strstr(words, "too many") != NULL)
		return postgres_fail_as(s, postgres_fail_reason("53300"),
		    "53300", words, e);
	while (strstr(words, unmade[i].words) == NULL)
		i++;
	(void)driver_fail(s, DRIVER_FAILED, e);
	(void)err_set(e, unmade[i].kind, "%s", unmade[i].say);
	(void)err_hint(e, unmade[i].hint);
	said_clean(clean, sizeof(clean), str_trim(str_of(words)));
	return err_because(e, "postgresql: %s", clean);
}
