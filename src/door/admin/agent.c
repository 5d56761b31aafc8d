/* emcli agent: who may come by a door that strangers can reach. */
#include "store/agent.h"

#include <sys/random.h>

#include "base/clock.h"
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/grant.h"
#include "op/op.h"

enum {
	TOKEN_RAW = 32,
	TOKEN_HEAD = 6, /* "emcli_", for those who look for leaked secrets */
	TOKEN_TEXT = TOKEN_HEAD + 2 * TOKEN_RAW + 1, /* its line end included */
	COLUMNS = 5
};

const struct arg_spec agent_add_args[] = {
	{ .name = "agent",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name, as the audit log will have it" },
	{ .name = "account",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_MANY,
	    .help = "an account there is for it; none given: all" },
	{ .name = "skill",
	    .type = ARG_TEXT,
	    .flags = ARG_MANY,
	    .help = "a skill it may load; none given: all" },
	{ .name = "op",
	    .type = ARG_TEXT,
	    .flags = ARG_MANY,
	    .help = "an operation on mail it may call; none given: all" },
	{ 0 },
};

const struct arg_spec agent_remove_args[] = {
	{ .name = "agent",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name; its token and sessions end at once" },
	{ 0 },
};

const struct arg_spec agent_list_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

/* Each holds a name to what there is, and gives it as we spell it. */
static int
account(struct admin_call *c, struct str name, struct str *out, struct err *e)
{
	struct store_account acct;

	*out = name;
	return store_account_get(c->store, c->arena, name, &acct, e);
}

static int
skill(struct admin_call *c, struct str name, struct str *out, struct err *e)
{
	const struct skill *s = skill_find(name);

	if (s == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no skill %.*s: see emcli skill list",
		    STR_ARG(out_quote(c->arena, name)));
	*out = str_of(s->name);
	return 0;
}

static int
op(struct admin_call *c, struct str name, struct str *out, struct err *e)
{
	const struct op *o = op_find(name);

	if (o == NULL || o->skill == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no operation on mail %.*s: see emcli help",
		    STR_ARG(out_quote(c->arena, name)));
	*out = str_of(o->name);
	return 0;
}

/* " home work ", or no limit at all. */
static int
set_of(struct admin_call *c, const char *option,
    int (*check)(struct admin_call *c, struct str name, struct str *out,
	struct err *e),
    struct str *out, struct err *e)
{
	const struct strs *given = args_list(c->args, option);
	struct buf b;

	*out = (struct str){ 0 };
	if (given->n == 0)
		return 0;
	buf_init(&b, c->arena, 1 << 16);
	buf_char(&b, ' ');
	for (size_t i = 0; i < given->n; i++) {
		struct str name = { 0 };

		if (check(c, given->v[i], &name, e) < 0)
			return -1;
		buf_str(&b, name);
		buf_char(&b, ' ');
	}
	if (b.over)
		return err_set(e, ERR_LIMIT, "too many of --%s", option);
	*out = buf_view(&b);
	return 0;
}

static int
make_token(char text[TOKEN_TEXT], struct err *e)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[TOKEN_RAW];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes");
		return err_errno(e, "getrandom");
	}
	memcpy(text, "emcli_", TOKEN_HEAD);
	for (size_t i = 0; i < sizeof(raw); i++) {
		text[TOKEN_HEAD + 2 * i] = digits[raw[i] >> 4];
		text[TOKEN_HEAD + 2 * i + 1] = digits[raw[i] & 15];
	}
	text[TOKEN_TEXT - 1] = '\n';
	secret_wipe(raw, sizeof(raw));
	return 0;
}

/* Shown once, and only then kept: what nobody could read is no token. */
static int
show_and_keep(struct admin_call *c, const struct store_agent *x, struct err *e)
{
	char text[TOKEN_TEXT];
	int r = make_token(text, e);

	if (r == 0)
		r = store_agent_add(c->store, c->arena, x,
		    (struct str){ text, TOKEN_TEXT - 1 }, e);
	if (r == 0 &&
	    out_write(STDOUT_FILENO, (struct str){ text, TOKEN_TEXT }) < 0) {
		struct err gone = { 0 };

		(void)store_agent_remove(c->store, x->name, &gone);
		(void)err_set(e, ERR_INTERNAL, "the token cannot be written");
		r = err_errno(e, "standard output");
	}
	secret_wipe(text, sizeof(text));
	return r;
}

/* Beside the token, which may go into a file or a variable. */
static void
say_next(struct str name)
{
	(void)fprintf(stderr,
	    "emcli: the token is shown this once; its limits: emcli agent "
	    "list\n"
	    "emcli: next: commands are this agent's with EMCLI_AGENT=%.*s; by "
	    "HTTP with the token in EMCLI_TOKEN:\n"
	    "emcli:   emcli mcp --http 127.0.0.1:8765\n"
	    "emcli:   emcli mcp install --client NAME --http "
	    "http://127.0.0.1:8765/mcp\n",
	    STR_ARG(name));
}

int
agent_add(struct admin_call *c, struct err *e)
{
	struct store_agent x = { .name = args_text(c->args, "agent") };

	if (!env_is_agent(str_c(c->arena, x.name)))
		return err_set(e, ERR_USAGE,
		    "an agent's name is 1 to 64 of A-Z a-z 0-9 . _ -, and not "
		    "operator");
	if (set_of(c, "account", account, &x.accounts, e) < 0 ||
	    set_of(c, "skill", skill, &x.skills, e) < 0 ||
	    set_of(c, "op", op, &x.ops, e) < 0)
		return -1;
	if (show_and_keep(c, &x, e) < 0)
		return -1;
	say_next(x.name);
	return 0;
}

int
agent_remove(struct admin_call *c, struct err *e)
{
	struct str name = args_text(c->args, "agent");

	if (store_agent_remove(c->store, name, e) < 0)
		return -1;
	buf_fmt(c->out, "removed %.*s\n", STR_ARG(name));
	return 0;
}

static void
list_json(struct admin_call *c, const struct store_agent *v, size_t n)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "agents");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", v[i].name);
		json_put_words(j, "accounts", v[i].accounts);
		json_put_words(j, "skills", v[i].skills);
		json_put_words(j, "ops", v[i].ops);
		json_put_str(j, "added",
		    clock_rfc3339(c->arena, v[i].made_ms / 1000));
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

static struct str
shown(struct str set)
{
	return set.p == NULL ? S("all") : str_trim(set);
}

int
agent_list(struct admin_call *c, struct err *e)
{
	struct store_agent *v;
	struct out_row *row;
	struct str *cell;
	size_t n;

	if (store_agent_list(c->store, c->arena, &v, &n, e) < 0)
		return -1;
	if (args_has(c->args, "json")) {
		list_json(c, v, n);
		return 0;
	}
	row = arena_array(c->arena, n + 1, sizeof(*row));
	cell = arena_array(c->arena, (n + 1) * COLUMNS, sizeof(*cell));
	for (size_t i = 0; i <= n; i++, cell += COLUMNS) {
		row[i].cell = cell;
		cell[0] = i == 0 ? S("AGENT") : v[i - 1].name;
		cell[1] = i == 0 ? S("ACCOUNTS") : shown(v[i - 1].accounts);
		cell[2] = i == 0 ? S("SKILLS") : shown(v[i - 1].skills);
		cell[3] = i == 0 ? S("OPERATIONS") : shown(v[i - 1].ops);
		cell[4] = i == 0
		    ? S("ADDED")
		    : clock_rfc3339(c->arena, v[i - 1].made_ms / 1000);
	}
	out_table(c->out, row, n + 1, COLUMNS);
	return 0;
}
