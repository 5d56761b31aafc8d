/* SPDX-License-Identifier: Apache-2.0 */
/* emcli config set. */
#include "desk/config_shown.h"
#include "desk/desk.h"
#include "desk/note.h"
#include "store/store.h"

static const struct arg_spec args[] = {
	{ CONFIG_SHOWN_KEY },
	{ "value", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "a number, a word, or the line of a command" },
	{ 0 },
};

static const struct field result[] = {
	{ "key", FIELD_TEXT, .help = "the setting" },
	{ "was", FIELD_TEXT, .help = "its value before" },
	{ "value", FIELD_TEXT, .help = "its value now, as it is kept" },
	NOTE_FIELD,
	{ 0 },
};

static int
config_set_run(struct call *c, struct json *out, struct err *e)
{
	struct str text = args_text(c->args, "value"), old;
	struct store *store = operate_store(c);
	struct notes notes = { .c = c };
	const struct setting *s;
	struct str remark;

	if (config_find(c->arena, args_text(c->args, "key"), &s, e) < 0 ||
	    config_value(store, c->arena, s, &old, e) < 0 ||
	    config_read(store, c->arena, s, text, &text, e) < 0 ||
	    store_setting_set(store, str_of(s->name), text, e) < 0)
		return -1;
	c->note = str_fmt(c->arena, "%s: %.*s -> %.*s", s->name, STR_ARG(old),
	    STR_ARG(text));
	json_put_text(out, "key", s->name);
	json_put_str(out, "was", old);
	json_put_str(out, "value", text);
	/* The person has just set it: no other message is needed. */
	remark = config_remark(store, c->arena, s, text);
	if (remark.n > 0)
		note_say(&notes, "%.*s", STR_ARG(remark));
	else
		gate_say_raw(c, S(""));
	json_put_strs(out, "notes", &notes.text);
	return 0;
}

const struct op desk_config_set = {
	.name = "config set",
	.shows = "emcli config list",
	.summary = "Change a setting",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = config_set_run,
};
