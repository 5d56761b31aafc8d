/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the head of one HTTP request, as much of RFC 9112 as a redirected
 * browser needs.  Any program on this machine can send one.
 */
#include "oauth/internal.h"

/* The value of the only Host field: 1; 0: none; -1: more than one. */
static int
oauth_request_host_of(struct str head, struct str *out)
{
	struct str line, name, value;
	int n = 0;

	while (head.n > 0) {
		(void)str_cut(head, '\n', &line, &head);
		if (!str_cut(line, ':', &name, &value) ||
		    !str_eq_case(name, S("Host")))
			continue;
		*out = str_trim(value);
		n++;
	}
	return n > 1 ? -1 : n;
}

static bool
oauth_request_is_ours(struct str host, uint16_t port)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };
	char text[32];

	for (int i = 0; i < 2; i++) {
		/*
		 * RFC 9110 section 4.2.1: the default port of http may be
		 * omitted.
		 */
		if (port == 80 && str_eq_case(host, str_of(names[i])))
			return true;
		(void)snprintf(text, sizeof(text), "%s:%u", names[i],
		    (unsigned)port);
		if (str_eq_case(host, str_of(text)))
			return true;
	}
	return false;
}

static int
oauth_request_judge(struct str head, uint16_t port, struct str want,
    struct str *query)
{
	struct str line, method, target, path, host;

	(void)str_cut(head, '\n', &line, &head);
	line = str_trim(line);
	if (str_has_char(line, '\0') || !str_cut(line, ' ', &method, &line) ||
	    !str_cut(line, ' ', &target, &line) ||
	    !str_starts(line, S("HTTP/1.")) || line.n != 8)
		return 400;
	if (oauth_request_host_of(head, &host) != 1 ||
	    !oauth_request_is_ours(host, port))
		return 421; /* RFC 9110 section 15.5.20 */
	if (!str_eq(method, S("GET")))
		return 405;
	if (!str_cut(target, '?', &path, query) ||
	    !str_eq(path, want.n > 0 ? want : S("/")))
		return 404;
	return 200;
}

int
oauth_request_feed(struct oauth_request *r, struct str bytes, uint16_t port,
    struct str path, struct str *query)
{
	struct str all;
	ptrdiff_t end;

	if (bytes.n > sizeof(r->p) - r->n)
		return 431; /* RFC 6585 section 5 */
	memcpy(r->p + r->n, bytes.p, bytes.n);
	r->n += bytes.n;
	all = (struct str){ r->p, r->n };
	end = str_find(all, S("\r\n\r\n"));
	if (end < 0)
		return r->n == sizeof(r->p) ? 431 : 0;
	return oauth_request_judge(str_first(all, (size_t)end + 2), port, path,
	    query);
}
