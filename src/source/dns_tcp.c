/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeats a query over TCP if the answer did not fit into a datagram (RFC
 * 7766).  The resolver's own code for that has no deadline.
 */
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <resolv.h>

#include "net/wire.h"
#include "source/internal.h"

enum {
	QUESTION = 512,
	LEAST = 12 /* a header */
};

static void
wire_done(struct wire **w)
{
	wire_close(w);
}

/* The resolver's i-th name server; false: an unsupported kind. */
static bool
dns_tcp_server(const struct __res_state *st, int i, char *out, socklen_t size,
    uint16_t *port)
{
	const struct sockaddr_in *v4 = &st->nsaddr_list[i];
	const struct sockaddr_in6 *v6 = st->_u._ext.nsaddrs[i];

	if (v4->sin_family == AF_INET) {
		*port = ntohs(v4->sin_port);
		return inet_ntop(AF_INET, &v4->sin_addr, out, size) != NULL;
	}
	if (v6 == NULL || v6->sin6_family != AF_INET6)
		return false;
	*port = ntohs(v6->sin6_port);
	return inet_ntop(AF_INET6, &v6->sin6_addr, out, size) != NULL;
}

/* RFC 1035 section 4.2.2: each message follows its length. */
static int
dns_tcp_exchange(struct arena *a, const struct wire_target *t,
    struct str question, struct str *out, struct err *e)
{
	CLEANUP(wire_done) struct wire *w = NULL;
	unsigned char length[2];
	char head[2] = { (char)(question.n >> 8), (char)question.n };
	char *p;
	size_t n;

	if (wire_open(t, &w, e) < 0 ||
	    wire_put(w, (struct str){ head, sizeof(head) }, e) < 0 ||
	    wire_put(w, question, e) < 0 || wire_flush(w, e) < 0 ||
	    wire_bytes(w, length, sizeof(length), e) < 0)
		return -1;
	n = (size_t)length[0] << 8 | length[1];
	p = arena_alloc(a, n);
	if (wire_bytes(w, p, n, e) < 0)
		return -1;
	if (n < LEAST || memcmp(p, question.p, 2) != 0)
		return err_set(e, ERR_NETWORK,
		    "the name server's answer is malformed");
	*out = (struct str){ p, n };
	return 0;
}

int
dns_tcp_ask(struct arena *a, struct __res_state *st, struct str name, int type,
    int64_t deadline_ms, struct str *out, struct err *e)
{
	unsigned char question[QUESTION];
	struct wire_target t = { .security = WIRE_STARTTLS, /* so: plain */
		.deadline_ms = deadline_ms };
	int n = res_nmkquery(st, ns_o_query, str_c(a, name), ns_c_in, type,
	    NULL, 0, NULL, question, sizeof(question));

	(void)err_set(e, ERR_NETWORK, "no name server answered");
	for (int i = 0; n > 0 && i < st->nscount; i++) {
		char host[INET6_ADDRSTRLEN];

		if (!dns_tcp_server(st, i, host, sizeof(host), &t.port))
			continue;
		t.host = str_of(host);
		*e = (struct err){ 0 };
		if (dns_tcp_exchange(a, &t,
			(struct str){ (const char *)question, (size_t)n }, out,
			e) == 0)
			return 0;
	}
	return -1;
}
