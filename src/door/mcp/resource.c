/* SPDX-License-Identifier: Apache-2.0 */
/* A file of a skill as a resource: its URI and its entry in lists. */
#include "door/mcp/resource.h"
#include "door/mcp/sight.h"

#define SCHEME "skill://"

struct str
mcp_resource_uri(struct arena *a, const struct skill *s, const char *path)
{
	return str_fmt(a, SCHEME "%s/%s", s->name, path);
}

/* By exact spelling: no other is accepted, so no path can climb out. */
const struct skill *
mcp_resource_of(const struct mcp_request *q, struct str uri, struct str *path)
{
	uint64_t mine = mcp_sight_mine(q, false);
	const struct skill *s;
	struct str name;

	if (!str_starts(uri, S(SCHEME)))
		return NULL;
	(void)str_cut(str_from(uri, sizeof(SCHEME) - 1), '/', &name, path);
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		if ((mine >> i & 1) && str_eq(str_of(s->name), name))
			return s;
	return NULL;
}

void
mcp_resource_put(struct json *j, struct arena *a, const struct skill *s,
    const char *path, struct str text)
{
	bool main_file = str_eq(str_of(path), S(MCP_RESOURCE_MAIN));

	json_open_object(j, NULL);
	json_put_str(j, "uri", mcp_resource_uri(a, s, path));
	json_put_text(j, "name", main_file ? s->name : path);
	if (main_file)
		json_put_text(j, "description", s->description);
	json_put_text(j, "mimeType", "text/markdown");
	json_put_int(j, "size", (int64_t)text.n);
	json_close_object(j);
}
