/* emcli config: settings of the whole store. */
#include "gate/config.h"
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"

enum {
	COLUMNS = 5
};

#define KEY                                                                    \
	.name = "key", .type = ARG_TEXT,                                       \
	.flags = ARG_REQUIRED | ARG_POSITIONAL,                                \
	.help = "its name, as emcli config list shows it"

const struct arg_spec config_set_args[] = {
	{ KEY },
	{ .name = "value",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "a number or a word" },
	{ 0 },
};

const struct arg_spec config_get_args[] = {
	{ KEY },
	{ 0 },
};

const struct arg_spec config_list_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

int
config_set(struct admin_call *c, struct err *e)
{
	struct str text = args_text(c->args, "value"), old;
	const struct setting *s;

	if (config_find(c->arena, args_text(c->args, "key"), &s, e) < 0 ||
	    config_value(c->store, c->arena, s, &old, e) < 0 ||
	    config_read(c->store, c->arena, s, text, &text, e) < 0)
		return -1;
	c->done = str_fmt(c->arena, "%s: %.*s -> %.*s", s->name, STR_ARG(old),
	    STR_ARG(text));
	return store_setting_set(c->store, str_of(s->name), text, e);
}

int
config_get(struct admin_call *c, struct err *e)
{
	const struct setting *s;
	struct str text;

	if (config_find(c->arena, args_text(c->args, "key"), &s, e) < 0 ||
	    config_value(c->store, c->arena, s, &text, e) < 0)
		return -1;
	buf_fmt(c->out, "%.*s\n", STR_ARG(text));
	return 0;
}

static void
config_put_one(struct json *j, struct arena *a, const struct setting *s,
    struct str text)
{
	uint32_t n = s->assumed;

	json_open_object(j, NULL);
	json_put_text(j, "key", s->name);
	if (s->choices != NULL) {
		json_put_str(j, "value", text);
		json_put_str(j, "default", config_default(a, s));
	} else {
		(void)str_to_u32(text, UINT32_MAX, &n);
		json_put_int(j, "value", n);
		json_put_int(j, "default", s->assumed);
		json_put_int(j, "min", s->min);
		json_put_int(j, "max", s->max);
	}
	json_put_text(j, "means", s->means);
	json_close_object(j);
}

static int
config_put_json(struct admin_call *c, struct err *e)
{
	struct json *j = json_new(c->arena);
	struct str text;

	json_open_object(j, NULL);
	json_open_array(j, "settings");
	for (const struct setting *s = config_table; s->name != NULL; s++) {
		if (config_value(c->store, c->arena, s, &text, e) < 0)
			return -1;
		config_put_one(j, c->arena, s, text);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}

static int
config_fill_row(struct admin_call *c, const struct setting *s, struct str *cell,
    struct err *e)
{
	struct arena *a = c->arena;

	cell[0] = str_of(s->name);
	if (config_value(c->store, a, s, &cell[1], e) < 0)
		return -1;
	cell[1] = out_line(a, cell[1]);
	cell[2] = config_default(a, s);
	cell[3] = s->choices != NULL ? str_of(s->choices)
				     : str_fmt(a, "%u-%u", s->min, s->max);
	cell[4] = str_of(s->means);
	return 0;
}

int
config_list(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("KEY"), SI("VALUE"),
		SI("DEFAULT"), SI("RANGE"), SI("MEANING") };
	struct out_row *rows;
	size_t n = 0;

	if (args_has(c->args, "json"))
		return config_put_json(c, e);
	while (config_table[n].name != NULL)
		n++;
	rows = arena_array(c->arena, n + 1, sizeof(*rows));
	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));

		if (config_fill_row(c, &config_table[i], cell, e) < 0)
			return -1;
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	return 0;
}
