/* emcli canary: words that have no business in what leaves. */
#include "base/json.h"
#include "base/utf8.h"
#include "door/admin/approve.h"
#include "door/out.h"
#include "store/outbox.h"

const struct arg_spec canary_change_args[] = {
	{ .name = "word",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_MANY | ARG_POSITIONAL | ARG_QUIET,
	    .help = "at least 8 bytes; mail with it is held" },
	{ 0 },
};

const struct arg_spec canary_list_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of lines" },
	{ 0 },
};

static int
each(struct admin_call *c, const char *done,
    int (*fn)(struct store *s, struct str word, struct err *e), struct err *e)
{
	const struct strs *words = args_list(c->args, "word");

	for (size_t i = 0; i < words->n; i++) {
		if (!utf8_valid(words->v[i]))
			return err_set(e, ERR_USAGE, "a canary is UTF-8");
		if (fn(c->store, words->v[i], e) < 0)
			return -1;
		buf_fmt(c->out, "%s %.*s\n", done,
		    STR_ARG(picture_text(c->arena, words->v[i], false)));
	}
	return 0;
}

int
canary_add(struct admin_call *c, struct err *e)
{
	return each(c, "added", store_canary_add, e);
}

int
canary_remove(struct admin_call *c, struct err *e)
{
	return each(c, "removed", store_canary_remove, e);
}

int
canary_list(struct admin_call *c, struct err *e)
{
	struct json *j = json_new(c->arena);
	struct strs words;

	if (store_canary_list(c->store, c->arena, &words, e) < 0)
		return -1;
	json_open_object(j, NULL);
	json_open_array(j, "canaries");
	for (size_t i = 0; i < words.n; i++) {
		json_put_str(j, NULL, words.v[i]);
		if (!args_has(c->args, "json"))
			buf_fmt(c->out, "%.*s\n",
			    STR_ARG(picture_text(c->arena, words.v[i], false)));
	}
	json_close_array(j);
	json_close_object(j);
	if (args_has(c->args, "json")) {
		out_json(c->out, c->arena, j);
	}
	return 0;
}
