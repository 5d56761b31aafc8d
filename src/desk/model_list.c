/* SPDX-License-Identifier: Apache-2.0 */
/* emcli model list. */
#include "desk/desk.h"
#include "store/model.h"
#include "store/store.h"

static const struct field models[] = {
	{ "name", FIELD_TEXT, .help = "its name for ask --model" },
	{ "url", FIELD_TEXT, .help = "its endpoint" },
	{ "id", FIELD_TEXT, .help = "its name there" },
	{ "key_file", FIELD_TEXT, .help = "the file of its key, or empty" },
	{ "ca", FIELD_TEXT, .help = "the file of its authorities, or empty" },
	{ "default", FIELD_BOOL, .help = "does ask use it by default?" },
	{ 0 },
};

static const struct field result[] = {
	{ "models", FIELD_OBJECTS, .help = "the models", .sub = models },
	{ 0 },
};

static int
model_list_run(struct call *c, struct json *out, struct err *e)
{
	struct store *s = operate_store(c);
	struct store_model *v;
	struct str def = { 0 }; /* the default's name, or empty */
	size_t n;

	if (store_model_list(s, c->arena, &v, &n, e) < 0 ||
	    store_setting_get(s, c->arena, S(STORE_MODEL_DEFAULT), &def, e) < 0)
		return -1;
	if (n == 1)
		def = v[0].name;
	json_open_array(out, "models");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		json_put_str(out, "name", v[i].name);
		json_put_str(out, "url", v[i].url);
		json_put_str(out, "id", v[i].id);
		json_put_str(out, "key_file", v[i].key_file);
		json_put_str(out, "ca", v[i].ca_file);
		json_put_bool(out, "default", str_eq(v[i].name, def));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_model_list = {
	.name = "model list",
	.shows = "emcli model list",
	.summary = "List the models that ask may use",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = result,
	.columns = "name id url key_file default",
	.run = model_list_run,
};
