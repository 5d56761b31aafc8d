/* emcli config: settings of the whole store. */
#include "base/json.h"
#include "base/limits.h"
#include "base/near.h"
#include "door/admin/internal.h"
#include "door/out.h"

enum {
	COLUMNS = 5
};

/* What can be set.  The store keeps more, which is nobody's to change. */
static const struct setting {
	const char *key;
	uint32_t min, max, def;
	bool flag; /* "on" or "off", not a number; def 0 is off */
	const char *means;
} settings[] = {
	{ "approval_hours", 1, LIMIT_APPROVAL_HOURS, LIMIT_APPROVAL_S / 3600,
	    false, "hours for which what is held can be released" },
	{ "audit_retention_days", 0, 36500, 90, false,
	    "days a row of the audit log is kept; 0 keeps all" },
	{ "audit_syslog", 0, 1, 0, true,
	    "copy each row of the audit log to syslog when it is done" },
	{ "list_limit_default", 1, LIMIT_PAGE, LIMIT_PAGE_DEFAULT, false,
	    "messages that list and search give when --limit is not said" },
	{ "timeout_seconds", 1, 3600, LIMIT_TIMEOUT_MS / 1000, false,
	    "seconds an operation may take" },
};

enum {
	SETTINGS = sizeof(settings) / sizeof(settings[0])
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
	    .help = "a number, or on or off" },
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

static int
find(const struct admin_call *c, const struct setting **out, struct err *e)
{
	struct str key = args_text(c->args, "key"), near;
	struct strs known = { 0 };

	for (int i = 0; i < SETTINGS; i++) {
		*out = &settings[i];
		if (str_eq(key, str_of(settings[i].key)))
			return 0;
		str_push(c->arena, &known, str_of(settings[i].key));
	}
	near = near_pick(key, &known);
	key = out_quote(c->arena, key);
	if (near.n > 0)
		return err_set(e, ERR_USAGE,
		    "unknown setting %.*s: did you mean %.*s?", STR_ARG(key),
		    STR_ARG(near));
	return err_set(e, ERR_USAGE,
	    "unknown setting %.*s: see emcli config list", STR_ARG(key));
}

static struct str
spell(const struct admin_call *c, const struct setting *s, uint32_t n)
{
	if (s->flag)
		return n > 0 ? S("on") : S("off");
	return str_fmt(c->arena, "%u", n);
}

/* As it is written: a number without zeros in front. */
static int
read_value(const struct admin_call *c, const struct setting *s, struct str text,
    struct str *out, struct err *e)
{
	uint32_t n = 0;

	if (s->flag) {
		if (!str_eq(text, S("on")) && !str_eq(text, S("off")))
			return err_set(e, ERR_USAGE, "%s is on or off", s->key);
		*out = text;
		return 0;
	}
	if (!str_to_u32(text, s->max, &n) || n < s->min)
		return err_set(e, ERR_USAGE, "%s is a number from %u to %u",
		    s->key, s->min, s->max);
	*out = spell(c, s, n);
	return 0;
}

static int
value(struct admin_call *c, const struct setting *s, struct str *out,
    struct err *e)
{
	int r = store_setting_get(c->store, c->arena, str_of(s->key), out, e);

	if (r == 0)
		*out = spell(c, s, s->def);
	return r < 0 ? -1 : 0;
}

int
config_set(struct admin_call *c, struct err *e)
{
	struct str text = args_text(c->args, "value"), old;
	const struct setting *s;

	if (find(c, &s, e) < 0 || value(c, s, &old, e) < 0 ||
	    read_value(c, s, text, &text, e) < 0)
		return -1;
	c->done = str_fmt(c->arena, "%s: %.*s -> %.*s", s->key, STR_ARG(old),
	    STR_ARG(text));
	return store_setting_set(c->store, str_of(s->key), text, e);
}

int
config_get(struct admin_call *c, struct err *e)
{
	const struct setting *s;
	struct str text;

	if (find(c, &s, e) < 0 || value(c, s, &text, e) < 0)
		return -1;
	buf_fmt(c->out, "%.*s\n", STR_ARG(text));
	return 0;
}

static int
put_json(struct admin_call *c, struct err *e)
{
	struct json *j = json_new(c->arena);
	uint32_t n;

	json_open_object(j, NULL);
	json_open_array(j, "settings");
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];
		struct str text;

		if (value(c, s, &text, e) < 0)
			return -1;
		json_open_object(j, NULL);
		json_put_text(j, "key", s->key);
		if (s->flag) {
			json_put_str(j, "value", text);
			json_put_str(j, "default", spell(c, s, s->def));
		} else {
			n = s->def;
			(void)str_to_u32(text, UINT32_MAX, &n);
			json_put_int(j, "value", n);
			json_put_int(j, "default", s->def);
			json_put_int(j, "min", s->min);
			json_put_int(j, "max", s->max);
		}
		json_put_text(j, "means", s->means);
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}

int
config_list(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("KEY"), SI("VALUE"),
		SI("DEFAULT"), SI("RANGE"), SI("MEANING") };
	struct str cells[SETTINGS][COLUMNS];
	struct out_row rows[SETTINGS + 1] = { { head } };

	if (args_has(c->args, "json"))
		return put_json(c, e);
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];

		cells[i][0] = str_of(s->key);
		if (value(c, s, &cells[i][1], e) < 0)
			return -1;
		cells[i][1] = out_line(c->arena, cells[i][1]);
		cells[i][2] = spell(c, s, s->def);
		cells[i][3] = s->flag
		    ? S("on|off")
		    : str_fmt(c->arena, "%u-%u", s->min, s->max);
		cells[i][4] = str_of(s->means);
		rows[i + 1].cell = cells[i];
	}
	out_table(c->out, rows, SETTINGS + 1, COLUMNS);
	return 0;
}
