/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Skills as resources: skill://NAME/FILE, and the extension of SEP-2640. Texts
 * and digests are compiled in together, so that a list, a digest and the bytes
 * read always agree.
 */
#include "base/utf8.h"
#include "door/mcp/answers.h"
#include "door/mcp/resource.h"
#include "door/mcp/sight.h"
#include "door/out.h"

/* One page has room for all; a set of skills is a bit mask. */
#define HAS(set, i) (((set) >> (i)) & 1)

/* One file of a skill; `file` is NULL for SKILL.md. */
struct place {
	const struct skill *skill;
	const struct skill_file *file;
};

static bool
mcp_resources_find(const struct mcp_request *q, struct str uri,
    struct place *out)
{
	struct str path;

	*out = (struct place){ mcp_resource_of(q, uri, &path), NULL };
	if (out->skill == NULL)
		return false;
	if (str_eq(path, S(MCP_RESOURCE_MAIN)))
		return true;
	out->file = skill_resource(out->skill, path);
	return out->file != NULL;
}

static void
mcp_resources_put_file(struct json *j, struct arena *a, const struct skill *s,
    const char *path, const char *digest, struct str text)
{
	json_open_object(j, NULL);
	json_put_str(j, "uri", mcp_resource_uri(a, s, path));
	json_put_text(j, "digest", digest);
	json_put_int(j, "size", (int64_t)text.n);
	json_close_object(j);
}

/* emcli's own texts have no other fields: skill/front.c. */
static void
mcp_resources_put_front(struct json *j, struct arena *a, const struct skill *s)
{
	struct skill_front f;
	struct err e = { 0 };

	if (skill_front_read(s->file, str_of(s->name), a, &f, &e) < 0)
		err_bug("the skill %s: %s", s->name, e.say);
	json_open_object(j, "frontmatter");
	json_put_str(j, "name", f.name);
	json_put_str(j, "description", f.description);
	if (f.license.n > 0)
		json_put_str(j, "license", f.license);
	if (f.compatibility.n > 0)
		json_put_str(j, "compatibility", f.compatibility);
	if (f.tools.n > 0)
		json_put_str(j, "allowed-tools", f.tools);
	if (f.label.n > 0) {
		json_open_object(j, "metadata");
		json_put_str(j, "label", f.label);
		json_close_object(j);
	}
	json_close_object(j);
}

/* A skill in the extension: its front matter and all its files. */
static void
mcp_resources_put_skill(struct json *j, const char *key, struct arena *a,
    const struct skill *s)
{
	const struct skill_file *f;

	json_open_object(j, key);
	json_put_str(j, "uri", mcp_resource_uri(a, s, MCP_RESOURCE_MAIN));
	mcp_resources_put_front(j, a, s);
	json_open_array(j, "resources");
	mcp_resources_put_file(j, a, s, MCP_RESOURCE_MAIN, s->digest, s->file);
	for (f = s->resources; f->path != NULL; f++)
		mcp_resources_put_file(j, a, s, f->path, f->digest, f->text);
	json_close_array(j);
	json_close_object(j);
}

int
mcp_resources_list(struct mcp_request *q, struct json *out)
{
	uint64_t mine = mcp_sight_mine(q, false);
	const struct skill *s;
	const struct skill_file *f;

	if (mcp_params_cursor(q) < 0)
		return -1;
	json_open_array(out, "resources");
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++) {
		if (!HAS(mine, i) || s->whole)
			continue;
		mcp_resource_put(out, q->a, s, MCP_RESOURCE_MAIN, s->file);
		for (f = s->resources; f->path != NULL; f++)
			mcp_resource_put(out, q->a, s, f->path, f->text);
	}
	json_close_array(out);
	return 0;
}

int
mcp_resources_templates(struct mcp_request *q, struct json *out)
{
	if (mcp_params_cursor(q) < 0)
		return -1;
	json_open_array(out, "resourceTemplates");
	json_close_array(out);
	return 0;
}

static int
mcp_resources_unknown(struct mcp_request *q, struct str uri)
{
	q->fault.data = json_new(q->a);
	json_open_object(q->fault.data, NULL);
	json_put_str(q->fault.data, "uri", utf8_first(uri, 200));
	json_close_object(q->fault.data);
	return mcp_jsonrpc_fault(q,
	    q->era == MCP_LEGACY ? MCP_NO_RESOURCE : MCP_BAD_PARAMS,
	    "no resource %.*s", STR_ARG(out_quote(q->a, uri)));
}

int
mcp_resources_read(struct mcp_request *q, struct json *out)
{
	struct place p;
	struct str uri;

	if (mcp_params_text(q, "uri", &uri) < 0)
		return -1;
	if (!mcp_resources_find(q, uri, &p))
		return mcp_resources_unknown(q, uri);
	json_open_array(out, "contents");
	json_open_object(out, NULL);
	json_put_str(out, "uri", uri);
	json_put_text(out, "mimeType", "text/markdown");
	json_put_str(out, "text",
	    p.file != NULL ? p.file->text : p.skill->file);
	json_close_object(out);
	json_close_array(out);
	return 0;
}

int
mcp_resources_skills(struct mcp_request *q, struct json *out)
{
	uint64_t mine = mcp_sight_mine(q, false);
	const struct skill *s;

	if (mcp_params_cursor(q) < 0)
		return -1;
	json_open_array(out, "skills");
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		if (HAS(mine, i) && !s->whole)
			mcp_resources_put_skill(out, NULL, q->a, s);
	json_close_array(out);
	return 0;
}

int
mcp_resources_skill(struct mcp_request *q, struct json *out)
{
	struct place p;
	struct str uri;

	if (mcp_params_text(q, "uri", &uri) < 0)
		return -1;
	if (!mcp_resources_find(q, uri, &p) || p.file != NULL)
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS, "no skill %.*s",
		    STR_ARG(out_quote(q->a, uri)));
	mcp_resources_put_skill(out, "skill", q->a, p.skill);
	return 0;
}
