#ifndef SOURCE_DISCOVER_H
#define SOURCE_DISCOVER_H

/*
 * Where a domain says its mail servers are: Mozilla's autoconfig by https,
 * SRV records (RFC 6186, RFC 8314 section 5.1), the central database when
 * asked for, and where the domain's mail goes in.  What comes back is a
 * proposal of strangers: it is shown and wants a yes before it is used.
 */
#include "base/err.h"
#include "base/str.h"

struct provider;

struct discover_server {
	struct str host; /* lower case letters, digits, hyphens; empty: none */
	uint16_t port;
	bool starttls; /* else TLS from the start; never in the clear */
};

struct discover {
	struct str origin; /* who says so, in words */
	struct discover_server imap, smtp;
	struct str username;             /* how to log in; empty: not told */
	bool oauth;                      /* no password will do */
	struct strs warnings;            /* sentences */
	const struct provider *provider; /* one we know, or NULL */
};

struct discover_ask {
	struct str address; /* canonical addr-spec */
	struct str ca_file; /* for https, as in net/http.h */
	bool ispdb;         /* may the central database be asked? */
	int64_t deadline_ms;
	unsigned step; /* 0 at first; how far we are */
};

/*
 * The next answer that names an IMAP server: 1, or 0 when there is no more.
 * A place that cannot be asked is skipped, and *why tells of the last one.
 */
int discover_next(struct arena *a, struct discover_ask *q, struct discover *out,
    struct err *why);
/* What the table of providers says of an address. */
void discover_known(struct arena *a, const struct provider *p,
    struct str address, struct discover *out);

/* discover_srv.c: 1 found, 0 not, -1. */
int discover_srv(struct arena *a, struct str domain, int64_t deadline_ms,
    struct discover *out, struct err *e);
/* Whoever takes the domain's mail in, when we know them; or NULL. */
const struct provider *discover_srv_mx(struct arena *a, struct str domain,
    int64_t deadline_ms, struct err *e);
/* Is the text a host name that may be looked up?  Makes it lower case. */
bool discover_srv_host(struct arena *a, struct str text, struct str *out);

/* autoconfig.c: reads the text of config-v1.1.xml.  1, 0: no IMAP by TLS in
 * it, -1 with ERR_USAGE or ERR_LIMIT. */
int autoconfig_read(struct arena *a, struct str xml, struct str address,
    struct discover *out, struct err *e);

#endif
