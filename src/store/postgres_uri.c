/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which parameters of libpq may be in EMCLI_DB: those that say where the
 * server is and how it proves that it is the one.  Whoever sets EMCLI_DB may
 * not be whoever runs emcli, so none that make libpq read a file of another
 * name, run something, or trust less.
 */
#include "store/postgres_uri.h"

#include <string.h>

#include "base/buf.h"
#include "store/postgres_library.h"

static const char *const taken[] = { "host", "hostaddr", "port", "dbname",
	"user", "service", "sslmode", "sslrootcert", "sslcrl",
	"channel_binding", "requirepeer", "require_auth",
	"target_session_attrs", "load_balance_hosts", "keepalives",
	"keepalives_idle", "keepalives_interval", "keepalives_count",
	"tcp_user_timeout" };

/* Unless it says otherwise; `fixed`: whatever it says. */
static const struct given {
	const char *word, *value;
	bool fixed;
} given[] = {
	/* Without effect on the socket of this machine. */
	{ "sslmode", "verify-full", true },
	{ "gssencmode", "disable", true },
	{ "target_session_attrs", "read-write", false },
	{ "tcp_user_timeout", "20000", false },
	{ "application_name", "emcli", true },
	{ "client_encoding", "UTF8", true },
};

static int
postgres_uri_malformed(struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "EMCLI_DB is no valid URI of PostgreSQL");
	return err_hint(e,
	    "for example: postgresql://emcli@db.example.org/emcli, or "
	    "postgresql:///emcli for the socket of this machine");
}

static bool
postgres_uri_is_schema(struct str s)
{
	if (s.n == 0 || s.n > 40 || str_starts(s, S("pg_")) ||
	    (s.p[0] >= '0' && s.p[0] <= '9'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] == '_' || (s.p[i] >= 'a' && s.p[i] <= 'z') ||
			(s.p[i] >= '0' && s.p[i] <= '9')))
			return false;
	return true;
}

/* A parameter of our own, which libpq does not know: 1; 0; -1. */
static int
postgres_uri_own(struct str part, struct arena *a, struct postgres_uri *out,
    struct err *e)
{
	struct str word, value;

	if (!str_cut(part, '=', &word, &value))
		return 0;
	if (str_eq(word, S("schema"))) {
		if (!postgres_uri_is_schema(value))
			return err_set(e, ERR_CONFIG,
			    "the schema in EMCLI_DB must be a short name of "
			    "small letters, digits and _");
		out->schema = str_c(a, value);
		return 1;
	}
	if (str_eq(word, S("prepare"))) {
		if (!str_eq(value, S("off")) && !str_eq(value, S("on")))
			return err_set(e, ERR_CONFIG,
			    "prepare in EMCLI_DB is on or off");
		out->pooled = str_eq(value, S("off"));
		return 1;
	}
	return 0;
}

/* What libpq is to read: all but our own parameters. */
static int
postgres_uri_take_own(const char *db, struct arena *a, struct postgres_uri *out,
    char **rest, struct err *e)
{
	const bool words = str_starts(str_of(db), S("service="));
	const struct str between = words ? S(" ") : S("&");
	struct str head, tail = str_of(db), part;
	bool first = true, more = true;
	struct buf b;

	buf_init(&b, a, 64 << 10);
	if (!words) {
		more = str_cut(tail, '?', &head, &tail);
		buf_str(&b, head);
	}
	while (more) {
		int r;

		more = str_cut(tail, between.p[0], &part, &tail);
		r = postgres_uri_own(part, a, out, e);
		if (r < 0)
			return -1;
		if (r == 1)
			continue;
		if (!first || !words)
			buf_str(&b, first ? S("?") : between);
		buf_str(&b, part);
		first = false;
	}
	if (b.over)
		return postgres_uri_malformed(e);
	*rest = str_c(a, buf_view(&b));
	return 0;
}

