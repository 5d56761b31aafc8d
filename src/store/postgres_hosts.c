/* SPDX-License-Identifier: Apache-2.0 */
#include "store/postgres_hosts.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/postgres_library.h"

/* As they are written: parts between commas, or NULL. */
struct hosts {
	const char *host, *hostaddr, *port;
};

static size_t
postgres_hosts_parts(const char *list)
{
	size_t n = 1;

	if (list == NULL || *list == '\0')
		return 0;
	for (; *list != '\0'; list++)
		n += *list == ',';
	return n;
}

/* The same for all if there is one. */
static const char *
postgres_hosts_part(const char *list, size_t i, struct arena *a)
{
	struct str part, rest = str_of(list != NULL ? list : "");

	if (postgres_hosts_parts(list) == 1)
		i = 0;
	do {
		(void)str_cut(rest, ',', &part, &rest);
	} while (i-- > 0);
	return str_c(a, part);
}

/*
 * A service's, as libpq reads it.  It connects to nothing: there is no such
 * sslmode.
 */
static void
postgres_hosts_service(const struct postgres_uri *u, struct arena *a,
    struct hosts *h)
{
	struct postgres_uri never = *u;
	PQconninfoOption *all, *o;
	PGconn *c;

	postgres_uri_put(&never, "sslmode", "none");
	c = PQ.connectStartParams(never.words, never.values, 0);
	all = c != NULL ? PQ.conninfo(c) : NULL;
	for (o = all; o != NULL && o->keyword != NULL; o++) {
		const char **to = strcmp(o->keyword, "host") == 0 ? &h->host
		    : strcmp(o->keyword, "hostaddr") == 0         ? &h->hostaddr
		    : strcmp(o->keyword, "port") == 0             ? &h->port
								  : NULL;

		if (to != NULL && o->val != NULL)
			*to = str_c(a, str_of(o->val));
	}
	PQ.conninfoFree(all);
	PQ.finish(c);
}

bool
postgres_hosts_balances(const struct postgres_uri *u)
{
	const char *is = postgres_uri_word(u, "load_balance_hosts");

	return is != NULL && strcmp(is, "random") == 0;
}

/* How many there are, if they are several and each has its part. */
static size_t
postgres_hosts_several(const struct hosts *h)
{
	const size_t hosts = postgres_hosts_parts(h->host);
	const size_t addresses = postgres_hosts_parts(h->hostaddr);
	const size_t ports = postgres_hosts_parts(h->port);
	const size_t n = addresses > 0 ? addresses : hosts;

	return n < 2 || n > POSTGRES_HOSTS || (hosts > 0 && hosts != n) ||
		(ports > 1 && ports != n)
	    ? 0
	    : n;
}

/* Is a part empty that the list has? */
static bool
postgres_hosts_lacks(const char *list, const char *part)
{
	return list != NULL && *part == '\0';
}

void
postgres_hosts_read(struct postgres_uri *u, struct arena *a)
{
	const bool service = postgres_uri_word(u, "service") != NULL;
	struct hosts h = { postgres_uri_word(u, "host"),
		postgres_uri_word(u, "hostaddr"),
		postgres_uri_word(u, "port") };
	size_t n;

	if (service)
		postgres_hosts_service(u, a, &h);
	n = postgres_hosts_several(&h);
	u->n_hosts = 0;
	u->of_service = service && h.hostaddr == NULL && n == 0 ? h.host : NULL;
	for (size_t i = 0; i < n; i++) {
		struct postgres_host *is = &u->hosts[i];

		*is = (struct postgres_host){ postgres_hosts_part(h.host, i, a),
			postgres_hosts_part(h.hostaddr, i, a),
			postgres_hosts_part(h.port, i, a) };
		/* libpq would put in the service's whole list. */
		if (service &&
		    (postgres_hosts_lacks(h.host, is->host) ||
			postgres_hosts_lacks(h.hostaddr, is->hostaddr)))
			return;
	}
	u->n_hosts = n;
	u->first_host = 0;
	if (n > 0 && postgres_hosts_balances(u))
		u->first_host =
		    ((size_t)getpid() + (size_t)clock_mono_ms()) % n;
}

const char *
postgres_hosts_name(const struct postgres_uri *u)
{
	return u->of_service != NULL ? u->of_service
				     : postgres_uri_word(u, "host");
}

size_t
postgres_hosts_count(const struct postgres_uri *u)
{
	return u->n_hosts > 0 ? u->n_hosts : 1;
}

void
postgres_hosts_one(const struct postgres_uri *u, size_t i,
    struct postgres_uri *out)
{
	const struct postgres_host *is;

	*out = *u;
	if (u->n_hosts == 0)
		return;
	is = &u->hosts[(u->first_host + i) % u->n_hosts];
	postgres_uri_put(out, "host", is->host);
	postgres_uri_put(out, "hostaddr", is->hostaddr);
	postgres_uri_put(out, "port", *is->port != '\0' ? is->port : "5432");
}
