/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table Key | Backend | Value: the settings of a declaration.  Others
 * interpret the keys.
 */
#include "base/limits.h"
#include "source/internal.h"

/* A source's name, or empty for a word that means all of them. */
static struct str
declare_setting_whose(struct str cell)
{
	static const struct str every[] = { SI("all"), SI("any"), SI("-"),
		SI("*") };

	cell = declare_row_bare(cell);
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++)
		if (str_eq_case(cell, every[i]))
			return S("");
	return cell;
}

void
declare_setting_read(struct arena *a, struct declare *d, unsigned line,
    const struct str *cell)
{
	struct declare_setting s = {
		.key = declare_row_bare(cell[0]),
		.backend = declare_setting_whose(cell[1]),
		.value = declare_row_bare(cell[2]),
		.line = line,
	};

	if (declare_row_is_todo(cell[0]) || declare_row_is_todo(cell[2])) {
		declare_remark(a, d, DECLARE_NOTE, line,
		    "a setting that is still to be filled in was skipped");
		return;
	}
	for (size_t i = 0; i < d->settings; i++) {
		if (str_eq(d->setting[i].key, s.key) &&
		    str_eq(d->setting[i].backend, s.backend)) {
			declare_remark(a, d, DECLARE_ERROR, line,
			    "\"%.*s\" is already set in line %u",
			    STR_ARG(s.key), d->setting[i].line);
			return;
		}
	}
	if (d->setting == NULL)
		d->setting =
		    arena_array(a, LIMIT_SETTINGS, sizeof(*d->setting));
	if (d->settings == LIMIT_SETTINGS)
		declare_remark(a, d, DECLARE_ERROR, line,
		    "there are more than %d settings", LIMIT_SETTINGS);
	else
		d->setting[d->settings++] = s;
}

bool
declare_setting_is_of(const struct declare_setting *s,
    const struct declare_row *row, const struct role_source *account)
{
	return s->backend.n == 0 || str_eq(s->backend, row->name) ||
	    str_eq(s->backend, account->name) ||
	    str_eq(s->backend, account->backend);
}
