/* SPDX-License-Identifier: Apache-2.0 */
/* A session's gateway is asked whether it works. */
#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/path.h"
#include "net/http_local.h"
#include "runtime/instance.h"

bool
instance_ask_is_health(int status, struct str body)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct str protocol = { 0 }, said = { 0 };
	struct err none = { 0 };

	if (status != 200 ||
	    json_parse_open(body, LIMIT_INSTANCE, &d, &none) < 0)
		return false;
	(void)json_parse_str(json_parse_member(json_parse_root(d),
				 "protocol_version"),
	    &protocol);
	(void)json_parse_str(json_parse_member(json_parse_root(d), "status"),
	    &said);
	return str_eq(protocol, S("v1")) && str_eq(said, S("ok"));
}

bool
instance_ask(int session, struct arena *a)
{
	struct err none = { 0 };
	CLEANUP(path_close) int run = instance_run(session, false, &none);
	const struct http_local to = { .socket = INSTANCE_SOCKET,
		.folder = run };
	struct http_local_answer x;

	return run >= 0 &&
	    http_local_send(&to, "/health", (struct str){ 0 },
		clock_mono_ms() + LIMIT_AGENTS_LOOK_MS, a, &x, &none) == 0 &&
	    instance_ask_is_health(x.status, x.body);
}
