/* emcli config: settings of the whole store. */
#include "base/limits.h"
#include "door/admin/internal.h"
#include "door/near.h"
#include "door/out.h"

/* What can be set.  The store keeps more, which is nobody's to change. */
static const struct setting {
	const char *key;
	uint32_t min, max, def;
	const char *unit;
} settings[] = {
	{ "audit_retention_days", 0, 36500, 90, "days; 0 keeps all" },
	{ "timeout_seconds", 1, 3600, LIMIT_TIMEOUT_MS / 1000, "seconds" },
};

enum {
	SETTINGS = sizeof(settings) / sizeof(settings[0])
};

const struct arg_spec config_set_args[] = {
	{ .name = "key",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "audit_retention_days or timeout_seconds" },
	{ .name = "value",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "a number" },
	{ 0 },
};

const struct arg_spec config_get_args[] = {
	{ .name = "key",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "audit_retention_days or timeout_seconds" },
	{ 0 },
};

const struct arg_spec config_list_args[] = {
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
	return err_set(e, ERR_USAGE, "unknown setting %.*s", STR_ARG(key));
}

static int
value(struct admin_call *c, const struct setting *s, struct str *out,
    struct err *e)
{
	int r = store_setting_get(c->store, c->arena, str_of(s->key), out, e);

	if (r == 0)
		*out = str_fmt(c->arena, "%u", s->def);
	return r < 0 ? -1 : 0;
}

int
config_set(struct admin_call *c, struct err *e)
{
	struct str text = args_text(c->args, "value");
	const struct setting *s;
	uint32_t n;

	if (find(c, &s, e) < 0)
		return -1;
	if (!str_to_u32(text, s->max, &n) || n < s->min)
		return err_set(e, ERR_USAGE, "%s is a number from %u to %u",
		    s->key, s->min, s->max);
	/* As a number is written, without zeros in front. */
	text = str_fmt(c->arena, "%u", n);
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

int
config_list(struct admin_call *c, struct err *e)
{
	for (int i = 0; i < SETTINGS; i++) {
		struct str text;

		if (value(c, &settings[i], &text, e) < 0)
			return -1;
		buf_fmt(c->out, "%s = %.*s  (%s)\n", settings[i].key,
		    STR_ARG(text), settings[i].unit);
	}
	return 0;
}
