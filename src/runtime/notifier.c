/* SPDX-License-Identifier: Apache-2.0 */
/* The notifier's settings and its state, each a file of its own. */
#include "runtime/notifier.h"

#include <errno.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "runtime/instance.h"

#define DIGEST 64 /* digits of a SHA-256 */

const char *
notifier_outcome(enum notifier_outcome o)
{
	static const char *const names[] = {
		[NOTIFIER_DISABLED] = "disabled",
		[NOTIFIER_EMPTY] = "empty",
		[NOTIFIER_DEDUP_SKIP] = "dedup_skip",
		[NOTIFIER_BUSY_SKIP] = "busy_skip",
		[NOTIFIER_ENQUEUED] = "enqueued",
		[NOTIFIER_POLL_ERROR] = "poll_error",
	};

	return names[o];
}

/* -- members --------------------------------------------------------------- */

static bool
notifier_get_number(const struct json_value *v, int64_t min, int64_t *out)
{
	return json_parse_int(v, out) && *out >= min &&
	    *out <= LIMIT_NOTIFIER_S;
}

/* null is 0. */
static bool
notifier_get_time(const struct json_value *v, int64_t *out)
{
	struct str s;

	*out = 0;
	return json_parse_is_null(v) ||
	    (json_parse_str(v, &s) && clock_parse(s, out) && *out > 0);
}

void
notifier_put_time(struct json *j, const char *key, struct arena *a, int64_t at)
{
	json_put_str_or_null(j, key, at > 0 ? clock_rfc3339(a, at) : S(""));
}

static bool
notifier_get_version(const struct json_value *v)
{
	int64_t version;

	return json_parse_int(v, &version) && version == 1;
}

static bool
notifier_get_setting(struct str key, const struct json_value *v,
    struct notifier_settings *out)
{
	if (str_eq(key, S("schema_version")))
		return notifier_get_version(v);
	if (str_eq(key, S("enabled")))
		return json_parse_bool(v, &out->enabled);
	if (str_eq(key, S("interval_seconds")))
		return notifier_get_number(v, 1, &out->interval_s);
	if (str_eq(key, S("renotify_seconds")))
		return notifier_get_number(v, 0, &out->renotify_s);
	return str_eq(key, S("snooze_until")) &&
	    notifier_get_time(v, &out->snooze_until);
}

static bool
notifier_get_known(const struct json_value *v, struct arena *a,
    struct strs *out)
{
	size_t n = json_parse_count(v);
	struct str s;

	if (!json_parse_is_array(v) || n > LIMIT_NOTIFIER_REFS)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!json_parse_str(json_parse_item(v, i), &s) || s.n != DIGEST)
			return false;
		str_push(a, out, str_dup(a, s));
	}
	return true;
}

static bool
notifier_get_done(struct str key, const struct json_value *v, struct arena *a,
    struct notifier_state *out)
{
	struct str s = { 0 };

	if (str_eq(key, S("schema_version")))
		return notifier_get_version(v);
	if (str_eq(key, S("last_poll_at_utc")))
		return notifier_get_time(v, &out->polled_s);
	if (str_eq(key, S("last_notification_at_utc")))
		return notifier_get_time(v, &out->notified_s);
	if (str_eq(key, S("notified")))
		return notifier_get_known(v, a, &out->known);
	if (!str_eq(key, S("last_error")) ||
	    (!json_parse_is_null(v) && !json_parse_str(v, &s)))
		return false;
	out->error = str_dup(a, s);
	return true;
}

/* -- files ----------------------------------------------------------------- */

static int
notifier_damaged(const char *name, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the record %s of the gateway is damaged",
	    name);
	return err_hint(e,
	    "emcli gateway notifier on writes its settings "
	    "again; its state is begun again at the next poll");
}

/* 1: there is no such file. */
static int
notifier_load(int session, const char *name, struct arena *a,
    struct json_doc **out, struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close) int folder = instance_folder(session, false, &why);
	int r;

	if (folder < 0 && why.kind == ERR_NOT_FOUND)
		return 1;
	if (folder < 0) {
		*e = why;
		return -1;
	}
	r = instance_load(folder, name, LIMIT_NOTIFIER_FILE, a, out, &why);
	return r < 0 ? notifier_damaged(name, e) : r;
}

