/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_DNS_H
#define SOURCE_DNS_H

/*
 * DNS queries that getaddrinfo(3) cannot make: SRV (RFC 2782), MX and TXT (RFC
 * 1035).  Answers are not signed; a caller confirms them with a person before
 * it uses them.
 */
#include "base/err.h"
#include "base/str.h"

enum dns_type {
	DNS_MX = 15,
	DNS_TXT = 16,
	DNS_SRV = 33,
};

struct dns_record {
	uint16_t priority, weight; /* lower and higher value first */
	uint16_t port;             /* of SRV */
	struct str host;           /* lower case; empty: "not offered" */
};

struct dns_records {
	struct dns_record *v; /* best first */
	size_t n;
};

/*
 * ERR_NETWORK if there was no answer; a name that does not exist has no
 * records.
 */
int dns_ask(struct arena *a, struct str name, enum dns_type type,
    int64_t deadline_ms, struct dns_records *out, struct err *e);
/* Parses a response, RFC 1035 section 4.  ERR_NETWORK if it is malformed. */
int dns_read(struct arena *a, struct str packet, enum dns_type type,
    struct dns_records *out, struct err *e);

/*
 * TXT records, each with its strings joined (RFC 6376 section 3.6.2.2); records
 * longer than LIMIT_DKIM_KEY are left out.  Errors as above: dns_ask.c, dns.c.
 */
int dns_ask_text(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e);
int dns_read_text(struct arena *a, struct str packet, struct strs *out,
    struct err *e);

/*
 * Key records of a signature by DKIM (RFC 6376 section 3.6.2): as
 * dns_ask_text(), by the function that dns_key_elsewhere() named, which may ask
 * another process for dns_key_here(); NULL: itself.  Nothing is asked about a
 * name that is none of a key: it has no records.
 */
typedef int dns_key_asker(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e);
dns_key_asker dns_key_ask, dns_key_here;
void dns_key_elsewhere(dns_key_asker *asker);
/* SELECTOR._domainkey.DOMAIN, of letters, digits, "-" and "_" in labels. */
bool dns_key_is_name(struct str name);
#define DNS_KEY_NAME 253 /* bytes, RFC 1035 section 2.3.4 */

#endif
