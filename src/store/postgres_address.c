/* SPDX-License-Identifier: Apache-2.0 */
#include "store/postgres_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/postgres_hosts.h"

static bool
postgres_address_is_one(const char *host)
{
	unsigned char raw[16];

	return inet_pton(AF_INET, host, raw) == 1 ||
	    inet_pton(AF_INET6, host, raw) == 1;
}

/* Is it a name that libpq would look up? */
static bool
postgres_address_is_name(const struct postgres_uri *u)
{
	const char *host = postgres_hosts_name(u);
	const char *addr = postgres_uri_word(u, "hostaddr");

	return host != NULL && *host != '\0' && *host != '/' && *host != '@' &&
	    (addr == NULL || *addr == '\0') && strchr(host, ',') == NULL &&
	    !postgres_address_is_one(host);
}

/* glibc reads these for the lookups of this thread, resolv.conf(5). */
static void
postgres_address_bound(int64_t end_ms)
{
	if (res_init() != 0)
		return;
	_res.retry = 2;
	_res.retrans = clock_left_ms(end_ms) < 6000 ? 1 : 3;
}

/* As text; one of a link, with its interface.  False: of another family. */
static bool
postgres_address_text(const struct sockaddr *sa, char out[POSTGRES_ADDRESS])
{
	struct sockaddr_in6 v6;
	struct sockaddr_in v4;
	char text[INET6_ADDRSTRLEN];

	if (sa->sa_family == AF_INET) {
		memcpy(&v4, sa, sizeof(v4));
		return inet_ntop(AF_INET, &v4.sin_addr, out,
			   POSTGRES_ADDRESS) != NULL;
	}
	if (sa->sa_family != AF_INET6)
		return false;
	memcpy(&v6, sa, sizeof(v6));
	(void)inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
	if (v6.sin6_scope_id == 0)
		(void)snprintf(out, POSTGRES_ADDRESS, "%s", text);
	else
		(void)snprintf(out, POSTGRES_ADDRESS, "%s%%%u", text,
		    (unsigned)v6.sin6_scope_id);
	return true;
}

static void
postgres_address_take(const struct addrinfo *list,
    struct postgres_addresses *out)
{
	for (; list != NULL && out->n < POSTGRES_ADDRESSES;
	     list = list->ai_next)
		out->n += postgres_address_text(list->ai_addr, out->v[out->n]);
}

/* So that not all begin with the first. */
static void
postgres_address_turn(struct postgres_addresses *io)
{
	const struct postgres_addresses was = *io;
	const size_t first = ((size_t)getpid() + (size_t)clock_mono_ms());

	for (size_t i = 0; i < was.n; i++)
		memcpy(io->v[i], was.v[(first + i) % was.n], POSTGRES_ADDRESS);
}

const char *
postgres_address_find(const struct postgres_uri *u, int64_t end_ms,
    struct postgres_addresses *out)
{
	static const struct addrinfo want = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	int r;

	out->n = 0;
	if (!postgres_address_is_name(u))
		return NULL;
	postgres_address_bound(end_ms);
	r = getaddrinfo(postgres_hosts_name(u), NULL, &want, &list);
	if (r != 0)
		return gai_strerror(r);
	postgres_address_take(list, out);
	freeaddrinfo(list);
	if (postgres_hosts_balances(u))
		postgres_address_turn(out);
	return NULL;
}
