/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "runtime/manifest.h"

static void
manifest_put_optional(struct json *j, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(j, key, s);
	else
		json_put_null(j, key);
}

static int
manifest_put_compare(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static void
manifest_put_sorted(struct json *j, const char *key, const struct strs *v,
    struct arena *a)
{
	struct strs sorted = { arena_array(a, v->n, sizeof(*v->v)), v->n };

	for (size_t i = 0; i < v->n; i++)
		sorted.v[i] = v->v[i];
	if (v->n > 1)
		qsort(sorted.v, v->n, sizeof(*v->v), manifest_put_compare);
	json_put_strs(j, key, &sorted);
}

/* How the text of a role reaches the program: by files in its home.  These are
 * the nearest of Houmao's names. */
static const char *
manifest_put_method(struct str tool)
{
	if (str_eq(tool, S("claude")))
		return "native_append_system_prompt";
	if (str_eq(tool, S("codex")))
		return "native_developer_instructions";
	return "bootstrap_message";
}

static const char *
manifest_put_backend(const struct manifest *m)
{
	return m->tmux.n > 0 ? MANIFEST_TMUX : MANIFEST_PLAIN;
}

static struct str
manifest_put_role(const struct manifest *m)
{
	return m->role.n > 0 ? m->role : S("none");
}

static void
manifest_put_plan(struct json *j, const struct manifest *m, struct arena *a)
{
	json_open_object(j, "launch_plan");
	json_put_text(j, "backend", manifest_put_backend(m));
	json_put_str(j, "tool", m->tool);
	json_put_str(j, "executable", m->executable);
	json_put_strs(j, "args", &m->args);
	json_put_str(j, "working_directory", m->workdir);
	json_open_object(j, "home_selector");
	json_put_str(j, "env_var", m->home_variable);
	json_put_str(j, "home_path", m->home);
	json_close_object(j);
	manifest_put_sorted(j, "env_var_names", &m->variables, a);
	json_open_object(j, "role_injection");
	json_put_text(j, "method", manifest_put_method(m->tool));
	json_put_str(j, "role_name", manifest_put_role(m));
	json_close_object(j);
	json_open_object(j, "metadata");
	json_close_object(j);
	binding_put(&m->mailbox, j, "mailbox");
	json_close_object(j);
}

/* How far the program is: Houmao counts turns, we do not. */
static void
manifest_put_state(struct json *j, const char *key, const struct manifest *m)
{
	json_open_object(j, key);
	json_put_int(j, "turn_index", 0);
	json_put_bool(j, "role_bootstrap_applied", true);
	json_put_str(j, "working_directory", m->workdir);
	json_close_object(j);
}

/* What Houmao wants of a session in tmux. */
static void
manifest_put_tmux(struct json *j, const struct manifest *m)
{
	json_open_object(j, "tmux");
	json_put_str(j, "session_name", m->tmux);
	json_close_object(j);
	manifest_put_state(j, "interactive", m);
	json_open_object(j, "agent_launch_authority");
	json_put_text(j, "backend", MANIFEST_TMUX);
	json_put_str(j, "tool", m->tool);
	json_put_str(j, "tmux_session_name", m->tmux);
	json_put_str(j, "working_directory", m->workdir);
	json_put_str(j, "session_id", m->session_id);
	json_put_text(j, "posture_kind", "runtime_launch_plan");
	json_close_object(j);
	json_open_object(j, "gateway_authority");
	json_open_object(j, "attach");
	json_close_object(j);
	json_open_object(j, "control");
	json_close_object(j);
	json_close_object(j);
	manifest_put_state(j, MANIFEST_TMUX, m);
}

struct str
manifest_put_text(const struct manifest *m, struct arena *a)
{
	struct json *j = json_new(a);
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct str text;

	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 4);
	json_put_text(j, "backend", manifest_put_backend(m));
	json_put_str(j, "tool", m->tool);
	json_put_str(j, "role_name", manifest_put_role(m));
	json_put_str(j, "created_at_utc", m->created_at);
	json_put_str(j, "working_directory", m->workdir);
	json_put_str(j, "brain_manifest_path", m->home_manifest);
	manifest_put_optional(j, "agent_name", m->agent);
	manifest_put_optional(j, "agent_id", name_agent_id(a, m->agent));
	manifest_put_optional(j, "tmux_session_name", m->tmux);
	json_open_object(j, "runtime");
	json_put_str(j, "session_id", m->session_id);
	json_close_object(j);
	if (m->tmux.n > 0)
		manifest_put_tmux(j, m);
	manifest_put_plan(j, m, a);
	json_open_object(j, "backend_state");
	json_close_object(j);
	json_close_object(j);
	if (json_parse_open(json_text(j, a), SIZE_MAX, &d, &e) < 0)
		err_bug("manifest: %s", e.say);
	text = json_copy_text(a, json_parse_root(d));
	json_parse_close(&d);
	return text;
}
