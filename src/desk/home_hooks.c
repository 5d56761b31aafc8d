/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each hook is a command of emcli's that prints nothing and never fails, since
 * what it prints would be the model's to read.
 */
#include "desk/home_hooks.h"

#include <limits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "desk/mcp_merge.h"

#define OURS " session hook "

/* For the shell that runs it. */
static struct str
home_hooks_command(struct str self, const char *state, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, LIMIT_ARGV);
	buf_shell(&b, self);
	buf_fmt(&b, OURS "%s >/dev/null 2>&1 || true", state);
	return buf_view(&b);
}

/* Did an earlier build write it? */
static bool
home_hooks_is_ours(const struct json_value *entry)
{
	const struct json_value *v = json_parse_member(entry, "hooks");
	struct str s;

	for (size_t i = 0; i < json_parse_count(v); i++)
		if (json_parse_str(json_parse_member(json_parse_item(v, i),
				       "command"),
			&s) &&
		    str_find(s, S(OURS)) >= 0)
			return true;
	return false;
}

static void
home_hooks_put_event(struct json *j, const char *event,
    const struct json_value *was, struct str command)
{
	json_open_array(j, event);
	for (size_t i = 0; i < json_parse_count(was); i++)
		if (!home_hooks_is_ours(json_parse_item(was, i)))
			json_copy_put(j, NULL, json_parse_item(was, i));
	json_open_object(j, NULL);
	json_open_array(j, "hooks");
	json_open_object(j, NULL);
	json_put_text(j, "type", "command");
	json_put_str(j, "command", command);
	json_close_object(j);
	json_close_array(j);
	json_close_object(j);
	json_close_array(j);
}

/* The other members, but the one or two of those names. */
static void
home_hooks_copy(struct json *j, const struct json_value *v, const char *but,
    const char *and, struct arena *a)
{
	const struct json_value *one;
	struct str key = { 0 };

	while ((one = json_parse_next(v, &key)) != NULL)
		if (!str_eq(key, str_of(but)) && !str_eq(key, str_of(and)))
			json_copy_put(j, str_c(a, key), one);
}

/* 1: the file has another form there. */
static int
home_hooks_json(struct home *h, struct str text, struct str self,
    struct str *out)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	CLEANUP(json_parse_close) struct json_doc *again = NULL;
	const char *busy = h->host->busy, *idle = h->host->idle;
	const struct json_value *root, *hooks, *on_busy, *on_idle;
	struct json *j = json_new(h->a);
	struct err none = { 0 };

	if (str_trim(text).n == 0)
		text = S("{}");
	if (json_parse_open(text, LIMIT_DECLARATION, &d, &none) < 0)
		return 1;
	root = json_parse_root(d);
	hooks = json_parse_member(root, "hooks");
	on_busy = json_parse_member(hooks, busy);
	on_idle = json_parse_member(hooks, idle);
	if (!json_parse_is_object(root) ||
	    (hooks != NULL && !json_parse_is_object(hooks)) ||
	    (on_busy != NULL && !json_parse_is_array(on_busy)) ||
	    (on_idle != NULL && !json_parse_is_array(on_idle)))
		return 1;
	json_open_object(j, NULL);
	home_hooks_copy(j, root, "hooks", "hooks", h->a);
	json_open_object(j, "hooks");
	home_hooks_copy(j, hooks, busy, idle, h->a);
	home_hooks_put_event(j, busy, on_busy,
	    home_hooks_command(self, "busy", h->a));
	home_hooks_put_event(j, idle, on_idle,
	    home_hooks_command(self, "idle", h->a));
	json_close_object(j);
	json_close_object(j);
	if (json_parse_open(json_text(j, h->a), LIMIT_MESSAGE, &again, &none) <
	    0)
		return 1;
	*out = json_copy_text(h->a, json_parse_root(again));
	return 0;
}

/* The program appends what happened to these words. */
static int
home_hooks_toml(struct home *h, struct str text, struct str self,
    struct str *out)
{
	struct json *j = json_new(h->a);
	struct err none = { 0 };

	json_open_array(j, NULL);
	json_put_str(j, NULL, self);
	json_put_text(j, NULL, "session");
	json_put_text(j, NULL, "hook");
	json_put_text(j, NULL, "idle");
	json_close_array(j);
	return mcp_merge_toml_top(text, h->host->idle, json_text(j, h->a),
		   ",\"session\",\"hook\",\"idle\"]", h->a, out, &none) < 0
	    ? 1
	    : 0;
}

/* Is the file a credential's, which is copied unread? */
static bool
home_hooks_is_auth(struct call *c, const struct home *h)
{
	const struct strs *list = args_list(c->args, "auth_file");
	struct str end = str_fmt(c->arena, ":%s", h->host->hooks);

	for (size_t i = 0; i < list->n; i++)
		if (str_ends(list->v[i], end))
			return true;
	return false;
}

int
home_hooks_put(struct call *c, struct home *h, struct err *e)
{
	struct str path = str_of(h->host->hooks), text, self;
	char real[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", real, sizeof(real));
	struct err why = { 0 };
	int r = 1;

	if (n <= 0 || (size_t)n == sizeof(real))
		return err_set(e, ERR_CONFIG, "cannot tell where emcli is");
	self = str_dup(c->arena, (struct str){ real, (size_t)n });
	if (!home_hooks_is_auth(c, h) &&
	    home_plan_text(h, path, &text, &why) == 0)
		r = h->host->busy != NULL
		    ? home_hooks_json(h, text, self, &text)
		    : home_hooks_toml(h, text, self, &text);
	if (r == 0)
		return home_plan_put(h, path, text, e);
	operate_note(c,
	    "emcli: note: %s cannot be extended, so no hook says when the "
	    "agent works",
	    h->host->hooks);
	return 0;
}
