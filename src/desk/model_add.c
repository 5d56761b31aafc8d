/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli model add: an endpoint that `ask` may send mail to.  It gets what its
 * model reads and the key in its file, so only the operator adds one.
 */
#include "desk/desk.h"
#include "desk/file_arg.h"
#include "desk/model.h"

static const struct arg_spec args[] = {
	{ "model", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name for ask --model" },
	{ "url", ARG_TEXT, ARG_REQUIRED,
	    .help = "an endpoint that speaks Chat Completions, such as "
		    "https://api.example.org/v1; http only on this machine" },
	{ "id", ARG_TEXT,
	    .help = "the model's name there; default: the same name" },
	{ "key_file", ARG_PATH,
	    .help =
		"a file with the endpoint's key, which nobody else may read" },
	{ "ca", ARG_PATH,
	    .help = "PEM file of CAs for the endpoint, instead of the system's "
		    "CAs" },
	{ 0 },
};

static const struct field result[] = {
	{ "added", FIELD_TEXT, .help = "its name for ask --model" },
	{ 0 },
};

static int
model_add_run(struct call *c, struct json *out, struct err *e)
{
	struct store_model m = {
		.name = args_text(c->args, "model"),
		.url = args_text(c->args, "url"),
		.id = args_text(c->args, "id"),
	};
	struct str shown, rest;

	if (m.id.n == 0)
		m.id = m.name;
	if (file_arg_find(c, "key_file", "key-file", &m.key_file, e) < 0 ||
	    file_arg_find(c, "ca", "ca", &m.ca_file, e) < 0 ||
	    model_check_new(c->arena, &m, e) < 0 ||
	    store_model_add(operate_store(c), &m, e) < 0)
		return -1;
	(void)str_cut(m.url, '?', &shown, &rest);
	c->note = str_fmt(c->arena, "%.*s%s", STR_ARG(shown),
	    m.key_file.n > 0 ? ", with a key" : "");
	json_put_str(out, "added", m.name);
	gate_tell(c, "added %.*s", STR_ARG(m.name));
	return 0;
}

const struct op desk_model_add = {
	.name = "model add",
	.shows = "emcli model list",
	.summary = "Add an endpoint that ask may send mail to",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = model_add_run,
};
