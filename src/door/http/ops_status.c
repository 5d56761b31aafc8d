/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status of an envelope, for clients that look no further: whose fault it
 * is, the caller's (4xx), the mail server's (502), or nobody's, for now (503).
 */
#include "door/envelope.h"
#include "door/http/ops.h"

const char http_ops_status_no_agent[] =
    "this is no agent's call: it needs a token of emcli agent add or, on the "
    "unix socket, a user that is an agent";

int
http_ops_status(enum err_kind kind)
{
	static const int statuses[ERR_KINDS] = {
		[ERR_NONE] = 200,
		[ERR_USAGE] = 400,
		[ERR_CONFIG] = 503,
		[ERR_NOT_FOUND] = 404,
		[ERR_POLICY] = 403,
		[ERR_APPROVAL] = 403,
		[ERR_SKILL] = 403,
		[ERR_UNSUPPORTED] = 502,
		[ERR_LIMIT] = 429,
		[ERR_AUTH] = 502,
		[ERR_REJECTED] = 502,
		[ERR_NETWORK] = 503,
		[ERR_UNKNOWN_OUTCOME] = 502,
		[ERR_DB] = 503,
		[ERR_INTERNAL] = 502,
	};

	return (unsigned)kind < ERR_KINDS && statuses[kind] > 0 ? statuses[kind]
								: 502;
}

/* What is no call has a status of HTTP's own, and the nearest code. */
static enum err_kind
http_ops_kind_of(int status)
{
	switch (status) {
	case 401:
		return ERR_CONFIG;
	case 403:
		return ERR_POLICY;
	case 413:
	case 429:
	case 431:
	case 503:
		return ERR_LIMIT;
	case 500:
	case 502:
		return ERR_INTERNAL;
	default:
		return ERR_USAGE;
	}
}

void
http_ops_status_refusal(int status, const char *why, struct arena *a,
    struct reply *out)
{
	*out = (struct reply){ 0 };
	(void)err_set(&out->err, http_ops_kind_of(status), "%s", why);
	if (status != 429 && status != 503)
		return;
	out->err.reason = "busy";
	out->detail = json_new(a);
	json_open_object(out->detail, NULL);
	json_put_int(out->detail, "retry_after", LIMIT_HTTP_BUSY_S);
	json_close_object(out->detail);
}

void
http_ops_status_refuse(struct buf *out, int status, const char *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct reply r;

	http_ops_status_refusal(status, why, a, &r);
	buf_str(out, json_text(envelope_make(a, &r), a));
	buf_char(out, '\n');
}
