/* SPDX-License-Identifier: Apache-2.0 */
/* emcli's entry in YAML: an item of a list, or a member of a map. */
#include "base/buf.h"
#include "base/limits.h"
#include "desk/mcp_client.h"
#include "gate/turn.h"

/* JSON is valid YAML 1.2: only the name of each member is rewritten. */
struct str
mcp_client_yaml(const struct mcp_client *c, const struct mcp_client_server *s,
    struct arena *a)
{
	static const char *const keys[] = { "type", "command", "args", "env",
		"url", "headers", "requestOptions" };
	struct str json = mcp_client_json(c, s, a), value;
	struct buf b;

	buf_init(&b, a, LIMIT_ARGV);
	buf_text(&b,
	    c->format == MCP_CLIENT_YAML ? "- name: emcli\n" : "emcli:\n");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (span_member(json, keys[i], &value))
			buf_fmt(&b, "  %s: %.*s\n", keys[i], STR_ARG(value));
	return buf_view(&b);
}
