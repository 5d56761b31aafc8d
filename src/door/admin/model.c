/*
 * emcli model: where `ask` may take mail to.  An endpoint gets what its model
 * reads and the key in its file, so nobody but the operator names one.
 */
#include "store/model.h"

#include <limits.h>
#include <unistd.h>

#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "source/endpoint.h"

enum {
	COLUMNS = 5,
	NAME_MAX_BYTES = 64
};

const struct arg_spec admin_model_add_args[] = {
	{ .name = "model",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "what ask --model calls it" },
	{ .name = "url",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED,
	    .help = "an endpoint that speaks Chat Completions, as "
		    "https://api.example.org/v1; http on this machine alone" },
	{ .name = "id",
	    .type = ARG_TEXT,
	    .help = "the model's name there; else the same name" },
	{ .name = "key_file",
	    .type = ARG_PATH,
	    .help = "a file with the endpoint's key, for nobody else to read" },
	{ .name = "ca",
	    .type = ARG_PATH,
	    .help = "authorities (PEM) for the endpoint's certificate, in "
		    "place of the system's" },
	{ 0 },
};

const struct arg_spec admin_model_remove_args[] = {
	{ .name = "model",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name, as emcli model list shows it" },
	{ 0 },
};

const struct arg_spec admin_model_list_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

static bool
is_model_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz"
				    "0123456789._:/-"),
			s.p[i]))
			return false;
	return s.n > 0 && s.n <= NAME_MAX_BYTES && !str_eq(s, S("none"));
}

/* Whole, for `ask` is run from any folder. */
static int
find_file(struct admin_call *c, const char *option, struct str *out,
    struct err *e)
{
	struct str given = args_text(c->args, option);
	char real[PATH_MAX];

	*out = (struct str){ 0 };
	if (given.n == 0)
		return 0;
	if (realpath(str_c(c->arena, given), real) == NULL ||
	    access(real, R_OK) < 0) {
		(void)err_set(e, ERR_USAGE,
		    "the file of --%s cannot be read: name one that is there",
		    str_eq(str_of(option), S("ca")) ? "ca" : "key-file");
		return err_errno(e, "realpath");
	}
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

/* A key that nobody could use is told of now. */
static int
check_key(struct admin_call *c, struct str path, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	if (path.n == 0)
		return 0;
	return env_key_read("--key-file", str_c(c->arena, path), &key, e);
}

int
admin_model_add(struct admin_call *c, struct err *e)
{
	struct store_model m = {
		.name = args_text(c->args, "model"),
		.url = args_text(c->args, "url"),
		.id = args_text(c->args, "id"),
	};
	struct str shown, rest;
	bool usable;

	if (!is_model_name(m.name))
		return err_set(e, ERR_USAGE,
		    "a model's name is 1 to %d of A-Z a-z 0-9 . _ : / -, and "
		    "not none: its name at the endpoint goes into --id",
		    NAME_MAX_BYTES);
	if (m.id.n == 0)
		m.id = m.name;
	if (endpoint_ok(m.url, &usable, e) < 0)
		return -1;
	if (!usable)
		return err_set(e, ERR_USAGE,
		    "--url wants https://HOST[:PORT]/PATH, or http:// of this "
		    "machine: mail would be read on its way");
	if (find_file(c, "key_file", &m.key_file, e) < 0 ||
	    find_file(c, "ca", &m.ca_file, e) < 0 ||
	    check_key(c, m.key_file, e) < 0 ||
	    store_model_add(c->store, &m, e) < 0)
		return -1;
	(void)str_cut(m.url, '?', &shown, &rest);
	c->done = str_fmt(c->arena, "%.*s%s", STR_ARG(shown),
	    m.key_file.n > 0 ? ", with a key" : "");
	buf_fmt(c->out, "added %.*s\n", STR_ARG(m.name));
	return 0;
}

int
admin_model_remove(struct admin_call *c, struct err *e)
{
	struct str name = args_text(c->args, "model");

	if (store_model_remove(c->store, name, e) < 0)
		return -1;
	buf_fmt(c->out, "removed %.*s\n", STR_ARG(out_line(c->arena, name)));
	return 0;
}

struct models {
	struct store_model *v;
	size_t n;
	struct str def; /* the default's name, or empty */
};

static int
read_models(struct admin_call *c, struct models *m, struct err *e)
{
	*m = (struct models){ 0 };
	if (store_model_list(c->store, c->arena, &m->v, &m->n, e) < 0 ||
	    store_setting_get(c->store, c->arena, S(STORE_MODEL_DEFAULT),
		&m->def, e) < 0)
		return -1;
	if (m->n == 1)
		m->def = m->v[0].name;
	return 0;
}

static void
put_models_json(struct admin_call *c, const struct models *m)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "models");
	for (size_t i = 0; i < m->n; i++) {
		const struct store_model *v = &m->v[i];

		json_open_object(j, NULL);
		json_put_str(j, "name", v->name);
		json_put_str(j, "url", v->url);
		json_put_str(j, "id", v->id);
		json_put_str(j, "key_file", v->key_file);
		json_put_str(j, "ca", v->ca_file);
		json_put_bool(j, "default", str_eq(v->name, m->def));
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

int
admin_model_list(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("NAME"), SI("ID"),
		SI("URL"), SI("KEY FILE"), SI("DEFAULT") };
	struct models m;
	struct out_row *row;

	if (read_models(c, &m, e) < 0)
		return -1;
	if (args_has(c->args, "json")) {
		put_models_json(c, &m);
		return 0;
	}
	row = arena_array(c->arena, m.n + 1, sizeof(*row));
	row[0].cell = head;
	for (size_t i = 0; i < m.n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		cell[0] = m.v[i].name;
		cell[1] = out_line(c->arena, m.v[i].id);
		cell[2] = m.v[i].url;
		cell[3] = m.v[i].key_file.n > 0
		    ? out_line(c->arena, m.v[i].key_file)
		    : S("-");
		cell[4] = str_eq(m.v[i].name, m.def) ? S("yes") : S("-");
		row[i + 1].cell = cell;
	}
	out_table(c->out, row, m.n + 1, COLUMNS);
	return 0;
}
