/* SPDX-License-Identifier: Apache-2.0 */
/* An operation's arguments as the body of a request to the gateway. */
#include <inttypes.h>

#include "door/agents/internal.h"

#define FILES "attachments"

static bool
request_is_bool(const struct arg_spec *s)
{
	return s->type == ARG_FLAG ||
	    (s->type == ARG_CHOICE &&
		str_starts(str_of(s->choices), S("true")));
}

/* Each is an object with its path. */
static void
request_put_files(struct json *j, const struct arg *arg)
{
	json_open_array(j, FILES);
	for (size_t i = 0; i < arg->text.n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "path", arg->text.v[i]);
		json_close_object(j);
	}
	json_close_array(j);
}

static void
request_put_arg(struct json *j, const struct arg *arg)
{
	const struct arg_spec *s = arg->spec;
	struct str first = arg->text.v[0];

	if (str_eq(str_of(s->name), S(FILES)))
		request_put_files(j, arg);
	else if (s->flags & ARG_MANY)
		json_put_strs(j, s->name, &arg->text);
	else if (request_is_bool(s))
		json_put_bool(j, s->name, str_eq(first, S("true")));
	else if (s->type == ARG_COUNT)
		json_put_int(j, s->name, arg->count);
	else
		json_put_str(j, s->name, first);
}

struct str
agents_request(const struct args *args, struct arena *a)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i].text.n > 0)
			request_put_arg(j, &args->v[i]);
	json_close_object(j);
	return json_text(j, a);
}
