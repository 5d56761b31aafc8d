/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of the audit log that emcli itself cannot change: one line of JSON for
 * each finished row, with its link, so that the chain can be compared with it
 * later.  A row contains no secret.  syslog(3) does not report whether a line
 * arrived, so nothing waits for it.
 */
#include <syslog.h>

#include "base/json.h"
#include "base/utf8.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/internal.h"

enum {
	TARGET_MAX = 2000, /* fits into a line of any syslog */
	DETAIL_MAX = 400
};

int
audit_syslog_on(struct store *s, bool *on, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str text;
	int r = store_setting_get(s, a, S("audit_syslog"), &text, e);

	*on = r == 1 && str_eq(text, S("on"));
	return r < 0 ? -1 : 0;
}

void
audit_syslog_say(const struct store_audit *row, int64_t seq, struct str hash)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct json *j = json_new(a);
	struct str line;

	json_open_object(j, NULL);
	json_put_int(j, "id", row->id);
	json_put_str(j, "time", row->ts);
	json_put_str(j, "principal", row->principal);
	json_put_str(j, "account", row->account);
	json_put_str(j, "action", row->action);
	json_put_str(j, "target", utf8_first(row->target, TARGET_MAX));
	json_put_str(j, "result", row->result);
	json_put_str(j, "reason", row->reason);
	json_put_str(j, "outcome", row->outcome);
	json_put_str(j, "detail", utf8_first(row->detail, DETAIL_MAX));
	json_put_int(j, "seq", seq);
	json_put_str(j, "hash", hash);
	json_close_object(j);
	line = json_text(j, a);
	openlog("emcli", LOG_PID, LOG_AUTHPRIV);
	syslog(LOG_INFO, "%.*s", STR_ARG(line));
	closelog();
}
