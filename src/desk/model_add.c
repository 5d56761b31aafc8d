/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli model add: an endpoint that `ask` may send mail to.  It gets what its
 * model reads and the key in its file, so only the operator adds one.
 */
#include "base/secret.h"
#include "desk/desk.h"
#include "desk/file_arg.h"
#include "source/endpoint.h"
#include "store/model.h"

enum {
	NAME_MAX_BYTES = 64
};

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

static bool
model_add_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz"
				    "0123456789._:/-"),
			s.p[i]))
			return false;
	return s.n > 0 && s.n <= NAME_MAX_BYTES && !str_eq(s, S("none"));
}

/* Reports an unusable key now. */
static int
model_add_check_key(struct call *c, struct str path, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	if (path.n == 0)
		return 0;
	return env_key_read("--key-file", str_c(c->arena, path), &key, e);
}

static int
model_add_run(struct call *c, struct json *out, struct err *e)
{
	struct store_model m = {
		.name = args_text(c->args, "model"),
		.url = args_text(c->args, "url"),
		.id = args_text(c->args, "id"),
	};
	struct str shown, rest;
	bool usable;

	if (!model_add_is_name(m.name))
		return err_set(e, ERR_USAGE,
		    "a model's name is 1 to %d of A-Z a-z 0-9 . _ : / -, "
		    "and not \"none\": put its name at the endpoint into "
		    "--id",
		    NAME_MAX_BYTES);
	if (m.id.n == 0)
		m.id = m.name;
	if (endpoint_ok(m.url, &usable, e) < 0)
		return -1;
	if (!usable)
		return err_set(e, ERR_USAGE,
		    "--url takes https://HOST[:PORT]/PATH, or http:// on "
		    "this machine: elsewhere others could read the mail on "
		    "its way");
	if (file_arg_find(c, "key_file", "key-file", &m.key_file, e) < 0 ||
	    file_arg_find(c, "ca", "ca", &m.ca_file, e) < 0 ||
	    model_add_check_key(c, m.key_file, e) < 0 ||
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
