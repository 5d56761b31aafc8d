/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http_local.h"

#include "base/limits.h"
#include "net/http.h"

/* The path of the folder may be longer than a socket's. */
static const char *
http_local_path(const struct http_local *to, struct arena *a)
{
	return to->socket == NULL
	    ? NULL
	    : str_fmt(a, "/proc/self/fd/%d/%s", to->folder, to->socket).p;
}

int
http_local_send(const struct http_local *to, const char *path, struct str body,
    int64_t deadline_ms, struct arena *a, struct http_local_answer *out,
    struct err *e)
{
	CLEANUP(http_close) struct http *h = NULL;
	struct str base = to->socket != NULL ? S("http://localhost") : to->base;
	const struct http_request q = {
		.url = str_fmt(a, "%.*s%s", STR_ARG(base), path),
		.body = body,
		.type = S("application/json"),
		.bearer = to->token,
		.max = LIMIT_MESSAGE,
		.deadline_ms = deadline_ms,
		.socket = http_local_path(to, a),
	};
	struct http_reply r;

	/* https would be somebody else's. */
	if (!str_starts(q.url, S("http://")))
		return err_set(e, ERR_CONFIG,
		    "the server's address is not one of this machine");
	if (http_open(S(""), &h, e) < 0 || http_send(h, &q, &r, e) < 0)
		return -1;
	*out = (struct http_local_answer){ r.status, str_dup(a, r.body) };
	return 0;
}
