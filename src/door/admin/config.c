/* emcli config: settings of the whole store. */
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/near.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/grant.h"
#include "store/model.h"

enum {
	COLUMNS = 5
};

/* What can be set.  The store keeps more, which is nobody's to change. */
static const struct setting {
	const char *key;
	uint32_t min, max, def;
	const char *words[3]; /* it is one of them, not a number; def and max
			       * are their positions */
	const char *means;
} settings[] = {
	{ "approval_hours", 1, LIMIT_APPROVAL_HOURS, LIMIT_APPROVAL_S / 3600,
	    { 0 }, "hours for which what is held can be released" },
	{ "audit_retention_days", 0, 36500, 90, { 0 },
	    "days a row of the audit log is kept; 0 keeps all" },
	{ "audit_syslog", 0, 1, 0, { "off", "on" },
	    "copy each row of the audit log to syslog when it is done" },
	{ STORE_MODEL_DEFAULT, 0, 1, 0, { "none", "MODEL" },
	    "the model that ask asks when it is told none" },
	{ "list_limit_default", 1, LIMIT_PAGE, LIMIT_PAGE_DEFAULT, { 0 },
	    "messages that list and search give when --limit is not said" },
	{ "mcp_approve", 0, 1, 0, { "operator", "client" },
	    "who lets go of what is held: the operator alone, or the users of "
	    "MCP clients, too" },
	{ "mcp_max_body", 200, LIMIT_WINDOW, LIMIT_WINDOW_DEFAULT, { 0 },
	    "bytes of text that get gives at once over MCP when max_body is "
	    "not said" },
	{ "skill_idle_seconds", 1, 86400, LIMIT_LEASE_IDLE_S, { 0 },
	    "seconds a loaded skill may lie unused" },
	{ "skill_lease_seconds", 1, 86400, LIMIT_LEASE_S, { 0 },
	    "seconds after which a loaded skill has to be loaded again" },
	{ "skill_uses", 0, 1000000, 0, { 0 },
	    "calls a loaded skill is good for; 0 for any number" },
	{ "skills", 0, 1, 0, { "always", "grant" },
	    "whether mail operations are always there, or need load-skill" },
	{ "skills_dir", 0, 1, 0, { "none", "FOLDER" },
	    "skills of your own, beside ours; looked at when it is set" },
	{ "timeout_seconds", 1, 3600, LIMIT_TIMEOUT_MS / 1000, { 0 },
	    "seconds an operation may take" },
	{ "transcript_dir", 0, 1, 0, { "none", "FOLDER" },
	    "where ask keeps the conversations that are to be kept" },
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

const char *
config_at(size_t n)
{
	return n < SETTINGS ? settings[n].key : NULL;
}

void
config_words(struct arena *a, size_t n, struct strs *out)
{
	for (int i = 0; i < 2 && settings[n].words[i] != NULL; i++) {
		struct str word = str_of(settings[n].words[i]);

		/* MODEL and FOLDER stand for any. */
		if (word.p[0] >= 'a' && word.p[0] <= 'z')
			str_push(a, out, word);
	}
}

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
	if (s->words[0] != NULL)
		return str_of(s->words[n]);
	return str_fmt(c->arena, "%u", n);
}

/* Every skill in it must be one; later, what is none is left out. */
static int
read_skills(const struct admin_call *c, struct str text, struct str *out,
    struct err *e)
{
	*out = text;
	if (text.n == 0 || text.p[0] != '/')
		return err_set(e, ERR_USAGE,
		    "a folder of skills is named from the root, as "
		    "/etc/skills");
	return skill_dir_load(str_c(c->arena, text), true, e);
}

/*
 * Whole, without a link on the way, so that what is checked here is what is
 * opened later; and nobody else's to put files or links into.
 */
static int
read_transcripts(const struct admin_call *c, struct str text, struct str *out,
    struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	if (realpath(str_c(c->arena, text), real) == NULL ||
	    stat(real, &st) < 0 || !S_ISDIR(st.st_mode)) {
		(void)err_set(e, ERR_USAGE,
		    "there is no such folder for transcripts: make it first");
		return err_errno(e, "realpath");
	}
	if ((st.st_mode & 077) != 0 || st.st_uid != geteuid())
		return err_set(e, ERR_USAGE,
		    "a folder for transcripts is yours alone, for there is "
		    "mail in them: chmod 700 it");
	*out = str_dup(c->arena, str_of(real));
	return 0;
}

static int
read_model(const struct admin_call *c, struct str text, struct str *out,
    struct err *e)
{
	struct store_model *v;
	size_t n;

	*out = text;
	if (store_model_list(c->store, c->arena, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].name, text))
			return 0;
	return err_set(e, ERR_NOT_FOUND,
	    "there is no such model: see emcli model list");
}

/* Where the second word stands for something that has to be there. */
static const struct {
	const char *key;
	int (*read)(const struct admin_call *c, struct str text,
	    struct str *out, struct err *e);
} named[] = {
	{ STORE_MODEL_DEFAULT, read_model },
	{ "skills_dir", read_skills },
	{ "transcript_dir", read_transcripts },
};

/* As it is written: a number without zeros in front. */
static int
read_value(const struct admin_call *c, const struct setting *s, struct str text,
    struct str *out, struct err *e)
{
	uint32_t n = 0;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (strcmp(s->key, named[i].key) == 0 &&
		    !str_eq(text, str_of(s->words[0])))
			return named[i].read(c, text, out, e);
	if (s->words[0] != NULL) {
		*out = text;
		if (!str_eq(text, str_of(s->words[0])) &&
		    !str_eq(text, str_of(s->words[1])))
			return err_set(e, ERR_USAGE, "%s is %s or %s", s->key,
			    s->words[s->def], s->words[!s->def]);
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
		if (s->words[0] != NULL) {
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
		cells[i][3] = s->words[0] != NULL
		    ? str_fmt(c->arena, "%s|%s", s->words[!s->def],
			  s->words[s->def])
		    : str_fmt(c->arena, "%u-%u", s->min, s->max);
		cells[i][4] = str_of(s->means);
		rows[i + 1].cell = cells[i];
	}
	out_table(c->out, rows, SETTINGS + 1, COLUMNS);
	return 0;
}
