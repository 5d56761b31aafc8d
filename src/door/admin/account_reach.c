/* How far an account's messages may go, as options. */
#include "door/admin/account.h"

/* Longer than a week is no answer to mail that was read just now. */
#define TAINT_MAX 10080

static const struct str levels[] = {
	[OUTBOUND_NONE] = SI("none"),
	[OUTBOUND_DRAFT] = SI("draft"),
	[OUTBOUND_APPROVE] = SI("approve"),
	[OUTBOUND_SEND] = SI("send"),
};

enum {
	LEVELS = sizeof(levels) / sizeof(levels[0])
};

struct str
account_reach_outbound(enum outbound level)
{
	return levels[(unsigned)level < LEVELS ? level : OUTBOUND_NONE];
}

static int
apply_taint(struct str text, struct store_account *v, struct err *e)
{
	uint32_t n = 0;

	if (!str_eq(text, S("off")) && !str_to_u32(text, TAINT_MAX, &n))
		return err_set(e, ERR_USAGE,
		    "--taint is off or minutes, at most %d", TAINT_MAX);
	v->taint_minutes = n;
	return 0;
}

int
account_reach_apply(const struct admin_call *c, struct store_account *v,
    struct err *e)
{
	const struct {
		const char *name;
		uint32_t *to;
	} limits[] = {
		{ "limit_messages", &v->limit_messages },
		{ "limit_new_recipients", &v->limit_new_recipients },
		{ "limit_recipients", &v->limit_recipients },
	};

	for (unsigned i = 0; i < LEVELS; i++)
		if (str_eq(args_text(c->args, "outbound"), levels[i]) &&
		    args_has(c->args, "outbound"))
			v->outbound = i;
	if (args_has(c->args, "scope"))
		v->scope_thread =
		    str_eq(args_text(c->args, "scope"), S("thread"));
	if (args_has(c->args, "secrets_check"))
		v->no_secrets_check =
		    !str_eq(args_text(c->args, "secrets_check"), S("on"));
	if (args_has(c->args, "check_unfinished"))
		v->no_unfinished_check =
		    !str_eq(args_text(c->args, "check_unfinished"), S("on"));
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		*limits[i].to =
		    args_count(c->args, limits[i].name, *limits[i].to);
	if (args_has(c->args, "limit_bytes"))
		v->limit_bytes = args_count(c->args, "limit_bytes", 0);
	if (args_has(c->args, "taint"))
		return apply_taint(args_text(c->args, "taint"), v, e);
	return 0;
}
