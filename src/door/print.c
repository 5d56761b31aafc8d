/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that only print: help, schemas, the manual, completion. */
#include "base/json.h"
#include "base/limits.h"
#include "door/completion.h"
#include "door/internal.h"
#include "door/libraries.h"
#include "door/line.h"
#include "door/out.h"
#include "op/op.h"

int
print_help(const struct line *l, struct err *e)
{
	struct str words;
	struct buf b;

	buf_init(&b, l->a, 1 << 20);
	words = line_join(l, l->argc);
	if (l->argc == 0)
		help_put(&b);
	else if (!help_command(&b, words))
		return words_unknown(l, e);
	return out_done(&b);
}

int
print_brief(const struct line *l)
{
	struct buf b;

	buf_init(&b, l->a, 1 << 16);
	help_brief(&b);
	return out_done(&b);
}

int
print_schema(const struct line *l, struct err *e)
{
	struct json *j = json_new(l->a);
	const struct op *op = NULL;
	struct buf b;

	if (l->argc > 0) {
		int words = 1;

		op = op_find(str_of(l->argv[0]));
		if (op == NULL)
			op = op_find_mail(str_of(l->argv[0]));
		if (op == NULL)
			op = words_find_desk(l, &words);
		if (op == NULL || l->argc > words)
			return words_unknown(l, e);
		op_schema_put(j, NULL, op);
	} else {
		op_schema_put_all(j, 0);
	}
	buf_init(&b, l->a, LIMIT_MESSAGE);
	out_json(&b, l->a, j);
	return out_done(&b);
}

int
print_part(const struct line *l, const char *choices,
    bool (*put)(struct buf *b, struct str word))
{
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, l->a, LIMIT_MESSAGE);
	if (l->argc == 1 && put(&b, str_of(l->argv[0])))
		return out_done(&b);
	(void)err_set(&e, ERR_USAGE, "give one of %s", choices);
	out_complain(&e, false);
	return 2;
}

int
print_completion(const struct line *l, const struct env *env)
{
	struct buf b;

	buf_init(&b, l->a, LIMIT_MESSAGE);
	if (l->argc == 1 && completion_values_put(&b, env, str_of(l->argv[0])))
		return out_done(&b);
	return print_part(l, "bash, zsh, fish", completion_put);
}

static void
print_build(struct buf *b, const char *commit)
{
	struct json *j = json_new(b->a);

	json_open_object(j, NULL);
	json_put_text(j, "version", EMCLI_VERSION);
	json_put_str_or_null(j, "commit", str_of(commit));
	json_open_object(j, "libraries");
	for (const struct library *l = libraries_all; l->name != NULL; l++)
		json_put_text(j, l->name, l->version);
	json_close_object(j);
	json_close_object(j);
	out_json(b, b->a, j);
}

int
print_version(const struct line *l, const char *commit)
{
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, l->a, 1 << 12);
	if (l->argc == 0) {
		buf_text(&b, "emcli " EMCLI_VERSION "\n");
	} else if (l->argc == 1 && line_is_word(l, "--json", NULL)) {
		print_build(&b, commit);
	} else {
		(void)err_set(&e, ERR_USAGE,
		    "version takes --json and nothing else");
		out_complain(&e, false);
		return 2;
	}
	return out_done(&b);
}
