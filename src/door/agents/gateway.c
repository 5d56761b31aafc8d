/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session's gateway: whether one is live, and a call over it.  The unix
 * socket is preferred, which needs no token; over TCP the token is sent that
 * the gateway wrote for this user.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "door/agents/internal.h"
#include "ipc/ipc.h"
#include "net/http_local.h"

void
agents_gateway_close(struct agents_gateway *g)
{
	path_close(&g->folder);
}

/* -- asking ---------------------------------------------------------------- */

static int
gateway_ask_socket(const struct agents_gateway *g, const char *path,
    struct str body, int64_t deadline_ms, struct arena *a,
    struct http_local_answer *out, struct err *e)
{
	const struct http_local to = { .socket = INSTANCE_SOCKET,
		.folder = g->folder };

	return http_local_send(&to, path, body, deadline_ms, a, out, e);
}

/* The file is of this user alone, and the gateway's own. */
static int
gateway_read_token(const struct agents_gateway *g, struct secret **out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = openat(g->folder, INSTANCE_TOKEN,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct err why = { 0 };
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || st.st_uid == 0) &&
	    !(st.st_mode & (S_IRWXG | S_IRWXO)) &&
	    secret_read(fd, out, &why) == 0)
		return 0;
	(void)err_set(e, ERR_AUTH,
	    "the token of the session's gateway cannot be used: it is missing, "
	    "or others can read it");
	e->reason = "unauthenticated";
	return -1;
}

static int
gateway_ask_tcp(const struct agents_gateway *g, const char *path,
    struct str body, bool token, int64_t deadline_ms, struct arena *a,
    struct http_local_answer *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *s = NULL;
	struct http_local to = { .base = g->instance.base_url };

	/* Upstream's own gateway has none. */
	if (token && g->instance.token_file.n > 0 &&
	    gateway_read_token(g, &s, e) < 0)
		return -1;
	to.token = s;
	return http_local_send(&to, path, body, deadline_ms, a, out, e);
}

/* -- is it there? ---------------------------------------------------------- */

/* Does this user, or root, listen on the socket? */
static bool
gateway_is_own(const struct agents_gateway *g)
{
	struct err none = { 0 };
	CLEANUP(path_close) int fd = -1;

	if (g->folder >= 0 && g->instance.socket.n > 0)
		fd = ipc_connect(g->folder, INSTANCE_SOCKET, &none);
	return fd >= 0;
}

bool
agents_gateway_find(const struct agents_call *c, struct agents_gateway *g)
{
	static const char health[] = "/health";
	int64_t end = clock_mono_ms() + LIMIT_AGENTS_LOOK_MS;
	struct http_local_answer x;
	struct err none = { 0 };

	*g = (struct agents_gateway){ .folder = -1 };
	if (instance_read(c->session.folder, c->a, &g->instance, &none) != 0 ||
	    (g->instance.process.boot.n > 0 &&
		!instance_is_alive(&g->instance)))
		return false;
	g->folder = instance_run(c->session.folder, false, &none);
	g->local = gateway_is_own(g) &&
	    gateway_ask_socket(g, health, (struct str){ 0 }, end, c->a, &x,
		&none) == 0 &&
	    instance_ask_is_health(x.status, x.body);
	if (g->local)
		return true;
	none = (struct err){ 0 };
	return gateway_ask_tcp(g, health, (struct str){ 0 }, false, end, c->a,
		   &x, &none) == 0 &&
	    instance_ask_is_health(x.status, x.body);
}

/* -- a call ---------------------------------------------------------------- */

/* Was the message sent, or was it not? */
static int
gateway_lost(const struct agents_call *c, struct err *e)
{
	struct err why = *e;

	if (why.kind == ERR_AUTH || why.kind == ERR_CONFIG)
		return -1;
	if (c->op->effect == EFFECT_SEND) {
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the session's gateway did not answer: look into the sent "
		    "mail before you send it again, or repeat the call with "
		    "the same --idempotency-key");
		e->reason = "submission_unconfirmed";
	} else {
		(void)err_set(e, ERR_NETWORK,
		    "the session's gateway did not answer: try again");
		e->reason = "transport_unavailable";
	}
	return err_because(e, "%s", why.say);
}

static int
gateway_refused(const struct agents_call *c, const struct json_value *v,
    int status, struct agents_answer *out, struct err *e)
{
	struct str say = { 0 }, code = { 0 };
	int64_t after = 0;
	bool safe;

	(void)json_parse_str(json_parse_member(v, "detail"), &say);
	(void)json_parse_str(json_parse_member(v, "code"), &code);
	if (say.n == 0)
		say =
		    str_fmt(c->a, "the session's gateway answered %d", status);
	(void)err_set(e, agents_code_kind(code, status), "%.*s", STR_ARG(say));
	out->full = str_dup(c->a, say);
	if (code.n > 0)
		e->reason = str_c(c->a, code);
	out->detail = json_new(c->a);
	json_open_object(out->detail, NULL);
	if (json_parse_bool(json_parse_member(v, "retry_safe"), &safe))
		json_put_bool(out->detail, "retry_safe", safe);
	if (json_parse_int(json_parse_member(v, "retry_after"), &after))
		json_put_int(out->detail, "retry_after", after);
	json_close_object(out->detail);
	return -1;
}

static int
gateway_take(const struct agents_call *c, const struct http_local_answer *x,
    struct agents_answer *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;

	if (json_parse_open(x->body, LIMIT_MESSAGE, &d, e) < 0 ||
	    !json_parse_is_object(json_parse_root(d))) {
		(void)err_set(e, ERR_NETWORK, "the answer is no JSON object");
		return gateway_lost(c, e);
	}
	if (x->status != 200)
		return gateway_refused(c, json_parse_root(d), x->status, out,
		    e);
	out->path = "gateway_backed";
	out->model = x->body;
	return 0;
}

int
agents_gateway_call(const struct agents_call *c, const struct agents_gateway *g,
    struct agents_answer *out, struct err *e)
{
	const char *path = str_fmt(c->a, "/v1/mail/%s", c->verb->route).p;
	int64_t end = clock_mono_ms() + LIMIT_AGENTS_CALL_MS;
	struct str body = { 0 };
	struct http_local_answer x;

	if (!c->verb->is_get)
		body = agents_request(&c->args, c->a);
	if ((g->local ? gateway_ask_socket(g, path, body, end, c->a, &x, e)
		      : gateway_ask_tcp(g, path, body, true, end, c->a, &x,
			    e)) < 0)
		return gateway_lost(c, e);
	return gateway_take(c, &x, out, e);
}

void
agents_gateway_put(const struct agents_gateway *g, bool extensions,
    struct json *j)
{
	const struct instance *x = &g->instance;

	json_open_object(j, "gateway");
	json_put_text(j, "source", "current_instance_record");
	json_put_str(j, "host", x->host);
	json_put_int(j, "port", x->port);
	json_put_str(j, "base_url", x->base_url);
	json_put_text(j, "protocol_version", "v1");
	json_put_str(j, "state_path", x->state_path);
	if (extensions && x->token_file.n > 0) {
		json_open_object(j, "auth");
		json_put_text(j, "scheme", "bearer");
		json_put_str(j, "token_file", x->token_file);
		json_close_object(j);
		json_put_str(j, "unix_socket", x->socket);
	}
	json_close_object(j);
}
