/* emcli whitelist: who may be read from, and who may be written to. */
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/rules.h"

const struct arg_spec whitelist_change_args[] = {
	{ .name = "account",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED,
	    .help = "account whose list it is" },
	{ .name = "entry",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_MANY | ARG_POSITIONAL,
	    .help = "an address, or @domain for all of a domain" },
	{ 0 },
};

const struct arg_spec whitelist_account_args[] = {
	{ .name = "account",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED,
	    .help = "account whose list it is" },
	{ 0 },
};

const struct arg_spec whitelist_list_args[] = {
	{ .name = "account",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED,
	    .help = "account whose list it is" },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of lines" },
	{ 0 },
};

static enum store_list
which(const struct admin_call *c)
{
	return (enum store_list)c->command->which;
}

static const char *
word(const struct admin_call *c)
{
	return which(c) == STORE_LIST_IN ? "in" : "out";
}

static int
find(struct admin_call *c, struct store_account *acct, struct err *e)
{
	return store_account_get(c->store, c->arena,
	    args_text(c->args, "account"), acct, e);
}

static bool
in_force(const struct admin_call *c, const struct store_account *acct)
{
	return which(c) == STORE_LIST_IN ? acct->in_on : acct->out_on;
}

/* What an entry has no effect without. */
static void
note_force(struct admin_call *c, const struct store_account *acct)
{
	if (!in_force(c, acct))
		buf_fmt(c->out,
		    "note: whitelist %s is off for this account; "
		    "emcli whitelist %s on --account %.*s puts it in force\n",
		    word(c), word(c), STR_ARG(acct->name));
}

static int
read_entries(struct admin_call *c, struct strs *out, struct err *e)
{
	const struct strs *given = args_list(c->args, "entry");

	for (size_t i = 0; i < given->n; i++) {
		struct str entry;

		if (rules_entry(c->arena, given->v[i], &entry, e) < 0)
			return err_because(e, "entry %.*s",
			    STR_ARG(out_quote(c->arena, given->v[i])));
		str_push(c->arena, out, entry);
	}
	return 0;
}

int
whitelist_add(struct admin_call *c, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (find(c, &acct, e) < 0 || read_entries(c, &entries, e) < 0 ||
	    store_list_add(c->store, acct.id, which(c), &entries, e) < 0)
		return -1;
	for (size_t i = 0; i < entries.n; i++)
		buf_fmt(c->out, "added %.*s\n", STR_ARG(entries.v[i]));
	note_force(c, &acct);
	return 0;
}

int
whitelist_remove(struct admin_call *c, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (find(c, &acct, e) < 0 || read_entries(c, &entries, e) < 0 ||
	    store_list_remove(c->store, acct.id, which(c), &entries, e) < 0)
		return -1;
	for (size_t i = 0; i < entries.n; i++)
		buf_fmt(c->out, "removed %.*s\n", STR_ARG(entries.v[i]));
	note_force(c, &acct);
	return 0;
}

static void
put_json(struct admin_call *c, const struct store_account *acct,
    const struct strs *entries)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_str(j, "account", acct->name);
	json_put_text(j, "list", word(c));
	json_put_bool(j, "in_force", in_force(c, acct));
	json_open_array(j, "entries");
	for (size_t i = 0; i < entries->n; i++)
		json_put_str(j, NULL, entries->v[i]);
	json_close_array(j);
	json_close_object(j);
	buf_str(c->out, json_text(j, c->arena));
	buf_char(c->out, '\n');
}

/* Is it obeyed?  An entry of a list that is not says nothing. */
static void
put_force(struct admin_call *c, const struct store_account *acct, size_t n)
{
	bool in = which(c) == STORE_LIST_IN;

	if (!in_force(c, acct)) {
		note_force(c, acct);
		return;
	}
	buf_fmt(c->out, "note: whitelist %s is in force for %.*s: %s%s\n",
	    word(c), STR_ARG(acct->name),
	    in ? "agents see mail from " : "agents may write to ",
	    n == 0 ? "nobody" : "these only");
}

int
whitelist_list(struct admin_call *c, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (find(c, &acct, e) < 0 ||
	    store_list_get(c->store, c->arena, acct.id, which(c), &entries, e) <
		0)
		return -1;
	if (args_has(c->args, "json")) {
		put_json(c, &acct, &entries);
		return 0;
	}
	for (size_t i = 0; i < entries.n; i++)
		buf_fmt(c->out, "%.*s\n",
		    STR_ARG(out_line(c->arena, entries.v[i])));
	put_force(c, &acct, entries.n);
	return 0;
}

static int
turn(struct admin_call *c, bool on, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (find(c, &acct, e) < 0 ||
	    store_list_switch(c->store, acct.id, which(c), on, e) < 0 ||
	    store_list_get(c->store, c->arena, acct.id, which(c), &entries, e) <
		0)
		return -1;
	buf_fmt(c->out, "whitelist %s is %s for %.*s\n", word(c),
	    on ? "on" : "off", STR_ARG(acct.name));
	if (on && entries.n == 0)
		buf_fmt(c->out,
		    "note: the list is empty, so it allows nobody\n");
	return 0;
}

int
whitelist_on(struct admin_call *c, struct err *e)
{
	return turn(c, true, e);
}

int
whitelist_off(struct admin_call *c, struct err *e)
{
	return turn(c, false, e);
}
