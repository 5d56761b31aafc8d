/* SPDX-License-Identifier: Apache-2.0 */
/* A call as the payload of its frame: strict JSON. */
#include "base/utf8.h"
#include "door/remote/internal.h"

static int
remote_put_arg(struct json *j, const struct arg *arg, struct err *e)
{
	const char *name = arg->spec->name;

	for (size_t i = 0; i < arg->text.n; i++)
		if (!utf8_valid(arg->text.v[i]))
			return err_set(e, ERR_USAGE, "%s is not UTF-8 text",
			    arg->shown);
	if (arg->text.n == 0)
		return 0;
	if (arg->spec->type == ARG_FLAG)
		json_put_bool(j, name, true);
	else if (arg->spec->flags & ARG_MANY)
		json_put_strs(j, name, &arg->text);
	else
		json_put_str(j, name, arg->text.v[0]);
	return 0;
}

int
remote_put(const struct env *env, const struct far_call *c,
    const struct remote_files *files, struct arena *a, struct str *out,
    struct err *e)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_int(j, "v", FAR_VERSION);
	json_put_text(j, "op", c->op->name);
	json_open_object(j, "args");
	for (size_t i = 0; i < c->args->n; i++)
		if (remote_put_arg(j, &c->args->v[i], e) < 0)
			return -1;
	json_close_object(j);
	/* Without a name it is the user's first agent. */
	if (env->named)
		json_put_text(j, "agent", env->agent);
	if (env->account != NULL)
		json_put_text(j, "account", env->account);
	json_put_bool(j, "progress", c->progress != NULL);
	json_put_bool(j, "person", c->person);
	json_put_bool(j, "lines", c->lines);
	json_put_json(j, "files", files->list);
	json_close_object(j);
	*out = json_text(j, a);
	return 0;
}
