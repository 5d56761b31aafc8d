/* SPDX-License-Identifier: Apache-2.0 */
/* --since and --until of the commands on the audit log. */
#include "desk/audit_time.h"

#include "base/clock.h"
#include "source/since.h"

int
audit_time(const struct call *c, const char *name, bool end, struct str *out,
    struct err *e)
{
	struct str text = args_text(c->args, name);
	bool day = text.n == sizeof("2026-06-21") - 1;
	int64_t at;

	*out = S("");
	if (!args_has(c->args, name))
		return 0;
	if (!since_parse(text, clock_now(), &at))
		return err_set(e, ERR_USAGE,
		    "--%s takes a day, a time, or how long ago: "
		    "2026-06-21, 2026-06-21T10:00:00Z, or 1h, 2d, 3w",
		    name);
	*out = clock_rfc3339(c->arena, at + (!end ? 0 : day ? 86400 : 1));
	return 0;
}
