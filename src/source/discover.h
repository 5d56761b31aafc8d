/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_DISCOVER_H
#define SOURCE_DISCOVER_H

/*
 * Where a domain says its mail servers are: Mozilla's autoconfig by https, SRV
 * records (RFC 6186, RFC 8314 section 5.1), the central database if allowed,
 * and the domain's MX.  The results are proposals of strangers: a person must
 * confirm them before use.
 */
#include "base/err.h"
#include "base/str.h"

struct provider;

struct discover_server {
	struct str host; /* lower case letters, digits, hyphens; empty: none */
	uint16_t port;
	bool starttls; /* else implicit TLS; never in the clear */
};

struct discover {
	struct str origin; /* its source, in words */
	struct discover_server imap, smtp;
	struct str username;  /* user name for the login; empty: unknown */
	bool oauth;           /* a password does not work */
	struct strs warnings; /* sentences */
	const struct provider *provider; /* a known one, or NULL */
};

struct discover_ask {
	struct str address; /* canonical addr-spec */
	struct str ca_file; /* for https, as in net/http.h */
	bool ispdb;         /* may the central database be queried? */
	int64_t deadline_ms;
	unsigned step; /* 0 at first; progress */
};

/*
 * The next answer that names an IMAP server: 1, or 0 if there are no more.  A
 * place that cannot be queried is skipped; *why has the last failure.
 */
int discover_next(struct arena *a, struct discover_ask *q, struct discover *out,
    struct err *why);
/* The entry of the table of providers for an address. */
void discover_known(struct arena *a, const struct provider *p,
    struct str address, struct discover *out);

/* discover_srv.c: 1 found, 0 not, -1. */
int discover_srv(struct arena *a, struct str domain, int64_t deadline_ms,
    struct discover *out, struct err *e);
/* The known provider that receives the domain's mail; or NULL. */
const struct provider *discover_srv_mx(struct arena *a, struct str domain,
    int64_t deadline_ms, struct err *e);
/* Is the text a host name that can be looked up?  Makes it lower case. */
bool discover_srv_host(struct arena *a, struct str text, struct str *out);

/*
 * autoconfig.c: parses config-v1.1.xml.  1, 0: it has no IMAP with TLS, -1 with
 * ERR_USAGE or ERR_LIMIT.
 */
int autoconfig_read(struct arena *a, struct str xml, struct str address,
    struct discover *out, struct err *e);

#endif
