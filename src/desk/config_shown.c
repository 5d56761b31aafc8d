/* SPDX-License-Identifier: Apache-2.0 */
/* A setting of the whole store, and what is known about it. */
#include "desk/config_shown.h"

const struct field config_shown_fields[] = {
	{ "key", FIELD_TEXT, .help = "its name" },
	{ "value", FIELD_VALUE, .help = "what is set, or assumed" },
	{ "default", FIELD_VALUE, .help = "what is assumed" },
	{ "min", FIELD_INT, .optional = true, .help = "the least of a number" },
	{ "max", FIELD_INT, .optional = true, .help = "the most of it" },
	{ "range", FIELD_TEXT, .help = "what it may be, as 1-3600 or on|off" },
	{ "means", FIELD_TEXT, .help = "what it is for" },
	{ 0 },
};

void
config_shown_put(struct json *j, struct arena *a, const struct setting *s,
    struct str text)
{
	uint32_t n = s->assumed;

	json_put_text(j, "key", s->name);
	if (s->choices != NULL) {
		json_put_str(j, "value", text);
		json_put_str(j, "default", config_default(a, s));
		json_put_text(j, "range", s->choices);
	} else {
		(void)str_to_u32(text, UINT32_MAX, &n);
		json_put_int(j, "value", n);
		json_put_int(j, "default", s->assumed);
		json_put_int(j, "min", s->min);
		json_put_int(j, "max", s->max);
		json_put_str(j, "range", str_fmt(a, "%u-%u", s->min, s->max));
	}
	json_put_text(j, "means", s->means);
}
