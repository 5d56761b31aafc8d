/* SPDX-License-Identifier: Apache-2.0 */
/* Queries the system's resolver, with a time limit. */
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>

#include "base/clock.h"
#include "source/dns.h"
#include "source/internal.h"

enum {
	ANSWER = 8192,
	NAME_BYTES = 255
};

/*
 * The resolver counts whole seconds for each try at each server: as many as are
 * left, and only one server if there is no time for two.  Its own switch to TCP
 * ignores the time, so it is disabled (dns_tcp.c does it).
 */
static void
dns_ask_bound(struct __res_state *st, int64_t deadline_ms)
{
	int left = clock_left_ms(deadline_ms) / 1000;

	st->options |= RES_IGNTC | RES_USE_EDNS0;
	st->options &= ~(unsigned long)(RES_USEVC | RES_DEFNAMES | RES_DNSRCH);
	if (st->nscount > left)
		st->nscount = left > 0 ? left : 1;
	st->retry = left >= 2 * st->nscount + 2 ? 2 : 1;
	st->retrans = left / (st->nscount + 2);
	if (st->retrans < 1)
		st->retrans = 1;
	if (st->retrans > 3)
		st->retrans = 3;
}

/* A packet; empty if there is no such name or record. */
static int
ask_with(struct __res_state *st, struct arena *a, struct str name,
    enum dns_type type, int64_t deadline_ms, struct str *out, struct err *e)
{
	unsigned char *answer = arena_alloc(a, ANSWER);
	int n =
	    res_nquery(st, str_c(a, name), ns_c_in, (int)type, answer, ANSWER);

	/*
	 * Truncated (TC, RFC 1035 section 4.1.1), maybe to nothing.  A partial
	 * list of servers is useful, a partial text is not.
	 */
	if (type == DNS_TXT && (answer[2] & 0x02) != 0)
		return dns_tcp_ask(a, st, name, (int)type, deadline_ms, out, e);
	if (n < 0) {
		if (st->res_h_errno == HOST_NOT_FOUND ||
		    st->res_h_errno == NO_DATA)
			return 0;
		(void)err_set(e, ERR_NETWORK, "no name server answered");
		return err_because(e, "%.*s: %s", STR_ARG(name),
		    hstrerror(st->res_h_errno));
	}
	if (n > ANSWER)
		n = ANSWER;
	*out = (struct str){ (const char *)answer, (size_t)n };
	return 0;
}

static int
dns_ask_ask(struct arena *a, struct str name, enum dns_type type,
    int64_t deadline_ms, struct str *out, struct err *e)
{
	struct __res_state st = { 0 };
	int r;

	*out = S("");
	if (name.n > NAME_BYTES || clock_left_ms(deadline_ms) == 0)
		return err_set(e, ERR_NETWORK,
		    "no time is left for the lookup");
	if (res_ninit(&st) < 0)
		return err_set(e, ERR_NETWORK, "no name server is configured");
	dns_ask_bound(&st, deadline_ms);
	r = ask_with(&st, a, name, type, deadline_ms, out, e);
	res_nclose(&st);
	return r;
}

int
dns_ask(struct arena *a, struct str name, enum dns_type type,
    int64_t deadline_ms, struct dns_records *out, struct err *e)
{
	struct str answer;

	*out = (struct dns_records){ 0 };
	if (dns_ask_ask(a, name, type, deadline_ms, &answer, e) < 0)
		return -1;
	return answer.n > 0 ? dns_read(a, answer, type, out, e) : 0;
}

int
dns_ask_text(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e)
{
	struct str answer;

	*out = (struct strs){ 0 };
	if (dns_ask_ask(a, name, DNS_TXT, deadline_ms, &answer, e) < 0)
		return -1;
	return answer.n > 0 ? dns_read_text(a, answer, out, e) : 0;
}
