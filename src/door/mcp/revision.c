/* SPDX-License-Identifier: Apache-2.0 */
/* The supported revisions, and the era of each. */
#include "door/mcp/internal.h"

/* Other revisions get the last of their era as an offer. */
static const struct revision {
	const char *name;
	enum mcp_era era;
} revisions[] = {
	{ "2025-06-18", MCP_LEGACY },
	{ "2025-11-25", MCP_LEGACY },
	{ "2026-07-28", MCP_MODERN },
};

enum {
	REVISIONS = sizeof(revisions) / sizeof(revisions[0])
};

bool
mcp_revision_speaks(struct str version, enum mcp_era era)
{
	for (size_t i = 0; i < REVISIONS; i++)
		if (revisions[i].era == era &&
		    str_eq(str_of(revisions[i].name), version))
			return true;
	return false;
}

void
mcp_revision_put_info(struct json *j, const char *key)
{
	json_open_object(j, key);
	json_put_text(j, "name", "emcli");
	json_put_text(j, "version", EMCLI_VERSION);
	json_close_object(j);
}

void
mcp_revision_put_modern(struct json *j, const char *key)
{
	json_open_array(j, key);
	for (size_t i = 0; i < REVISIONS; i++)
		if (revisions[i].era == MCP_MODERN)
			json_put_text(j, NULL, revisions[i].name);
	json_close_array(j);
}

const char *
mcp_revision_legacy(struct str version)
{
	const char *speak = NULL;

	for (size_t i = 0; i < REVISIONS; i++)
		if (revisions[i].era == MCP_LEGACY) {
			speak = revisions[i].name;
			if (str_eq(str_of(speak), version))
				break;
		}
	return speak;
}
