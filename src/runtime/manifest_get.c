/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "base/limits.h"
#include "runtime/manifest.h"

enum get_kind {
	GET_TEXT,     /* a string that is not blank */
	GET_PATH,     /* an absolute path */
	GET_OPTIONAL, /* a string, null, or missing */
	GET_STRINGS,  /* an array of strings */
	GET_OBJECT,   /* only its type is checked */
};

static const struct get_member {
	const char *path; /* member names, separated by dots */
	enum get_kind kind;
	size_t at;
} get_members[] = {
#define MEMBER(path, kind, name)                                               \
	{                                                                      \
		path, kind, offsetof(struct manifest, name)                    \
	}
	MEMBER("backend", GET_TEXT, backend),
	MEMBER("tool", GET_TEXT, tool),
	MEMBER("role_name", GET_TEXT, role),
	MEMBER("created_at_utc", GET_TEXT, created_at),
	MEMBER("working_directory", GET_PATH, workdir),
	MEMBER("brain_manifest_path", GET_TEXT, home_manifest),
	MEMBER("agent_name", GET_OPTIONAL, agent),
	MEMBER("agent_id", GET_OPTIONAL, agent_id),
	MEMBER("tmux_session_name", GET_OPTIONAL, tmux),
	{ "runtime", GET_OBJECT, 0 },
	MEMBER("runtime.session_id", GET_OPTIONAL, session_id),
	{ "launch_plan", GET_OBJECT, 0 },
	MEMBER("launch_plan.executable", GET_TEXT, executable),
	MEMBER("launch_plan.args", GET_STRINGS, args),
	MEMBER("launch_plan.working_directory", GET_PATH, workdir),
	{ "launch_plan.home_selector", GET_OBJECT, 0 },
	MEMBER("launch_plan.home_selector.env_var", GET_TEXT, home_variable),
	MEMBER("launch_plan.home_selector.home_path", GET_PATH, home),
	MEMBER("launch_plan.env_var_names", GET_STRINGS, variables),
	{ "launch_plan.role_injection", GET_OBJECT, 0 },
	{ "launch_plan.metadata", GET_OBJECT, 0 },
	{ "backend_state", GET_OBJECT, 0 },
#undef MEMBER
};
#define MEMBERS (sizeof(get_members) / sizeof(get_members[0]))

static int
manifest_get_refuse(const char *path, const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "%s %s: the session's manifest is damaged", path, what);
}

/* NULL if one of the names is missing. */
static const struct json_value *
manifest_get_value(const struct json_value *v, const char *path,
    struct arena *a)
{
	struct str one, rest = str_of(path);

	while (v != NULL && rest.n > 0) {
		str_cut(rest, '.', &one, &rest);
		v = json_parse_member(v, str_c(a, one));
	}
	return v;
}

static int
manifest_get_strings(const struct json_value *v, const char *path,
    struct arena *a, struct strs *out, struct err *e)
{
	struct str s;

	if (!json_parse_is_array(v))
		return manifest_get_refuse(path, "is not an array", e);
	for (size_t i = 0; i < json_parse_count(v); i++) {
		if (!json_parse_str(json_parse_item(v, i), &s))
			return manifest_get_refuse(path,
			    "holds something else than strings", e);
		str_push(a, out, str_dup(a, s));
	}
	return 0;
}

static int
manifest_get_member(const struct json_value *root, const struct get_member *m,
    struct arena *a, struct manifest *out, struct err *e)
{
	const struct json_value *v = manifest_get_value(root, m->path, a);
	void *to = (char *)out + m->at;
	struct str s;

	if (m->kind == GET_OPTIONAL && (v == NULL || json_parse_is_null(v)))
		return 0;
	if (v == NULL)
		return manifest_get_refuse(m->path, "is missing", e);
	if (m->kind == GET_OBJECT)
		return json_parse_is_object(v)
		    ? 0
		    : manifest_get_refuse(m->path, "is not an object", e);
	if (m->kind == GET_STRINGS)
		return manifest_get_strings(v, m->path, a, to, e);
	if (!json_parse_str(v, &s))
		return manifest_get_refuse(m->path, "is not a string", e);
	if (str_trim(s).n == 0)
		return manifest_get_refuse(m->path, "is blank", e);
	if (m->kind == GET_PATH &&
	    (!str_starts(s, S("/")) || s.n >= LIMIT_PATH))
		return manifest_get_refuse(m->path, "is not an absolute path",
		    e);
	*(struct str *)to = str_dup(a, s);
	return 0;
}

/* Values repeated in the launch plan must be the same there. */
static int
manifest_get_same(const struct json_value *root, struct arena *a,
    const char *path, struct str want, struct err *e)
{
	struct str s;

	if (json_parse_str(manifest_get_value(root, path, a), &s) &&
	    str_eq(s, want))
		return 0;
	return manifest_get_refuse(path, "differs from the manifest's own", e);
}

static int
manifest_get_all(const struct json_value *root, struct arena *a,
    struct manifest *m, struct err *e)
{
	int64_t version;

	if (!json_parse_int(json_parse_member(root, "schema_version"),
		&version))
		return manifest_get_refuse("schema_version", "is not a number",
		    e);
	if (version != 4)
		return err_set(e, ERR_CONFIG,
		    "the session's manifest has schema_version %lld, and only "
		    "4 is known: start a new session",
		    (long long)version);
	for (size_t i = 0; i < MEMBERS; i++)
		if (manifest_get_member(root, &get_members[i], a, m, e) < 0)
			return -1;
	if (manifest_get_same(root, a, "launch_plan.backend", m->backend, e) <
		0 ||
	    manifest_get_same(root, a, "launch_plan.tool", m->tool, e) < 0)
		return -1;
	return binding_read(manifest_get_value(root, "launch_plan.mailbox", a),
	    a, &m->mailbox, e);
}

int
manifest_get(struct str text, struct arena *a, struct manifest *out,
    struct err *e)
{
	struct manifest m = { 0 };
	struct json_doc *d = NULL;
	struct err why = { 0 };
	int r;

	if (json_parse_open(text, LIMIT_MANIFEST, &d, &why) < 0) {
		(void)err_set(e, why.kind == ERR_LIMIT ? ERR_LIMIT : ERR_CONFIG,
		    "the session's manifest is damaged: %s", why.say);
		return err_because(e, "%s", why.detail);
	}
	r = manifest_get_all(json_parse_root(d), a, &m, e);
	json_parse_close(&d);
	if (r == 0)
		*out = m;
	return r;
}
