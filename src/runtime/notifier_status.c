/* SPDX-License-Identifier: Apache-2.0 */
/* Can an agent be told of mail, and how is its notifier? */
#include "runtime/notifier.h"

#include "base/clock.h"
#include "base/limits.h"
#include "runtime/prompt_check.h"
#include "runtime/prompt_surface.h"
#include "runtime/session.h"

int
notifier_status_mailbox(int session, const struct manifest *m, struct arena *a,
    struct err *e)
{
	struct sessions s = {
		.a = a,
		.fd = -1,
		.place = { .fd = -1 },
		.use = { .deadline_ms =
			     clock_mono_ms() + LIMIT_SESSION_ROOT_MS },
	};

	if (m->mailbox.transport == TRANSPORT_NONE) {
		(void)err_set(e, ERR_CONFIG, "the session has no mailbox");
		e->reason = "no_mailbox";
		return -1;
	}
	if (m->mailbox.transport == TRANSPORT_STALWART)
		return prompt_check_credential(session, &m->mailbox, a, e);
	if (session_mailbox_check(&s, &m->mailbox, e) == 0)
		return 0;
	if (e->kind == ERR_NOT_FOUND)
		(void)err_set(e, ERR_CONFIG,
		    "the root of the session's mailbox is gone");
	if (e->kind == ERR_CONFIG)
		e->reason = "not_actionable";
	return -1;
}

int
notifier_status_check(int session, const struct manifest *m, struct arena *a,
    struct err *e)
{
	if (m->mailbox.transport != TRANSPORT_NONE &&
	    prompt_surface_check(m, e) < 0)
		return -1;
	return notifier_status_mailbox(session, m, a, e);
}

int
notifier_status(int session, const struct manifest *m, struct arena *a,
    struct notifier_status *out, struct err *e)
{
	struct err why = { 0 };
	int r;

	*out = (struct notifier_status){ .supported = true };
	r = notifier_read(session, a, &out->settings, e);
	if (r < 0)
		return -1;
	out->set = r == 0;
	/* Its own process begins a damaged one again. */
	if (notifier_state_read(session, a, &out->state, &why) < 0)
		out->state.error = str_fmt(a, "%s", why.say);
	why = (struct err){ 0 };
	if (notifier_status_check(session, m, a, &why) < 0 &&
	    (why.kind == ERR_CONFIG || why.kind == ERR_UNSUPPORTED)) {
		out->supported = false;
		out->why = str_fmt(a, "%s", why.say);
	}
	return 0;
}

void
notifier_status_put(const struct notifier_status *s, struct arena *a,
    struct json *j)
{
	json_put_bool(j, "enabled", s->settings.enabled);
	if (s->set)
		json_put_int(j, "interval_seconds", s->settings.interval_s);
	else
		json_put_null(j, "interval_seconds");
	json_put_bool(j, "supported", s->supported);
	json_put_str_or_null(j, "support_error", s->why);
	notifier_put_time(j, "last_poll_at_utc", a, s->state.polled_s);
	notifier_put_time(j, "last_notification_at_utc", a,
	    s->state.notified_s);
	json_put_str_or_null(j, "last_error", s->state.error);
	json_put_int(j, "renotify_seconds", s->settings.renotify_s);
	notifier_put_time(j, "snooze_until", a, s->settings.snooze_until);
}
