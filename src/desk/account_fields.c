/* SPDX-License-Identifier: Apache-2.0 */
/* An account's settings as members, no secret in it. */
#include "desk/account_fields.h"

#include "gate/setting.h"

void
account_fields_put(struct json *j, struct arena *a,
    const struct store_account *v)
{
	json_put_str(j, "name", v->name);
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];

		if (s->type >= SETTING_PORT)
			json_put_int(j, s->name,
			    (int64_t)account_value_number(s, v));
		else if (s->type >= SETTING_SWITCH)
			json_put_bool(j, s->name,
			    str_eq(setting_text(a, s, v), S("on")));
		else
			json_put_str(j, s->name, setting_text(a, s, v));
	}
	json_put_bool(j, "has_password", v->has_password);
}
