/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/place.h"

#define VERSION 1

int
instance_folder(int session, bool make, struct err *e)
{
	return place_folder(session, INSTANCE_FOLDER, make, e);
}

int
instance_run(int session, bool make, struct err *e)
{
	CLEANUP(path_close) int fd = instance_folder(session, make, e);

	return fd < 0 ? -1 : place_folder(fd, INSTANCE_RUN, make, e);
}

static int
instance_damaged(const char *name, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the gateway's %s is damaged", name);
	return err_hint(e, "emcli gateway start writes it again");
}

int
instance_load(int folder, const char *name, size_t max, struct arena *a,
    struct json_doc **out, struct err *e)
{
	CLEANUP(path_close)
	int fd = openat(folder, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct err why = { 0 };
	struct str text;
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return instance_damaged(name, e);
	if (path_read(fd, max, a, &text, e) < 0)
		return -1;
	return json_parse_open(text, max, out, &why) < 0
	    ? instance_damaged(name, e)
	    : 0;
}

static bool
instance_get_number(const struct json_value *v, const char *key, int64_t min,
    int64_t max, int64_t *out)
{
	return json_parse_int(json_parse_member(v, key), out) && *out >= min &&
	    *out <= max;
}

static bool
instance_get_text(const struct json_value *v, const char *key, struct str *out)
{
	return json_parse_str(json_parse_member(v, key), out);
}

static bool
instance_is_host(struct str s)
{
	return str_eq(s, S(INSTANCE_LOOPBACK)) || str_eq(s, S(INSTANCE_ANY));
}

/* -- which process --------------------------------------------------------- */

/* 1: it is not emcli's, or has ended. */
static int
instance_read_own(int run, struct arena *a, struct process *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v;
	int r = instance_load(run, INSTANCE_OWN, LIMIT_INSTANCE, a, &d, e);
	int64_t version, started;
	struct str boot;

	if (r != 0)
		return r;
	v = json_parse_root(d);
	if (!instance_get_number(v, "version", VERSION, VERSION, &version) ||
	    !instance_get_number(v, "pid", 1, INT32_MAX, &out->pid) ||
	    !instance_get_number(v, "started", 1, INT64_MAX, &started) ||
	    !instance_get_text(v, "boot", &boot) || boot.n == 0)
		return instance_damaged(INSTANCE_OWN, e);
	out->started = (uint64_t)started;
	out->boot = str_dup(a, boot);
	return 0;
}

bool
instance_is_alive(const struct instance *x)
{
	return x->process.boot.n > 0 && process_is_alive(&x->process);
}

/* -- where it listens ------------------------------------------------------ */

/* The path of an open folder, as the kernel knows it. */
static struct str
instance_path(int folder, struct arena *a)
{
	char at[64], path[PATH_MAX];
	ssize_t n;

	(void)snprintf(at, sizeof(at), "/proc/self/fd/%d", folder);
	n = readlink(at, path, sizeof(path));
	if (n <= 0 || (size_t)n == sizeof(path))
		return S("");
	return str_dup(a, (struct str){ path, (size_t)n });
}

void
instance_places(int session, struct arena *a, struct instance *x)
{
	struct str at = instance_path(session, a);

	/* Whoever asks for 0.0.0.0 reaches it on loopback all the same. */
	x->base_url = str_fmt(a, "http://%s:%u", INSTANCE_LOOPBACK, x->port);
	x->state_path =
	    str_fmt(a, "%.*s/" INSTANCE_FOLDER "/" INSTANCE_STATE, STR_ARG(at));
	x->socket = x->token_file = S("");
	if (x->process.boot.n == 0)
		return;
	x->socket = str_fmt(a,
	    "%.*s/" INSTANCE_FOLDER "/" INSTANCE_RUN "/" INSTANCE_SOCKET,
	    STR_ARG(at));
	x->token_file = str_fmt(a,
	    "%.*s/" INSTANCE_FOLDER "/" INSTANCE_RUN "/" INSTANCE_TOKEN,
	    STR_ARG(at));
}

static int
instance_get_current(const struct json_value *v, struct arena *a,
    struct instance *x, int64_t *pid, struct err *e)
{
	struct str protocol, host;
	int64_t version, port;

	if (!instance_get_number(v, "schema_version", 1, 1, &version) ||
	    !instance_get_text(v, "protocol_version", &protocol) ||
	    !str_eq(protocol, S("v1")) ||
	    !instance_get_number(v, "pid", 1, INT32_MAX, pid) ||
	    !instance_get_text(v, "host", &host) || !instance_is_host(host) ||
	    !instance_get_number(v, "port", 1, 65535, &port) ||
	    !instance_get_number(v, "managed_agent_instance_epoch", 1,
		INT64_MAX, &x->epoch))
		return instance_damaged(INSTANCE_CURRENT, e);
	x->host = str_dup(a, host);
	x->port = (uint32_t)port;
	return 0;
}

static int
instance_read_run(int session, int run, struct arena *a, struct instance *x,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	int r = instance_load(run, INSTANCE_CURRENT, LIMIT_INSTANCE, a, &d, e);
	struct process own = { 0 };
	int64_t pid = 0;

	if (r == 0)
		r = instance_get_current(json_parse_root(d), a, x, &pid, e);
	if (r != 0)
		return r;
	r = instance_read_own(run, a, &own, e);
	if (r < 0)
		return -1;
	/* Another program's gateway may have replaced the record. */
	if (r == 0 && own.pid == pid)
		x->process = own;
	else
		x->process = (struct process){ .pid = pid, .boot = S("") };
	instance_places(session, a, x);
	return 0;
}

int
instance_read(int session, struct arena *a, struct instance *out, struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close) int run = instance_run(session, false, &why);
	struct instance x = { 0 };
	int r;

	if (run < 0 && why.kind == ERR_NOT_FOUND)
		return 1;
	if (run < 0) {
		*e = why;
		return -1;
	}
	r = instance_read_run(session, run, a, &x, e);
	if (r == 0)
		*out = x;
	return r;
}

int
instance_process(int session, struct arena *a, struct process *out,
    struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close) int run = instance_run(session, false, &why);

	if (run < 0 && why.kind == ERR_NOT_FOUND)
		return 1;
	if (run < 0) {
		*e = why;
		return -1;
	}
	return instance_read_own(run, a, out, e);
}

int
instance_desired_read(int session, struct arena *a,
    struct instance_desired *out, struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close) int folder = instance_folder(session, false, &why);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v, *one;
	struct str host = S(INSTANCE_LOOPBACK);
	int64_t version, port = 0;
	int r;

	if (folder < 0 && why.kind == ERR_NOT_FOUND)
		return 1;
	if (folder < 0) {
		*e = why;
		return -1;
	}
	r = instance_load(folder, INSTANCE_DESIRED, LIMIT_INSTANCE, a, &d, e);
	if (r != 0)
		return r;
	v = json_parse_root(d);
	if (!instance_get_number(v, "schema_version", 1, 1, &version))
		return instance_damaged(INSTANCE_DESIRED, e);
	one = json_parse_member(v, "desired_host");
	if (one != NULL && !json_parse_is_null(one) &&
	    (!json_parse_str(one, &host) || !instance_is_host(host)))
		return instance_damaged(INSTANCE_DESIRED, e);
	one = json_parse_member(v, "desired_port");
	if (one != NULL && !json_parse_is_null(one) &&
	    !instance_get_number(v, "desired_port", 1, 65535, &port))
		return instance_damaged(INSTANCE_DESIRED, e);
	*out = (struct instance_desired){ str_dup(a, host), (uint32_t)port };
	return 0;
}
