/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a gateway as they are written.  Names and members are
 * Houmao's, whose models forbid members that they do not know.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "runtime/instance.h"
#include "runtime/place.h"

int
instance_put(int folder, const char *name, struct str text, struct err *e)
{
	char new[64];

	(void)snprintf(new, sizeof(new), ".%s.new", name);
	/* A writer that was killed may have left it. */
	path_folder_drop(folder, new);
	/* The umask may have taken bits of the mode. */
	if (path_folder_new(folder, new, text, e) != 0 ||
	    fchmodat(folder, new, 0600, 0) < 0 ||
	    renameat(folder, new, folder, name) < 0) {
		int why = errno;

		path_folder_drop(folder, new);
		errno = why;
		(void)err_set(e, ERR_CONFIG,
		    "a record of the gateway cannot be written");
		return err_errno(e, name);
	}
	return path_folder_sync(folder, e);
}

static int
instance_put_json(int folder, const char *name, struct json *j, struct arena *a,
    struct err *e)
{
	struct str text;

	json_close_object(j);
	text = json_text(j, a);
	return instance_put(folder, name, str_fmt(a, "%.*s\n", STR_ARG(text)),
	    e);
}

static struct json *
instance_put_open(struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 1);
	return j;
}

int
instance_put_begin(int session, const struct process *p, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int run = instance_run(session, true, e);
	struct json *j = json_new(a);

	if (run < 0)
		return -1;
	json_open_object(j, NULL);
	json_put_int(j, "version", 1);
	json_put_int(j, "pid", p->pid);
	json_put_int(j, "started", (int64_t)p->started);
	json_put_str(j, "boot", p->boot);
	return instance_put_json(run, INSTANCE_OWN, j, a, e);
}

/* The members that attach.json and gateway_manifest.json have in common. */
static void
instance_put_attach(struct json *j, const struct instance *x,
    const struct manifest *m, struct str manifest_path)
{
	json_put_str(j, "attach_identity", m->session_id);
	json_put_str(j, "backend", m->backend);
	if (m->tmux.n > 0)
		json_put_str(j, "tmux_session_name", m->tmux);
	json_put_str(j, "working_directory", m->workdir);
	json_open_object(j, "backend_metadata");
	json_put_str(j, "session_id", m->session_id);
	json_put_str(j, "tool", m->tool);
	json_close_object(j);
	json_put_str(j, "manifest_path", manifest_path);
	json_put_str(j, "runtime_session_id", m->session_id);
	json_put_str(j, "desired_host", x->host);
	json_put_int(j, "desired_port", x->port);
}

/* x is NULL: nothing runs. */
static int
instance_put_state(int folder, const struct instance *x,
    const struct manifest *m, struct arena *a, struct err *e)
{
	struct json *j = instance_put_open(a);
	bool up = x != NULL;

	json_put_text(j, "protocol_version", "v1");
	json_put_str(j, "attach_identity", m->session_id);
	json_put_str(j, "backend", m->backend);
	if (m->tmux.n > 0)
		json_put_str(j, "tmux_session_name", m->tmux);
	json_put_text(j, "gateway_health", up ? "healthy" : "not_attached");
	json_put_text(j, "managed_agent_connectivity",
	    up ? "connected" : "unavailable");
	json_put_text(j, "managed_agent_recovery", "idle");
	json_put_text(j, "request_admission",
	    up ? "open" : "blocked_unavailable");
	json_put_text(j, "terminal_surface_eligibility", "unknown");
	json_put_text(j, "active_execution", "idle");
	json_put_text(j, "execution_mode", "detached_process");
	json_put_int(j, "queue_depth", 0);
	if (up) {
		json_put_str(j, "gateway_host", x->host);
		json_put_int(j, "gateway_port", x->port);
	}
	json_put_int(j, "managed_agent_instance_epoch", up ? x->epoch : 0);
	return instance_put_json(folder, INSTANCE_STATE, j, a, e);
}

static int
instance_put_lasting(int folder, const struct instance *x,
    const struct manifest *m, struct str manifest_path, struct arena *a,
    struct err *e)
{
	struct json *j = instance_put_open(a);

	json_put_str(j, "desired_host", x->host);
	json_put_int(j, "desired_port", x->port);
	if (instance_put_json(folder, INSTANCE_DESIRED, j, a, e) < 0)
		return -1;
	j = instance_put_open(a);
	instance_put_attach(j, x, m, manifest_path);
	if (instance_put_json(folder, "attach.json", j, a, e) < 0)
		return -1;
	j = instance_put_open(a);
	instance_put_attach(j, x, m, manifest_path);
	json_put_int(j, "gateway_pid", x->process.pid);
	json_put_str(j, "gateway_host", x->host);
	json_put_int(j, "gateway_port", x->port);
	json_put_text(j, "gateway_protocol_version", "v1");
	json_put_text(j, "gateway_execution_mode", "detached_process");
	if (instance_put_json(folder, "gateway_manifest.json", j, a, e) < 0)
		return -1;
	return instance_put(folder, "protocol-version.txt", S("v1\n"), e);
}

int
instance_put_all(int session, const struct instance *x,
    const struct manifest *m, struct str manifest_path, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int folder = instance_folder(session, true, e);
	CLEANUP(path_close) int run = -1;
	struct json *j = instance_put_open(a);

	if (folder < 0 || (run = instance_run(session, true, e)) < 0 ||
	    instance_put_lasting(folder, x, m, manifest_path, a, e) < 0 ||
	    instance_put_state(folder, x, m, a, e) < 0 ||
	    instance_put(run, INSTANCE_PID,
		str_fmt(a, "%lld\n", (long long)x->process.pid), e) < 0)
		return -1;
	json_put_text(j, "protocol_version", "v1");
	json_put_int(j, "pid", x->process.pid);
	json_put_str(j, "host", x->host);
	json_put_int(j, "port", x->port);
	json_put_text(j, "execution_mode", "detached_process");
	json_put_int(j, "managed_agent_instance_epoch", x->epoch);
	return instance_put_json(run, INSTANCE_CURRENT, j, a, e);
}

int
instance_put_clear(int session, const struct manifest *m, struct arena *a,
    struct err *e)
{
	static const char *const gone[] = { INSTANCE_CURRENT, INSTANCE_PID,
		INSTANCE_SOCKET, INSTANCE_TOKEN, INSTANCE_OWN };
	struct err why = { 0 };
	CLEANUP(path_close) int folder = instance_folder(session, false, &why);
	CLEANUP(path_close) int run = -1;

	if (folder >= 0)
		run = instance_run(session, false, &why);
	if (run < 0 && why.kind == ERR_NOT_FOUND)
		return 0;
	if (run < 0) {
		*e = why;
		return -1;
	}
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		path_folder_drop(run, gone[i]);
	return instance_put_state(folder, NULL, m, a, e);
}
