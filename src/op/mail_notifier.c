/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The notifier of the session that the caller is bound to: how it is, on, off.
 * Nothing that a sender wrote can be made a part of what it types.
 */
#include <fcntl.h>

#include "base/limits.h"
#include "base/path.h"
#include "gate/notifier_fields.h"
#include "op/internal.h"
#include "op/mail.h"
#include "runtime/notifier.h"

#define MAIL_NOTIFIER_ARGS                                                     \
	{ "schema_version", ARG_COUNT, 0, "1", .min = 1, .max = 1,             \
		.def = "1" },                                                  \
	{                                                                      \
		"extensions", ARG_FLAG, 0,                                     \
		    "also answer what the upstream program does not",          \
		    .def = NULL                                                \
	}

static const struct arg_spec args[] = { MAIL_NOTIFIER_ARGS, { 0 } };

static const struct arg_spec args_set[] = {
	MAIL_ARGS,
	{ "enabled", ARG_CHOICE, 0, "true", .choices = "true|false",
	    .def = "true" },
	{ "interval_seconds", ARG_COUNT, ARG_REQUIRED,
	    "seconds between two polls", .min = 1, .max = LIMIT_NOTIFIER_S,
	    .def = NULL },
	{ "renotify_seconds", ARG_COUNT, 0,
	    "tell again of the same messages; 0: never", .min = 0,
	    .max = LIMIT_NOTIFIER_S, .def = "0" },
	{ "snooze_until", ARG_DATE, 0, "tell nothing before, and then again",
	    .def = NULL },
	{ "mode", ARG_CHOICE, 0, "of the upstream program: both do the same",
	    .choices = "any_inbox|unread_only", .def = "any_inbox" },
	{ "context_error_policy", ARG_CHOICE, 0, "continue_current",
	    .choices = "continue_current|clear_context",
	    .def = "continue_current" },
	{ "pre_notification_context_action", ARG_CHOICE, 0, "none",
	    .choices = "none|compact", .def = "none" },
	{ "appendix_text", ARG_TEXT, ARG_EMPTY | ARG_QUIET,
	    "empty: only a fixed text is typed", .def = NULL },
	{ 0 },
};

static const struct field result[] = {
	NOTIFIER_FIELDS(true, "with extensions: "),
	{ 0 },
};

/* The open folder of the caller's session. */
static int
mail_notifier_open(struct call *c, struct manifest *m, struct err *e)
{
	const struct gate_binding *b = gate_caller_binding(c->gate);
	int fd;

	if (b == NULL || b->session.n == 0) {
		(void)err_set(e, ERR_CONFIG,
		    "this call is bound to no session of an agent");
		e->reason = "no_mailbox";
		return -1;
	}
	fd = path_dir_open(AT_FDCWD, str_c(c->arena, b->session));
	if (fd < 0) {
		(void)err_set(e, ERR_CONFIG, "the session cannot be opened");
		return err_errno(e, "open");
	}
	if (manifest_read(fd, c->arena, m, e) < 0)
		path_close(&fd);
	return fd;
}

static int
mail_notifier_put(struct call *c, int session, const struct manifest *m,
    struct json *out, struct err *e)
{
	struct notifier_status s;

	if (notifier_status(session, m, c->arena, &s, e) < 0)
		return -1;
	notifier_status_put(&s, c->arena, out);
	return 0;
}

static int
mail_notifier_run(struct call *c, struct json *out, struct err *e)
{
	struct manifest m = { 0 };
	CLEANUP(path_close) int session = mail_notifier_open(c, &m, e);

	return session < 0 ? -1 : mail_notifier_put(c, session, &m, out, e);
}

static int
mail_notifier_off_run(struct call *c, struct json *out, struct err *e)
{
	struct manifest m = { 0 };
	CLEANUP(path_close) int session = mail_notifier_open(c, &m, e);

	if (session < 0 || notifier_off(session, c->arena, e) < 0)
		return -1;
	return mail_notifier_put(c, session, &m, out, e);
}

/* What would change something else than when it tells. */
static int
mail_notifier_refuse(const struct call *c, struct err *e)
{
	static const struct {
		const char *arg, *only;
	} fixed[] = {
		{ "context_error_policy", "continue_current" },
		{ "pre_notification_context_action", "none" },
		{ "appendix_text", "" },
	};

	if (str_eq(args_text(c->args, "enabled"), S("false")))
		return err_set(e, ERR_USAGE,
		    "enabled is not true: DELETE switches it off");
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (!str_eq(args_text(c->args, fixed[i].arg),
			str_of(fixed[i].only)))
			return err_set(e, ERR_UNSUPPORTED,
			    "%s is not supported: the notifier types one fixed "
			    "text and does nothing else",
			    fixed[i].arg);
	return 0;
}

static int
mail_notifier_set_run(struct call *c, struct json *out, struct err *e)
{
	const struct notifier_settings v = {
		.enabled = true,
		.interval_s = args_count(c->args, "interval_seconds", 0),
		.renotify_s = args_count(c->args, "renotify_seconds", 0),
		.snooze_until = args_has(c->args, "snooze_until")
		    ? args_date(c->args, "snooze_until")
		    : 0,
	};
	struct manifest m = { 0 };
	struct mail_box b;
	CLEANUP(path_close) int session = -1;

	if (mail_begin(c, &b, e) < 0 || mail_notifier_refuse(c, e) < 0)
		return -1;
	session = mail_notifier_open(c, &m, e);
	if (session < 0 ||
	    notifier_status_check(session, &m, c->arena, e) < 0 ||
	    notifier_write(session, &v, c->arena, e) < 0)
		return -1;
	return mail_notifier_put(c, session, &m, out, e);
}

const struct op op_mail_notifier = {
	.name = "mail_notifier",
	.summary = "Show whether the agent is told of new mail",
	.effect = EFFECT_READ,
	.args = args,
	.result = result,
	.run = mail_notifier_run,
};

const struct op op_mail_notifier_set = {
	.name = "mail_notifier_set",
	.summary = "Have the agent told of new mail",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args_set,
	.result = result,
	.run = mail_notifier_set_run,
};

const struct op op_mail_notifier_off = {
	.name = "mail_notifier_off",
	.summary = "Tell the agent of new mail no more",
	.effect = EFFECT_READ,
	.args = args,
	.result = result,
	.run = mail_notifier_off_run,
};
