/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources/directory/read of SEP-2640: the contents of a skill's folder, one
 * level deep.  No folder is empty, and each has one spelling.
 */
#include "door/mcp/answers.h"
#include "door/mcp/resource.h"
#include "door/out.h"

/* The rest of a path below the folder. */
static bool
mcp_directory_is_below(const char *path, struct str folder, struct str *rest)
{
	*rest = str_of(path);
	if (folder.n == 0)
		return true;
	if (!str_starts(*rest, folder) || rest->n == folder.n ||
	    rest->p[folder.n] != '/')
		return false;
	*rest = str_from(*rest, folder.n + 1);
	return true;
}

/* Is it in a subfolder that an earlier file is in, too? */
static bool
mcp_directory_is_listed(const struct skill *s, const struct skill_file *file,
    struct str folder, struct str name)
{
	struct str rest, first;

	for (const struct skill_file *f = s->resources; f != file; f++)
		if (mcp_directory_is_below(f->path, folder, &rest) &&
		    str_cut(rest, '/', &first, &rest) && str_eq(first, name))
			return true;
	return false;
}

static void
mcp_directory_put_folder(struct json *j, struct arena *a, struct str parent,
    struct str name)
{
	json_open_object(j, NULL);
	json_put_str(j, "uri",
	    str_fmt(a, "%.*s/%.*s", STR_ARG(parent), STR_ARG(name)));
	json_put_str(j, "name", name);
	json_put_text(j, "mimeType", "inode/directory");
	json_close_object(j);
}

/* The number of entries in it. */
static size_t
mcp_directory_put_all(struct mcp_request *q, struct json *out,
    const struct skill *s, struct str uri, struct str folder)
{
	struct str rest, name;
	size_t n = folder.n == 0; /* its SKILL.md */

	if (n > 0)
		mcp_resource_put(out, q->a, s, MCP_RESOURCE_MAIN, s->file);
	for (const struct skill_file *f = s->resources; f->path != NULL; f++) {
		if (!mcp_directory_is_below(f->path, folder, &rest))
			continue;
		n++;
		if (!str_cut(rest, '/', &name, &rest))
			mcp_resource_put(out, q->a, s, f->path, f->text);
		else if (!mcp_directory_is_listed(s, f, folder, name))
			mcp_directory_put_folder(out, q->a, uri, name);
	}
	return n;
}

int
mcp_directory_read(struct mcp_request *q, struct json *out)
{
	const struct skill *s = NULL;
	struct str uri, folder;
	size_t n = 0;

	if (mcp_params_cursor(q) < 0 || mcp_params_text(q, "uri", &uri) < 0)
		return -1;
	if (!str_ends(uri, S("/")))
		s = mcp_resource_of(q, uri, &folder);
	json_open_array(out, "resources");
	if (s != NULL)
		n = mcp_directory_put_all(q, out, s, uri, folder);
	json_close_array(out);
	if (n > 0)
		return 0;
	return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS, "no folder %.*s",
	    STR_ARG(out_quote(q->a, uri)));
}
