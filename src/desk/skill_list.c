/* SPDX-License-Identifier: Apache-2.0 */
/* emcli skill list: the catalogue as it is served. */
#include "desk/desk.h"
#include "desk/skill_own.h"

static const struct field resources[] = {
	{ "path", FIELD_TEXT, .help = "as references/warnings.md" },
	{ "digest", FIELD_TEXT, .help = "of its text" },
	{ 0 },
};

static const struct field skills[] = {
	{ "name", FIELD_TEXT, .help = "its name for load_skill" },
	{ "label", FIELD_TEXT, .help = "its name for people" },
	{ "description", FIELD_TEXT, .help = "when to load it" },
	{ "from", FIELD_TEXT, .help = "emcli, or skills_dir" },
	{ "digest", FIELD_TEXT, .help = "of SKILL.md" },
	{ "bytes", FIELD_INT, .help = "of SKILL.md" },
	{ "tokens", FIELD_INT,
	    .help = "length of its text for a model: bytes divided by four" },
	{ "operations", FIELD_TEXTS, .help = "its operations" },
	{ "resources", FIELD_OBJECTS, .help = "its other files",
	    .sub = resources },
	{ 0 },
};

static const struct field left_out[] = {
	{ "folder", FIELD_TEXT, .help = "its name in skills_dir" },
	{ "why", FIELD_TEXT, .help = "what is wrong with it" },
	{ 0 },
};

static const struct field result[] = {
	{ "skills", FIELD_OBJECTS, .help = "the skills", .sub = skills },
	{ "left_out", FIELD_OBJECTS, .help = "folders that are not skills",
	    .sub = left_out },
	{ 0 },
};

static void
skill_list_put_files(struct json *j, const struct skill_file *f)
{
	json_open_array(j, "resources");
	for (; f->path != NULL; f++) {
		json_open_object(j, NULL);
		json_put_text(j, "path", f->path);
		json_put_text(j, "digest", f->digest);
		json_close_object(j);
	}
	json_close_array(j);
}

static void
skill_list_put(struct json *j, const struct skill *s)
{
	json_open_object(j, NULL);
	json_put_text(j, "name", s->name);
	json_put_text(j, "label", s->label);
	json_put_text(j, "description", s->description);
	json_put_text(j, "from", s->added ? "skills_dir" : "emcli");
	json_put_text(j, "digest", s->digest);
	json_put_int(j, "bytes", (int64_t)s->file.n);
	json_put_int(j, "tokens", (int64_t)skill_own_tokens(s->body.n));
	json_open_array(j, "operations");
	for (size_t i = 0; s->ops[i] != NULL; i++)
		json_put_text(j, NULL, s->ops[i]);
	json_close_array(j);
	skill_list_put_files(j, s->resources);
	json_close_object(j);
}

static void
skill_list_put_left(struct call *c, struct json *j, const struct skill_left *l)
{
	json_open_object(j, NULL);
	json_put_text(j, "folder", l->name);
	json_put_text(j, "why", l->why);
	json_close_object(j);
	gate_tell(c, "skipped in skills_dir: %s: %s", l->name, l->why);
}

static int
skill_list_run(struct call *c, struct json *out, struct err *e)
{
	const struct skill_left *l;
	const struct skill *s;

	(void)e;
	skill_own_add(c);
	json_open_array(out, "skills");
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		skill_list_put(out, s);
	json_close_array(out);
	json_open_array(out, "left_out");
	for (size_t i = 0; (l = skill_dir_left(i)) != NULL; i++)
		skill_list_put_left(c, out, l);
	json_close_array(out);
	return 0;
}

const struct op desk_skill_list = {
	.name = "skill list",
	.summary = "List the skills and their operations",
	.effect = EFFECT_OPERATE,
	.args = args_none,
	.result = result,
	.columns = "name label from tokens operations",
	.run = skill_list_run,
};
