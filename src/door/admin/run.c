/*
 * The operator's commands that ask a person and write their own text, each made
 * an operation for its call: the gate asks for the key, opens the store and
 * writes the record, as it does for those of desk/.
 */
#include "base/limits.h"
#include "door/admin/internal.h"
#include "gate/operate.h"

/* The first member is the operation that the gate knows. */
struct running {
	struct op op;
	const struct admin_command *command;
};

static const unsigned needs[] = {
	[ADMIN_CHANGE] = NEED_RECORD,
	[ADMIN_KEYS] = NEED_KEY,
};

static int
admin_run_call(struct call *c, struct json *unused, struct err *e)
{
	const struct running *x = (const struct running *)operate_op(c);
	struct buf out;
	struct admin_call a = {
		.call = c,
		.env = operate_env(c),
		.args = c->args,
		.arena = c->arena,
		.command = x->command,
		.store = operate_store(c),
		.out = &out,
	};
	int r;

	(void)unused;
	buf_init(&out, c->arena, LIMIT_MESSAGE);
	r = x->command->run(&a, e);
	/* init opens one of its own. */
	if (a.store != operate_store(c))
		store_close(&a.store);
	if (r < 0)
		return -1;
	if (out.over)
		return err_set(e, ERR_LIMIT, "the output is too long");
	c->note = a.done;
	gate_say_raw(c, buf_view(&out));
	return 0;
}

/* "emcli account list" for "account edit", where there is one. */
static const char *
admin_run_shows(struct arena *a, const char *name)
{
	const char *last = strrchr(name, ' ');
	struct admin_command row;
	struct str list;

	if (last == NULL)
		return NULL;
	list = str_fmt(a, "emcli %.*s list", (int)(last - name), name);
	for (size_t i = 0; (row = admin_table_row(i)).name != NULL; i++)
		if (str_eq(str_of(row.name), str_from(list, 6)))
			return list.p;
	return NULL;
}

/* A person may be shown new keys. */
static bool
admin_run_keyless(const struct env *env, const struct args *args)
{
	const struct admin_call c = { .env = env, .args = args };

	return init_makes_keys(&c);
}

const struct op *
admin_run_op(const struct admin_command *cmd, struct arena *a)
{
	struct running *x = arena_alloc(a, sizeof(*x));

	*x = (struct running){
		.op = {
			.name = cmd->name,
			.summary = cmd->summary,
			.effect = EFFECT_OPERATE,
			.needs = needs[cmd->needs],
			.keyless = cmd->needs == ADMIN_KEYS ? admin_run_keyless
							    : NULL,
			.shows = admin_run_shows(a, cmd->name),
			.args = cmd->args,
			.run = admin_run_call,
		},
		.command = cmd,
	};
	return &x->op;
}
