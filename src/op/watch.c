/* SPDX-License-Identifier: Apache-2.0 */
/* emcli watch: waits until mail that may be seen is new, and says its uids. */
#include "gate/watch.h"
#include "op/fields.h"
#include "op/internal.h"

static const struct arg_spec args[] = {
	FIELDS_ARG_ACCOUNT,
	{ "folder", ARG_FOLDER, .help = "folder to watch", .def = "INBOX" },
	{ "cursor", ARG_TEXT,
	    .help = "the cursor of the reply before: what came since then is "
		    "new; without it, what comes from now on" },
	{ "timeout", ARG_COUNT,
	    .help = "seconds to wait at most; a model's tool waits 50 at most",
	    .max = LIMIT_WATCH_CALL_S, .def = "25" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field event[] = {
	{ "kind", FIELD_TEXT, .help = "new" },
	{ "folder", FIELD_TEXT, .help = "where it is" },
	{ "uid", FIELD_INT, .help = "number of the message in its folder" },
	{ 0 },
};

static const struct field result[] = {
	{ "events", FIELD_OBJECTS,
	    .help = "messages that are new, oldest first, 100 at most; more "
		    "are in the next reply",
	    .sub = event },
	{ "cursor", FIELD_TEXT, .help = "pass as `cursor` to go on from here" },
	{ "timed_out", FIELD_BOOL,
	    .help = "the time is over, and nothing is new" },
	FIELDS_WARNINGS,
	{ 0 },
};

static int
watch_op_run(struct call *c, struct json *out, struct err *e)
{
	const struct watch_query q = {
		.folder = args_text(c->args, "folder"),
		.cursor = args_text(c->args, "cursor"),
		.wait_ms = 1000LL * args_count(c->args, "timeout", 25),
	};
	struct watch_news news;

	if (watch_run(c->mailbox, &q, &news, e) < 0)
		return -1;
	json_open_array(out, "events");
	for (size_t i = 0; i < news.n; i++) {
		json_open_object(out, NULL);
		json_put_text(out, "kind", "new");
		json_put_str(out, "folder", q.folder);
		json_put_int(out, "uid", news.uid[i]);
		json_close_object(out);
	}
	json_close_array(out);
	json_put_str(out, "cursor", news.cursor);
	json_put_bool(out, "timed_out", news.timed_out);
	return 0;
}

const struct op op_watch = {
	.name = "watch",
	.summary = "Wait for new mail",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.skill = "mail-read",
	.follows = "cursor",
	.args = args,
	.result = result,
	.run = watch_op_run,
};
