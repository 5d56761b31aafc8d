/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli health: can emcli work on this machine?  For a container and a
 * supervisor, which hold no key: nothing is unsealed, and no server of mail is
 * asked.  emcli doctor does that.
 */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "desk/desk.h"
#include "desk/session_args.h"
#include "runtime/instance.h"

static const struct arg_spec args[] = {
	{ "socket", ARG_TEXT,
	    .help = "a broker listens there; without it EMCLI_SOCKET, if that "
		    "is set" },
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field check[] = {
	{ "check", FIELD_TEXT, .help = "store, disk, broker or gateway" },
	{ "ok", FIELD_BOOL, .help = "did it succeed?" },
	{ "say", FIELD_TEXT, .help = "one sentence" },
	{ "next", FIELD_TEXT, .nullable = true, .help = "what to do about it" },
	{ 0 },
};

static const struct field result[] = {
	{ "ok", FIELD_BOOL, .help = "did every check succeed?" },
	{ "checks", FIELD_OBJECTS, .help = "in order", .sub = check },
	{ 0 },
};

struct report {
	struct call *c;
	struct json *out;
	size_t n, bad;
};

/* next: what to do about a fault, or NULL. */
static void
health_put_check(struct report *r, const char *what, bool ok, struct str say,
    const char *next)
{
	json_open_object(r->out, NULL);
	json_put_text(r->out, "check", what);
	json_put_bool(r->out, "ok", ok);
	json_put_str(r->out, "say", say);
	json_put_text(r->out, "next", next);
	json_close_object(r->out);
	gate_tell(r->c, "%s %s: %.*s", ok ? "ok   " : "FAULT", what,
	    STR_ARG(say));
	if (next != NULL)
		gate_tell(r->c, "      %s", next);
	r->n++;
	r->bad += !ok;
}

static void
health_put(struct report *r, const char *what, struct str say)
{
	health_put_check(r, what, true, say, NULL);
}

static void
health_put_fault(struct report *r, const char *what, const struct err *why)
{
	health_put_check(r, what, false, str_of(why->say), why->hint);
}

static void
health_look_store(struct report *r, const char *db)
{
	struct err why = { 0 };

	if (operate_owner_become(db, &why) < 0 || store_look(db, &why) < 0) {
		if (why.hint == NULL)
			(void)err_hint(&why,
			    "check EMCLI_DB, or restore a copy of the store: "
			    "see emcli(1), Copies of a store");
		health_put_fault(r, "store", &why);
		return;
	}
	health_put(r, "store", S("it opens, and can be written"));
}

/* Where the store is, so are what it logs and what is built from mail. */
static void
health_look_disk(struct report *r, const char *db)
{
	const char *slash = strrchr(db, '/');
	struct str folder = slash == NULL ? S(".")
	    : slash == db                 ? S("/")
			  : str_first(str_of(db), (size_t)(slash - db));
	struct statvfs fs;
	struct err why = { 0 };
	uint64_t room;

	if (statvfs(str_c(r->c->arena, folder), &fs) < 0) {
		if (errno == ENOENT)
			return; /* nor is there a store */
		(void)err_set(&why, ERR_CONFIG,
		    "the database's folder cannot be read");
		(void)err_hint(&why, "check EMCLI_DB");
		health_put_fault(r, "disk", &why);
		return;
	}
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= LIMIT_DISK_ROOM && (fs.f_files == 0 || fs.f_favail > 0)) {
		health_put(r, "disk",
		    str_fmt(r->c->arena, "%llu MiB are free for the store",
			(unsigned long long)(room >> 20)));
		return;
	}
	(void)err_set(&why, ERR_LIMIT,
	    room < LIMIT_DISK_ROOM
		? "only %llu MiB are free for the store"
		: "no more files can be made where the store is (%llu MiB are "
		  "free)",
	    (unsigned long long)(room >> 20));
	(void)err_hint(&why, "make room: what cannot be recorded is not done");
	health_put_fault(r, "disk", &why);
}

static void
health_look_broker(struct report *r, struct str socket)
{
	struct err why = { 0 };
	struct str json;

	/* ERR_POLICY: it answers, and tells an agent nothing of itself. */
	if (operate_door(r->c)->broker->status(socket, r->c->arena, &json,
		&why) < 0 &&
	    why.kind != ERR_POLICY)
		health_put_fault(r, "broker", &why);
	else
		health_put(r, "broker", S("it answers"));
}

/* A gateway that was started and not stopped. */
static void
health_look_gateway(struct report *r, const struct sessions *s,
    const struct session *x)
{
	struct instance i;
	struct err why = { 0 };
	CLEANUP(path_close) int fd = session_folder(s, x, false, &why);
	int is = fd < 0 ? -1 : instance_read(fd, r->c->arena, &i, &why);

	if (is == 1)
		return;
	if (is == 0 && instance_is_alive(&i) && instance_ask(fd, r->c->arena)) {
		health_put(r, "gateway",
		    str_fmt(r->c->arena, "that of session %.*s answers",
			STR_ARG(x->id)));
		return;
	}
	if (is == 0) {
		(void)err_set(&why, ERR_NETWORK,
		    "that of session %.*s does not answer", STR_ARG(x->id));
		(void)err_hint(&why,
		    "start it again: emcli gateway start --session, or forget "
		    "it: emcli gateway stop --session");
	}
	health_put_fault(r, "gateway", &why);
}

static void
health_look_gateways(struct report *r)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session *v = NULL;
	struct err why = { 0 };
	size_t n = 0;
	int is = session_open(&s, args_text(r->c->args, "runtime_root"), false,
	    NULL, r->c->arena, &why);

	if (is < 0 || (is == 0 && session_list(&s, &v, &n, &why) < 0))
		health_put_fault(r, "gateway", &why);
	for (size_t i = 0; i < n; i++)
		health_look_gateway(r, &s, &v[i]);
	session_close(&s);
}

static int
health_run(struct call *c, struct json *out, struct err *e)
{
	struct report r = { .c = c, .out = out };
	const struct env *env = operate_env(c);
	const char *db = env->db;
	struct str socket = args_text(c->args, "socket");

	if (socket.n == 0 && env_is_far(env))
		socket = str_of(env->socket);
	json_open_array(out, "checks");
	/* Whoever asks a broker may have no store. */
	if (!store_about_is_file(db)) {
		health_look_store(&r, db);
	} else if (socket.n == 0 || access(db, R_OK) == 0) {
		health_look_store(&r, db);
		health_look_disk(&r, db);
	}
	if (socket.n > 0)
		health_look_broker(&r, socket);
	health_look_gateways(&r);
	json_close_array(out);
	json_put_bool(out, "ok", r.bad == 0);
	return r.bad == 0
	    ? 0
	    : err_set(e, ERR_CONFIG, "%zu of %zu checks failed", r.bad, r.n);
}

const struct op desk_health = {
	.name = "health",
	.summary = "Check the store, the disk and what should run; needs no "
		   "key",
	.effect = EFFECT_OPERATE,
	.report = true,
	.args = args,
	.result = result,
	.run = health_run,
};
