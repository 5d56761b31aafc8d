/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest of a home, schema_version 3. */
#include "runtime/brain.h"

#include "base/limits.h"

enum {
	SCHEMA = 3
};

/* -- out ------------------------------------------------------------------ */

static void
brain_put_text(struct yaml_put *y, const char *key, struct str s)
{
	if (s.n > 0)
		yaml_put_str(y, key, s);
	else
		yaml_put_null(y, key);
}

static void
brain_put_inputs(struct yaml_put *y, const struct brain *b)
{
	yaml_put_map(y, "inputs");
	yaml_put_str(y, "tool", b->tool);
	yaml_put_list(y, "skills");
	for (size_t i = 0; i < b->skills.n; i++)
		yaml_put_str(y, NULL, b->skills.v[i]);
	yaml_put_end(y);
	brain_put_text(y, "setup", b->setup);
	yaml_put_null(y, "auth");
	yaml_put_null(y, "adapter_path");
	yaml_put_null(y, "preset_path");
	yaml_put_map(y, "extra");
	brain_put_text(y, "role", b->role);
	yaml_put_end(y);
	yaml_put_end(y);
}

static void
brain_put_runtime(struct yaml_put *y, const struct brain *b)
{
	yaml_put_map(y, "runtime");
	yaml_put_str(y, "runtime_root", b->root);
	yaml_put_str(y, "home_id", b->home_id);
	yaml_put_str(y, "home_path", b->home_path);
	yaml_put_map(y, "launch_home_selector");
	yaml_put_str(y, "env_var", b->variable);
	yaml_put_str(y, "value", b->home_path);
	yaml_put_end(y);
	yaml_put_str(y, "launch_executable", b->executable);
	yaml_put_end(y);
}

static void
brain_put_credentials(struct yaml_put *y, const struct brain *b)
{
	yaml_put_map(y, "credentials");
	yaml_put_list(y, "projected_files");
	for (size_t i = 0; i < b->files; i++) {
		yaml_put_map(y, NULL);
		yaml_put_str(y, "source", b->file[i].from);
		yaml_put_str(y, "destination", b->file[i].to);
		yaml_put_str(y, "mode",
		    b->file[i].link ? S("symlink") : S("copy"));
		yaml_put_bool(y, "required", true);
		yaml_put_end(y);
	}
	yaml_put_end(y);
	yaml_put_end(y);
}

int
brain_write(const struct brain *b, struct arena *a, struct str *out,
    struct err *e)
{
	struct yaml_put *y;
	struct buf text;

	buf_init(&text, a, LIMIT_HOME_MANIFEST);
	y = yaml_put_new(a, &text);
	yaml_put_map(y, NULL);
	yaml_put_int(y, "schema_version", SCHEMA);
	yaml_put_str(y, "built_at_utc", b->built_at);
	brain_put_inputs(y, b);
	yaml_put_map(y, "launch_policy");
	yaml_put_str(y, "operator_prompt_mode", S("as_is"));
	yaml_put_end(y);
	brain_put_runtime(y, b);
	brain_put_credentials(y, b);
	yaml_put_map(y, "identity");
	yaml_put_str(y, "canonical_agent_name", b->agent);
	brain_put_text(y, "agent_id", name_agent_id(a, b->agent));
	yaml_put_end(y);
	declaration_put(&b->mailbox, y);
	yaml_put_end(y);
	*out = buf_view(&text);
	if (text.over)
		return err_set(e, ERR_LIMIT,
		    "the home's manifest would be over %lu bytes",
		    LIMIT_HOME_MANIFEST);
	return 0;
}

/* -- in ------------------------------------------------------------------- */

/* Empty if it is missing or is not a text. */
static struct str
brain_get_text(const struct json_value *v, const char *key, struct arena *a)
{
	struct str s = { 0 };

	return json_parse_str(json_parse_member(v, key), &s) ? str_dup(a, s)
							     : S("");
}

static void
brain_get_skills(const struct json_value *v, struct arena *a, struct strs *out)
{
	struct str s;

	for (size_t i = 0; i < json_parse_count(v); i++)
		if (json_parse_str(json_parse_item(v, i), &s))
			str_push(a, out, str_dup(a, s));
}

static int
brain_get_all(const struct json_value *v, struct arena *a, struct brain *b,
    struct err *e)
{
	const struct json_value *in = json_parse_member(v, "inputs");
	const struct json_value *run = json_parse_member(v, "runtime");
	int64_t version;

	if (!json_parse_int(json_parse_member(v, "schema_version"), &version) ||
	    version != SCHEMA)
		return err_set(e, ERR_CONFIG,
		    "the manifest is not of schema_version %d: build the "
		    "home again",
		    SCHEMA);
	if (!json_parse_is_object(in) || !json_parse_is_object(run))
		return err_set(e, ERR_CONFIG,
		    "the manifest has no inputs or no runtime");
	b->built_at = brain_get_text(v, "built_at_utc", a);
	b->tool = brain_get_text(in, "tool", a);
	b->setup = brain_get_text(in, "setup", a);
	b->role = brain_get_text(json_parse_member(in, "extra"), "role", a);
	brain_get_skills(json_parse_member(in, "skills"), a, &b->skills);
	b->root = brain_get_text(run, "runtime_root", a);
	b->home_id = brain_get_text(run, "home_id", a);
	b->home_path = brain_get_text(run, "home_path", a);
	b->executable = brain_get_text(run, "launch_executable", a);
	b->variable =
	    brain_get_text(json_parse_member(run, "launch_home_selector"),
		"env_var", a);
	b->agent = brain_get_text(json_parse_member(v, "identity"),
	    "canonical_agent_name", a);
	return declaration_read(json_parse_member(v, "mailbox"), a, &b->mailbox,
	    &b->warnings, e);
}

int
brain_read(struct str text, struct arena *a, struct brain *out, struct err *e)
{
	struct json_doc *doc = NULL;
	struct err why = { 0 };
	int r;

	*out = (struct brain){ 0 };
	if (yaml_read(text, LIMIT_HOME_MANIFEST, &doc, &why) < 0) {
		json_parse_close(&doc);
		return err_set(e, ERR_CONFIG, "the manifest: %s", why.say);
	}
	r = brain_get_all(json_parse_root(doc), a, out, e);
	json_parse_close(&doc);
	if (r < 0)
		*out = (struct brain){ 0 };
	return r;
}
