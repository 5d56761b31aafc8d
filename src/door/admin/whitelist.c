/* emcli whitelist: who may be read from, and who may be written to. */
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "gate/rules.h"

#define ACCOUNT                                                                \
	.name = "account", .type = ARG_ACCOUNT, .flags = ARG_SOLE,             \
	.help = "account whose list it is; where there is one it may be left " \
		"out"
#define ENTRY                                                                  \
	.name = "entry", .type = ARG_TEXT,                                     \
	.flags = ARG_REQUIRED | ARG_MANY | ARG_POSITIONAL,                     \
	.help = "an address, or @domain for all of a domain"

const struct arg_spec whitelist_change_args[] = {
	{ ACCOUNT },
	{ ENTRY },
	{ 0 },
};

const struct arg_spec whitelist_in_args[] = {
	{ ACCOUNT },
	{ .name = "auth",
	    .type = ARG_CHOICE,
	    .help = "dmarc: seen only when it is known to be from there; none: "
		    "whoever it says it is from; else the account's own "
		    "(--whitelist-auth)",
	    .choices = "none|dmarc" },
	{ ENTRY },
	{ 0 },
};

const struct arg_spec whitelist_account_args[] = {
	{ ACCOUNT },
	{ 0 },
};

const struct arg_spec whitelist_list_args[] = {
	{ ACCOUNT },
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
read_entries(struct admin_call *c,
    int (*read)(struct arena *a, struct str in, struct str *out, struct err *e),
    struct strs *out, struct err *e)
{
	const struct strs *given = args_list(c->args, "entry");

	for (size_t i = 0; i < given->n; i++) {
		struct str entry;

		if (read(c->arena, given->v[i], &entry, e) < 0)
			return -1;
		str_push(c->arena, out, entry);
	}
	return 0;
}

/* A list as it stands; of the list in, both kinds of entries. */
struct entries {
	struct strs plain;
	struct strs dmarc; /* whose sender must be authenticated */
};

static int
load(struct admin_call *c, const struct store_account *acct,
    struct entries *out, struct err *e)
{
	*out = (struct entries){ 0 };
	if (store_list_get(c->store, c->arena, acct->id, which(c), &out->plain,
		e) < 0)
		return -1;
	if (which(c) != STORE_LIST_IN)
		return 0;
	return store_list_get(c->store, c->arena, acct->id, STORE_LIST_IN_DMARC,
	    &out->dmarc, e);
}

static void
note_auth(struct admin_call *c, const struct store_account *acct)
{
	if (acct->authserv_id.n == 0)
		buf_fmt(c->out,
		    "note: signatures are verified here, which costs a body "
		    "per message; emcli account edit %.*s --authserv-id ID "
		    "lets the mail server's word do\n",
		    STR_ARG(acct->name));
}

/* What is asked of the senders that are added, and who says so. */
struct asking {
	bool in;    /* of the list in: recipients are asked nothing */
	bool dmarc; /* to be known to be from there */
	bool said;  /* in this call; else the account says it */
};

static struct asking
asking_of(const struct admin_call *c, const struct store_account *acct)
{
	struct asking x = { .in = which(c) == STORE_LIST_IN };

	x.said = x.in && args_has(c->args, "auth");
	x.dmarc = x.in && acct->in_dmarc;
	if (x.said)
		x.dmarc = str_eq(args_text(c->args, "auth"), S("dmarc"));
	return x;
}

static void
note_asking(struct admin_call *c, const struct store_account *acct,
    const struct asking *x)
{
	if (!x->in)
		return;
	if (!x->said)
		buf_fmt(c->out, "note: --auth %s, as the account has it\n",
		    x->dmarc ? "dmarc" : "none");
	if (x->dmarc)
		note_auth(c, acct);
	else
		buf_text(c->out,
		    "note: believed by the From line alone, which anybody can "
		    "write; --auth dmarc asks for more\n");
}

static void
tell_added(struct admin_call *c, const struct strs *entries,
    const struct entries *was, const struct asking *x)
{
	for (size_t i = 0; i < entries->n; i++) {
		bool before = str_among(&was->dmarc, entries->v[i]);

		buf_fmt(c->out, "added %.*s%s\n", STR_ARG(entries->v[i]),
		    x->dmarc     ? " (dmarc)"
			: before ? ", which needs no dmarc any more"
				 : "");
	}
}

int
whitelist_add(struct admin_call *c, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };
	struct entries was;
	struct asking x;

	if (find(c, &acct, e) < 0 ||
	    read_entries(c, rules_entry, &entries, e) < 0 ||
	    load(c, &acct, &was, e) < 0)
		return -1;
	x = asking_of(c, &acct);
	if (store_list_add(c->store, acct.id,
		x.dmarc ? STORE_LIST_IN_DMARC : which(c), &entries, e) < 0)
		return -1;
	tell_added(c, &entries, &was, &x);
	note_force(c, &acct);
	note_asking(c, &acct, &x);
	return 0;
}

