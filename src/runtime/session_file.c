/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/path.h"
#include "runtime/session.h"

#define NEW ".session.json.new"
#define VERSION 1

static const char *const steps[] = {
	[SESSION_NONE] = "",
	[SESSION_MAILBOX] = "mailbox",
	[SESSION_ACCOUNT] = "account",
	[SESSION_MANIFEST] = "manifest",
	[SESSION_GATEWAY] = "gateway",
	[SESSION_LAUNCH] = "launch",
	[SESSION_STARTED] = "started",
	[SESSION_STOPPED] = "stopped",
};

static void
session_file_put_change(struct json *j, const struct session_change *v)
{
	if (!v->is) {
		json_put_null(j, "change");
		return;
	}
	json_open_object(j, "change");
	json_put_str(j, "root", v->root);
	json_put_str(j, "address", v->address);
	json_put_bool(j, "registered_new", v->registered_new);
	json_put_str(j, "account", v->account);
	json_put_bool(j, "account_new", v->account_new);
	json_put_bool(j, "account_moved", v->account_moved);
	json_put_str(j, "before", v->before);
	json_put_str(j, "principal", v->principal);
	json_close_object(j);
}

static struct str
session_file_text(const struct session_state *v, struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "version", VERSION);
	json_put_text(j, "step", steps[v->step]);
	json_put_int(j, "pid", v->process.pid);
	json_put_int(j, "started", (int64_t)v->process.started);
	json_put_str(j, "boot", v->process.boot);
	json_put_int(j, "generation", v->generation);
	json_put_str(j, "account", v->account);
	json_put_bool(j, "account_new", v->account_new);
	json_put_bool(j, "registered_new", v->registered_new);
	json_put_str(j, "root", v->root);
	json_put_str(j, "address", v->address);
	json_put_str(j, "attach_dir", v->attach_dir);
	json_put_str(j, "bindings_version", v->version);
	session_file_put_change(j, &v->change);
	json_put_str(j, "tmux", v->tmux);
	json_close_object(j);
	return json_text(j, a);
}

int
session_file_write(int folder, const struct session_state *v, struct arena *a,
    struct err *e)
{
	/* A writer that was killed may have left it. */
	path_folder_drop(folder, NEW);
	if (path_folder_new(folder, NEW, session_file_text(v, a), e) != 0 ||
	    fchmodat(folder, NEW, 0600, 0) < 0 ||
	    renameat(folder, NEW, folder, SESSION_FILE) < 0) {
		int why = errno;

		path_folder_drop(folder, NEW);
		errno = why;
		(void)err_set(e, ERR_CONFIG,
		    "the session's state cannot be written");
		return err_errno(e, SESSION_FILE);
	}
	return path_folder_sync(folder, e);
}

int
session_file_started(int folder, struct session_state *v,
    const struct process *p, struct arena *a, struct err *e)
{
	v->process = *p;
	v->step = SESSION_STARTED;
	v->generation++;
	return session_file_write(folder, v, a, e);
}

static bool
session_file_get_step(const struct json_value *v, enum session_step *out)
{
	struct str s;

	if (!json_parse_str(v, &s))
		return false;
	for (size_t i = SESSION_MAILBOX; i < sizeof(steps) / sizeof(steps[0]);
	     i++)
		if (str_eq(s, str_of(steps[i]))) {
			*out = (enum session_step)i;
			return true;
		}
	return false;
}

static bool
session_file_get_text(const struct json_value *v, const char *key,
    struct arena *a, struct str *out)
{
	struct str s;

	if (!json_parse_str(json_parse_member(v, key), &s))
		return false;
	*out = str_dup(a, s);
	return true;
}

/* Files of before have none. */
static bool
session_file_get_change(const struct json_value *v, struct arena *a,
    struct session_change *x)
{
	if (v == NULL || json_parse_is_null(v))
		return true;
	x->is = true;
	return session_file_get_text(v, "root", a, &x->root) &&
	    session_file_get_text(v, "address", a, &x->address) &&
	    json_parse_bool(json_parse_member(v, "registered_new"),
		&x->registered_new) &&
	    session_file_get_text(v, "account", a, &x->account) &&
	    json_parse_bool(json_parse_member(v, "account_new"),
		&x->account_new) &&
	    json_parse_bool(json_parse_member(v, "account_moved"),
		&x->account_moved) &&
	    session_file_get_text(v, "before", a, &x->before) &&
	    session_file_get_text(v, "principal", a, &x->principal);
}

static bool
session_file_get(const struct json_value *v, struct arena *a,
    struct session_state *x)
{
	int64_t version, started;

	if (!json_parse_int(json_parse_member(v, "version"), &version) ||
	    version != VERSION ||
	    !session_file_get_step(json_parse_member(v, "step"), &x->step) ||
	    !json_parse_int(json_parse_member(v, "pid"), &x->process.pid) ||
	    x->process.pid < 0 || x->process.pid > INT32_MAX ||
	    !json_parse_int(json_parse_member(v, "started"), &started) ||
	    !json_parse_int(json_parse_member(v, "generation"),
		&x->generation) ||
	    !json_parse_bool(json_parse_member(v, "account_new"),
		&x->account_new) ||
	    !json_parse_bool(json_parse_member(v, "registered_new"),
		&x->registered_new))
		return false;
	x->process.started = (uint64_t)started;
	/* Earlier versions had none. */
	if (json_parse_member(v, "tmux") != NULL &&
	    !session_file_get_text(v, "tmux", a, &x->tmux))
		return false;
	return session_file_get_text(v, "boot", a, &x->process.boot) &&
	    session_file_get_text(v, "account", a, &x->account) &&
	    session_file_get_text(v, "root", a, &x->root) &&
	    session_file_get_text(v, "address", a, &x->address) &&
	    session_file_get_text(v, "attach_dir", a, &x->attach_dir) &&
	    (json_parse_member(v, "bindings_version") == NULL ||
		session_file_get_text(v, "bindings_version", a, &x->version)) &&
	    session_file_get_change(json_parse_member(v, "change"), a,
		&x->change);
}

int
session_file_read(int folder, struct arena *a, struct session_state *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = openat(folder, SESSION_FILE,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct session_state v = { 0 };
	struct err why = { 0 };
	struct stat st;
	struct str text;

	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no such session");
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    path_read(fd, LIMIT_SESSION_FILE, a, &text, &why) < 0 ||
	    json_parse_open(text, LIMIT_SESSION_FILE, &d, &why) < 0 ||
	    !session_file_get(json_parse_root(d), a, &v))
		return err_set(e, ERR_CONFIG,
		    "the session's state (" SESSION_FILE ") is damaged");
	*out = v;
	return 0;
}
