/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_HTTP_LOCAL_H
#define NET_HTTP_LOCAL_H

/*
 * HTTP to a server on this machine, over a unix socket or a loopback address,
 * and nowhere else.  No redirect is followed and no proxy asked.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

struct http_local {
	/* The name of a socket in an open folder; NULL: it is `base`. */
	const char *socket;
	int folder;
	struct str base;            /* "http://127.0.0.1:41877" */
	const struct secret *token; /* sent as the bearer; NULL: none is */
};

struct http_local_answer {
	int status;
	struct str body; /* in the arena, at most LIMIT_MESSAGE bytes */
};

/*
 * A path from "/", and a JSON body, which makes it a POST; without one it is a
 * GET.  The deadline is on clock_mono_ms().  Any status is an answer.
 * ERR_NETWORK, ERR_LIMIT; ERR_CONFIG: libcurl is missing, or `base` is not an
 * address of this machine.
 */
int http_local_send(const struct http_local *to, const char *path,
    struct str body, int64_t deadline_ms, struct arena *a,
    struct http_local_answer *out, struct err *e);

#endif