int
whitelist_remove(struct admin_call *c, struct err *e)
{
	struct store_account acct;
	struct strs entries = { 0 };

	if (find(c, &acct, e) < 0 ||
	    read_entries(c, rules_entry_kept, &entries, e) < 0 ||
	    store_list_remove(c->store, acct.id, which(c), &entries, e) < 0)
		return -1;
	for (size_t i = 0; i < entries.n; i++)
		buf_fmt(c->out, "removed %.*s\n", STR_ARG(entries.v[i]));
	note_force(c, &acct);
	return 0;
}

/* Both kinds in one order. */
static int
by_text(const void *x, const void *y)
{
	const struct str *p = x;
	const struct str *q = y;

	return str_cmp(*p, *q);
}

static struct strs
merged(struct admin_call *c, const struct entries *v)
{
	struct strs all = { 0 };

	for (size_t i = 0; i < v->plain.n; i++)
		str_push(c->arena, &all, v->plain.v[i]);
	for (size_t i = 0; i < v->dmarc.n; i++)
		str_push(c->arena, &all, v->dmarc.v[i]);
	if (all.n > 0)
		qsort(all.v, all.n, sizeof(*all.v), by_text);
	return all;
}

static void
put_texts(struct json *j, const char *name, const struct strs *v)
{
	json_open_array(j, name);
	for (size_t i = 0; i < v->n; i++)
		json_put_str(j, NULL, v->v[i]);
	json_close_array(j);
}

static void
put_json(struct admin_call *c, const struct store_account *acct,
    const struct entries *v)
{
	struct json *j = json_new(c->arena);
	struct strs all = merged(c, v);

	json_open_object(j, NULL);
	json_put_str(j, "account", acct->name);
	json_put_text(j, "list", word(c));
	json_put_bool(j, "in_force", in_force(c, acct));
	put_texts(j, "entries", &all);
	if (which(c) == STORE_LIST_IN)
		put_texts(j, "dmarc", &v->dmarc);
	json_close_object(j);
	out_json(c->out, c->arena, j);
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
	struct entries found;
	struct strs all;

	if (find(c, &acct, e) < 0 || load(c, &acct, &found, e) < 0)
		return -1;
	if (args_has(c->args, "json")) {
		put_json(c, &acct, &found);
		return 0;
	}
	all = merged(c, &found);
	for (size_t i = 0; i < all.n; i++)
		buf_fmt(c->out, "%.*s%s\n",
		    STR_ARG(out_line(c->arena, all.v[i])),
		    str_among(&found.dmarc, all.v[i]) ? " dmarc" : "");
	put_force(c, &acct, all.n);
	if (found.dmarc.n > 0)
		note_auth(c, &acct);
	return 0;
}

static int
turn(struct admin_call *c, bool on, struct err *e)
{
	struct store_account acct;
	struct entries found;

	if (find(c, &acct, e) < 0 ||
	    store_list_switch(c->store, acct.id, which(c), on, e) < 0 ||
	    load(c, &acct, &found, e) < 0)
		return -1;
	buf_fmt(c->out, "whitelist %s is %s for %.*s\n", word(c),
	    on ? "on" : "off", STR_ARG(acct.name));
	if (on && found.plain.n == 0 && found.dmarc.n == 0)
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
