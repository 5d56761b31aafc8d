/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/gateway_notifier_args.h"

#include "base/clock.h"
#include "base/path.h"
#include "runtime/notifier.h"

static void
gateway_notifier_args_say(struct call *c, const struct session *x,
    const struct notifier_status *s, bool running)
{
	struct arena *a = c->arena;

	gate_say_pair(c, "session", x->id);
	gate_say_pair(c, "gateway", running ? S("running") : S("not running"));
	gate_say_pair(c, "notifier", s->settings.enabled ? S("on") : S("off"));
	if (s->set)
		gate_say_pair(c, "interval",
		    str_fmt(a, "%lld s", (long long)s->settings.interval_s));
	if (s->settings.renotify_s > 0)
		gate_say_pair(c, "told again after",
		    str_fmt(a, "%lld s", (long long)s->settings.renotify_s));
	if (s->settings.snooze_until > 0)
		gate_say_pair(c, "quiet until",
		    clock_rfc3339(a, s->settings.snooze_until));
	if (s->state.polled_s > 0)
		gate_say_pair(c, "last poll",
		    clock_rfc3339(a, s->state.polled_s));
	if (s->state.notified_s > 0)
		gate_say_pair(c, "last told",
		    clock_rfc3339(a, s->state.notified_s));
	if (s->state.error.n > 0)
		gate_say_pair(c, "last error", s->state.error);
	if (!s->supported)
		gate_say(c, GATE_BAD, "the agent cannot be told: %.*s",
		    STR_ARG(s->why));
	else if (s->settings.enabled && !running)
		gate_say(c, GATE_NEXT, "emcli gateway start begins it");
}

static int
gateway_notifier_args_put(struct call *c, const struct session *x, int folder,
    struct json *out, struct err *e)
{
	struct notifier_status s;
	struct instance i;
	bool running;

	if (notifier_status(folder, &x->manifest, c->arena, &s, e) < 0)
		return -1;
	running = gateway_args_read(c->arena, x, &i, &(struct err){ 0 }) == 0;
	json_put_str(out, "session_id", x->id);
	json_put_bool(out, "running", running);
	notifier_status_put(&s, c->arena, out);
	gateway_notifier_args_say(c, x, &s, running);
	return 0;
}

int
gateway_notifier_args_do(struct call *c, struct json *out,
    int (*change)(struct call *c, const struct session *x, int folder,
	struct err *e),
    struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	CLEANUP(path_close) int folder = -1;
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	if (r == 0 && x.is == SESSION_IS_DAMAGED)
		r = err_set(e, ERR_CONFIG, "the session is damaged: %.*s",
		    STR_ARG(str_first(x.why, 90)));
	if (r == 0) {
		folder = session_folder(&s, &x, false, e);
		r = folder < 0 ? -1 : 0;
	}
	if (r == 0 && change != NULL) {
		c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
		r = change(c, &x, folder, e);
	}
	if (r == 0)
		r = gateway_notifier_args_put(c, &x, folder, out, e);
	session_args_close(c, &s);
	return r;
}
