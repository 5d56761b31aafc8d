/* emcli skill list, emcli skill show: the catalogue as it is served. */
#include "door/admin/skill.h"

#include <errno.h>
#include <unistd.h>

#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"

enum {
	COLUMNS = 5,
	ROWS = 64
};

const struct arg_spec admin_skill_list_args[] = {
	{ .name = "json",
	    .type = ARG_FLAG,
	    .help = "JSON instead of a table, with digests and operations" },
	{ 0 },
};

const struct arg_spec admin_skill_show_args[] = {
	{ .name = "name",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "of the skill" },
	{ .name = "path",
	    .type = ARG_TEXT,
	    .help = "this file of it, as references/warnings.md" },
	{ 0 },
};

void
admin_skill_load(struct admin_call *c)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct err e = { 0 };

	if (c->env->admin_key == NULL && c->env->agent_key == NULL)
		return;
	/* No store yet, and so no settings. */
	if (access(c->env->db, F_OK) < 0 && errno == ENOENT)
		return;
	if (gate_open(c->env, &g, &e) == 0)
		return;
	(void)fprintf(stderr,
	    "emcli: the operator's own skills are not among these:\n");
	out_complain(&e, c->env->admin_key != NULL);
}

static const char *
from(const struct skill *s)
{
	return s->added ? "skills_dir" : "emcli";
}

static void
put_json(struct json *j, const struct skill *s)
{
	json_open_object(j, NULL);
	json_put_text(j, "name", s->name);
	json_put_text(j, "label", s->label);
	json_put_text(j, "description", s->description);
	json_put_text(j, "from", from(s));
	json_put_text(j, "digest", s->digest);
	json_put_int(j, "bytes", (int64_t)s->file.n);
	json_open_array(j, "operations");
	for (size_t i = 0; s->ops[i] != NULL; i++)
		json_put_text(j, NULL, s->ops[i]);
	json_close_array(j);
	json_open_array(j, "resources");
	for (size_t i = 0; s->resources[i].path != NULL; i++) {
		json_open_object(j, NULL);
		json_put_text(j, "path", s->resources[i].path);
		json_put_text(j, "digest", s->resources[i].digest);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
}

static int
list_json(struct admin_call *c)
{
	struct json *j = json_new(c->arena);
	const struct skill_left *l;

	json_open_object(j, NULL);
	json_open_array(j, "skills");
	for (size_t i = 0; skill_at(i) != NULL; i++)
		put_json(j, skill_at(i));
	json_close_array(j);
	json_open_array(j, "left_out");
	for (size_t i = 0; (l = skill_dir_left(i)) != NULL; i++) {
		json_open_object(j, NULL);
		json_put_text(j, "folder", l->name);
		json_put_text(j, "why", l->why);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}

static struct str
operations(struct arena *a, const struct skill *s)
{
	struct buf b;

	buf_init(&b, a, LIMIT_SKILL);
	for (size_t i = 0; s->ops[i] != NULL; i++)
		buf_fmt(&b, "%s%s", i > 0 ? " " : "", s->ops[i]);
	return b.n > 0 ? buf_view(&b) : S("none yet");
}

int
admin_skill_list(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("LABEL"),
		SI("FROM"), SI("TOKENS"), SI("OPERATIONS") };
	struct str cells[ROWS][COLUMNS];
	struct out_row rows[ROWS + 1] = { { head } };
	const struct skill_left *l;
	const struct skill *s;
	size_t n = 0;

	(void)e;
	admin_skill_load(c);
	if (args_has(c->args, "json"))
		return list_json(c);
	while (n < ROWS && (s = skill_at(n)) != NULL) {
		cells[n][0] = str_of(s->name);
		cells[n][1] = str_of(s->label);
		cells[n][2] = str_of(from(s));
		cells[n][3] = str_fmt(c->arena, "%zu",
		    admin_skill_cost_tokens(s->body.n));
		cells[n][4] = operations(c->arena, s);
		rows[n + 1].cell = cells[n];
		n++;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	for (size_t i = 0; (l = skill_dir_left(i)) != NULL; i++)
		buf_fmt(c->out, "left out of skills_dir: %s: %s\n", l->name,
		    l->why);
	return 0;
}

int
admin_skill_find(struct admin_call *c, struct str name,
    const struct skill **out, struct err *e)
{
	*out = skill_find(name);
	if (*out != NULL)
		return 0;
	name = out_quote(c->arena, name);
	return err_set(e, ERR_NOT_FOUND,
	    "there is no skill %.*s: see emcli skill list", STR_ARG(name));
}

int
admin_skill_show(struct admin_call *c, struct err *e)
{
	struct str path = args_text(c->args, "path");
	const struct skill_file *f;
	const struct skill *s;

	admin_skill_load(c);
	if (admin_skill_find(c, args_text(c->args, "name"), &s, e) < 0)
		return -1;
	if (path.n == 0) {
		buf_str(c->out, s->file);
		return 0;
	}
	f = skill_resource(s, path);
	if (f == NULL)
		return err_set(e, ERR_NOT_FOUND, "the skill has no such file");
	buf_str(c->out, f->text);
	return 0;
}
