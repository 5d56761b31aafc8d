/* A model's arguments, and the mailbox among them. */
#include "base/limits.h"
#include "door/given.h"
#include "door/skills/internal.h"

/* Does the door itself say it? */
static bool
is_ours(const struct arg_spec *s)
{
	return s->type == ARG_ACCOUNT || str_eq(str_of(s->name), S("lease"));
}

/* The account, by the mailbox named or because there is one. */
static int
read_mailbox(struct skills_call *c, const struct json_value *given,
    struct args *out, struct str *say, struct err *e)
{
	const struct boxes_row *box;
	struct str value = { 0 };

	(void)json_parse_str(json_parse_member(given, "mailbox"), &value);
	box = selector_find(&c->boxes, c->arena, value, say);
	if (box == NULL && say->n > 0)
		return err_set(e, ERR_USAGE, "%.*s", STR_ARG(*say));
	for (size_t i = 0; box != NULL && i < out->n; i++)
		if (out->v[i].spec->type == ARG_ACCOUNT)
			return args_add(out, c->arena, &out->v[i], box->name,
			    e);
	return 0;
}

static int
read_object(struct skills_call *c, const struct op *op,
    const struct json_value *given, struct args *out, struct str *say,
    struct err *e)
{
	bool chooses = (op->needs & NEED_ACCOUNT) != 0;
	bool selects = chooses && c->boxes.shown.labels.n > 0;
	struct given_own own = { selects ? "mailbox" : NULL, is_ours };

	if (chooses && read_mailbox(c, given, out, say, e) < 0)
		return -1;
	return given_read(given, &own, c->arena, out, e);
}

int
arguments_read(struct skills_call *c, const struct op *op,
    const struct turn_call *call, struct args *out, struct str *say,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *given = NULL;

	args_init(out, op->args, c->arena);
	/* No arguments at all are written in both ways. */
	if (str_trim(call->args).n > 0) {
		if (json_parse_open(call->args, LIMIT_ARGV, &d, e) < 0)
			return -1;
		given = json_parse_root(d);
	}
	if (given != NULL && !json_parse_is_object(given))
		return err_set(e, ERR_USAGE, "the arguments are no object");
	return read_object(c, op, given, out, say, e);
}
