/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the whole store: possible and current values. */
#include "gate/config.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/near.h"
#include "gate/grant.h"
#include "gate/notice.h"
#include "gate/setting.h"
#include "store/model.h"

int
config_find(struct arena *a, struct str key, const struct setting **out,
    struct err *e)
{
	struct strs known = { 0 };
	struct str near;

	for (*out = config_table; (*out)->name != NULL; (*out)++) {
		if (str_eq(key, str_of((*out)->name)))
			return 0;
		str_push(a, &known, str_of((*out)->name));
	}
	near = near_pick(key, &known);
	key = setting_quote(a, key);
	if (near.n > 0)
		return err_set(e, ERR_USAGE,
		    "unknown setting %.*s: did you mean %.*s?", STR_ARG(key),
		    STR_ARG(near));
	return err_set(e, ERR_USAGE,
	    "unknown setting %.*s: see emcli config list", STR_ARG(key));
}

static void
config_choices(const struct setting *s, struct str *first, struct str *last)
{
	(void)str_cut(str_of(s->choices), '|', first, last);
}

void
config_words(struct arena *a, const struct setting *s, struct strs *out)
{
	struct str word[2];

	if (s->choices == NULL)
		return;
	config_choices(s, &word[1], &word[0]);
	for (int i = 0; i < 2; i++)
		if (word[i].p[0] >= 'a' && word[i].p[0] <= 'z')
			str_push(a, out, word[i]);
}

struct str
config_default(struct arena *a, const struct setting *s)
{
	struct str first, last;

	if (s->choices == NULL)
		return str_fmt(a, "%u", s->assumed);
	config_choices(s, &first, &last);
	return last;
}

int
config_value(struct store *s, struct arena *a, const struct setting *row,
    struct str *out, struct err *e)
{
	int r = store_setting_get(s, a, str_of(row->name), out, e);

	if (r == 0)
		*out = config_default(a, row);
	return r < 0 ? -1 : 0;
}

/* Every skill in it must be valid now; later, invalid ones are left out. */
static int
config_read_skills(struct arena *a, struct str text, struct str *out,
    struct err *e)
{
	*out = text;
	if (text.n == 0 || text.p[0] != '/')
		return err_set(e, ERR_USAGE,
		    "give the folder of skills as an absolute path, such "
		    "as /etc/skills");
	return skill_dir_load(str_c(a, text), true, e);
}

/*
 * Absolute and without links, so that the folder checked here is the one opened
 * later; and only its owner can put files or links into it.
 */
static int
config_read_transcripts(struct arena *a, struct str text, struct str *out,
    struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	if (realpath(str_c(a, text), real) == NULL || stat(real, &st) < 0 ||
	    !S_ISDIR(st.st_mode)) {
		(void)err_set(e, ERR_USAGE,
		    "the folder for transcripts does not exist: make it first");
		return err_errno(e, "realpath");
	}
	if ((st.st_mode & 077) != 0 || st.st_uid != geteuid())
		return err_set(e, ERR_USAGE,
		    "others can read the folder for transcripts, which "
		    "contain mail: chmod 700 it");
	*out = str_dup(a, str_of(real));
	return 0;
}

static int
config_read_model(struct store *s, struct arena *a, struct str text,
    struct str *out, struct err *e)
{
	struct store_model *v;
	size_t n;

	*out = text;
	if (store_model_list(s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].name, text))
			return 0;
	return err_set(e, ERR_NOT_FOUND,
	    "the model does not exist: see emcli model list");
}

/*
 * A program runs with this user's rights when nobody watches it, so what it is
 * of must be safe now.  It is looked at again before each run.
 */
static int
config_read_notify(struct store *s, struct arena *a, struct str text,
    struct str *out, struct err *e)
{
	struct str address;
	int r = notice_text_address(a, text, &address, e);

	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < ' ' && text.p[i] != '\t')
			return err_set(e, ERR_USAGE, "notify is one line");
	*out = text;
	if (r > 0)
		*out = str_fmt(a, "mailto:%.*s", STR_ARG(address));
	if (r == 0)
		r = notice_run_check(str_c(a, text), store_open_path(s),
		    geteuid(), e);
	if (r < 0)
		e->kind = ERR_USAGE;
	return r < 0 ? -1 : 0;
}

static int
config_read_number(struct arena *a, const struct setting *row, struct str text,
    struct str *out, struct err *e)
{
	uint32_t n = 0;

	if (!str_to_u32(text, row->max, &n) || n < row->min)
		return err_set(e, ERR_USAGE, "%s is a number from %u to %u",
		    row->name, row->min, row->max);
	*out = str_fmt(a, "%u", n);
	return 0;
}

int
config_read(struct store *s, struct arena *a, const struct setting *row,
    struct str text, struct str *out, struct err *e)
{
	struct str first, last;

	*out = text;
	if (row->type == SETTING_COUNT)
		return config_read_number(a, row, text, out, e);
	config_choices(row, &first, &last);
	if (str_eq(text, last))
		return 0;
	if (row->type == SETTING_NOTIFY &&
	    (text.n == 0 || str_eq(text, S("none")))) {
		*out = last;
		return 0;
	}
	if (row->type == SETTING_NOTIFY)
		return config_read_notify(s, a, text, out, e);
	if (row->type == SETTING_MODEL)
		return config_read_model(s, a, text, out, e);
	if (row->type == SETTING_SKILLS)
		return config_read_skills(a, text, out, e);
	if (row->type == SETTING_TRANSCRIPTS)
		return config_read_transcripts(a, text, out, e);
	if (str_eq(text, first))
		return 0;
	return err_set(e, ERR_USAGE, "%s is %.*s or %.*s", row->name,
	    STR_ARG(last), STR_ARG(first));
}

struct str
config_remark(struct store *s, struct arena *a, const struct setting *row,
    struct str value)
{
	struct str address, why = S("");
	struct err unused = { 0 };

	if (row->type == SETTING_NOTIFY &&
	    !str_eq(value, config_default(a, row)) &&
	    notice_text_address(a, value, &address, &unused) == 0)
		(void)notice_run_in_broker(a, str_c(a, value),
		    store_open_path(s), &why);
	return why;
}