int
notifier_read(int session, struct arena *a, struct notifier_settings *out,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct notifier_settings v = { 0 };
	const struct json_value *one;
	struct str key = { 0 };
	bool good = true;
	int r = notifier_load(session, NOTIFIER_SETTINGS, a, &d, e);

	if (r == 0)
		while (
		    (one = json_parse_next(json_parse_root(d), &key)) != NULL)
			good = good && notifier_get_setting(key, one, &v);
	if (r == 0 && (!good || v.interval_s == 0))
		return notifier_damaged(NOTIFIER_SETTINGS, e);
	if (r >= 0)
		*out = v;
	return r;
}

int
notifier_state_read(int session, struct arena *a, struct notifier_state *out,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct notifier_state v = { 0 };
	const struct json_value *one;
	struct str key = { 0 };
	bool good = true;
	int r = notifier_load(session, NOTIFIER_STATE, a, &d, e);

	if (r == 0)
		while (
		    (one = json_parse_next(json_parse_root(d), &key)) != NULL)
			good = good && notifier_get_done(key, one, a, &v);
	if (r == 0 && (!good || !json_parse_is_object(json_parse_root(d))))
		return notifier_damaged(NOTIFIER_STATE, e);
	if (r >= 0)
		*out = v;
	return r;
}

static int
notifier_put(int folder, const char *name, struct json *j, struct arena *a,
    struct err *e)
{
	json_close_object(j);
	return instance_put(folder, name,
	    str_fmt(a, "%.*s\n", STR_ARG(json_text(j, a))), e);
}

static int
notifier_put_settings(int folder, const struct notifier_settings *v,
    struct arena *a, struct err *e)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 1);
	json_put_bool(j, "enabled", v->enabled);
	json_put_int(j, "interval_seconds", v->interval_s);
	json_put_int(j, "renotify_seconds", v->renotify_s);
	notifier_put_time(j, "snooze_until", a, v->snooze_until);
	return notifier_put(folder, NOTIFIER_SETTINGS, j, a, e);
}

int
notifier_state_write(int session, const struct notifier_state *v,
    struct arena *a, struct err *e)
{
	CLEANUP(path_close) int folder = instance_folder(session, true, e);
	struct json *j = json_new(a);

	if (folder < 0)
		return -1;
	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 1);
	notifier_put_time(j, "last_poll_at_utc", a, v->polled_s);
	notifier_put_time(j, "last_notification_at_utc", a, v->notified_s);
	json_put_str_or_null(j, "last_error", v->error);
	json_put_strs(j, "notified", &v->known);
	return notifier_put(folder, NOTIFIER_STATE, j, a, e);
}

/* The open folder, in which nobody else writes settings meanwhile. */
static int
notifier_lock(int session, struct err *e)
{
	int folder = instance_folder(session, true, e);
	int64_t end = clock_mono_ms() + LIMIT_NOTIFIER_LOCK_MS;

	while (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) < 0) {
		if (clock_left_ms(end) > 0) {
			(void)usleep(10000);
			continue;
		}
		path_close(&folder);
		(void)err_set(e, ERR_DB,
		    "somebody else is changing the notifier: try again");
		e->reason = "locked";
	}
	return folder;
}

int
notifier_write(int session, const struct notifier_settings *v, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int folder = notifier_lock(session, e);

	return folder < 0 ? -1 : notifier_put_settings(folder, v, a, e);
}

int
notifier_off(int session, struct arena *a, struct err *e)
{
	struct notifier_settings v = { 0 };
	CLEANUP(path_close) int folder = -1;
	int r = notifier_read(session, a, &v, e);

	if (r != 0 || !v.enabled)
		return r < 0 ? -1 : 0;
	folder = notifier_lock(session, e);
	/* As they are by now. */
	if (folder < 0 || notifier_read(session, a, &v, e) < 0)
		return -1;
	v.enabled = false;
	return notifier_put_settings(folder, &v, a, e);
}
