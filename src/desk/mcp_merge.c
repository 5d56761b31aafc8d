/* SPDX-License-Identifier: Apache-2.0 */
/* emcli's entry in the file of any client. */
#include "desk/mcp_merge.h"

int
mcp_merge(const struct mcp_client *to, const struct mcp_client_server *s,
    struct str text, struct arena *a, struct str *out, struct err *e)
{
	if (to->format == MCP_CLIENT_TOML)
		return mcp_merge_toml(text, to->section,
		    mcp_client_toml(to, s, a), a, out, e);
	if (to->format == MCP_CLIENT_YAML)
		return mcp_merge_yaml(text, to->section,
		    mcp_client_yaml(to, s, a), a, out, e);
	if (to->format == MCP_CLIENT_YAML_MAP)
		return mcp_merge_map(text, to->section,
		    mcp_client_yaml(to, s, a), a, out, e);
	return mcp_merge_json(text, to->section, mcp_client_json(to, s, a), a,
	    out, e);
}