static int
postgres_uri_refuse(const char *word, struct err *e)
{
	static const char *const secrets[] = { "password", "sslpassword" };

	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		if (strcmp(word, secrets[i]) == 0) {
			(void)err_set(e, ERR_CONFIG,
			    "there is a password in EMCLI_DB, where others can "
			    "see it");
			return err_hint(e,
			    "put it into ~/.pgpass or the file that PGPASSFILE "
			    "names, mode 600, and change it: it was seen");
		}
	(void)err_set(e, ERR_CONFIG, "EMCLI_DB may not have the parameter %s",
	    word);
	return err_hint(e,
	    "leave it out: emcli takes from there where the server is and what "
	    "it is known by, nothing else");
}

static bool
postgres_uri_takes(const char *word)
{
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (strcmp(word, taken[i]) == 0)
			return true;
	return false;
}

void
postgres_uri_put(struct postgres_uri *u, const char *word, const char *value)
{
	size_t i = 0;

	while (u->words[i] != NULL && strcmp(u->words[i], word) != 0)
		i++;
	if (i == POSTGRES_WORDS)
		err_bug("store: too many parameters");
	u->words[i] = word;
	u->values[i] = value;
}

const char *
postgres_uri_word(const struct postgres_uri *u, const char *word)
{
	for (size_t i = 0; u->words[i] != NULL; i++)
		if (strcmp(u->words[i], word) == 0)
			return u->values[i];
	return NULL;
}

static int
postgres_uri_take(const PQconninfoOption *o, struct arena *a,
    struct postgres_uri *out, struct err *e)
{
	for (; o->keyword != NULL; o++) {
		if (o->val == NULL || *o->val == '\0')
			continue;
		if (!postgres_uri_takes(o->keyword))
			return postgres_uri_refuse(o->keyword, e);
		if (strcmp(o->keyword, "sslmode") == 0 &&
		    strcmp(o->val, "verify-full") != 0) {
			(void)err_set(e, ERR_CONFIG,
			    "sslmode in EMCLI_DB must be verify-full");
			return err_hint(e,
			    "leave it out: the socket of this machine needs no "
			    "TLS, and another machine's server is verified");
		}
		postgres_uri_put(out, str_c(a, str_of(o->keyword)),
		    str_c(a, str_of(o->val)));
	}
	return 0;
}

/* The schema, and in *rest what libpq is to read. */
static int
postgres_uri_begin(const char *db, struct arena *a, struct postgres_uri *out,
    char **rest, struct err *e)
{
	*out = (struct postgres_uri){ .schema = POSTGRES_SCHEMA };
	if (strlen(db) > 4096)
		return postgres_uri_malformed(e);
	return postgres_uri_take_own(db, a, out, rest, e);
}

int
postgres_uri_schema(const char *db, struct arena *a, const char **out,
    struct err *e)
{
	struct postgres_uri u;
	char *rest;

	if (postgres_uri_begin(db, a, &u, &rest, e) < 0)
		return -1;
	*out = u.schema;
	return 0;
}

int
postgres_uri_read(const char *db, struct arena *a, struct postgres_uri *out,
    struct err *e)
{
	PQconninfoOption *o;
	char *rest = NULL, *why = NULL;
	int r;

	if (postgres_uri_begin(db, a, out, &rest, e) < 0)
		return -1;
	o = PQ.conninfoParse(rest, &why);
	if (why != NULL) /* It repeats what may be a password. */
		PQ.freemem(why);
	if (o == NULL)
		return postgres_uri_malformed(e);
	r = postgres_uri_take(o, a, out, e);
	PQ.conninfoFree(o);
	for (size_t i = 0; r == 0 && i < sizeof(given) / sizeof(given[0]); i++)
		if (given[i].fixed ||
		    postgres_uri_word(out, given[i].word) == NULL)
			postgres_uri_put(out, given[i].word, given[i].value);
	return r;
}

int
postgres_uri_key(const struct postgres_uri *u)
{
	return (int)(int32_t)(uint32_t)str_hash(STR_HASH, str_of(u->schema));
}
