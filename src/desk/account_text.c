/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of an account, written into a document and read from one. */
#include "desk/account_text.h"

#include "gate/setting_args.h"

/* A signature is kept as a text, and not by the file that it came from. */
static struct str
account_text_key(const struct setting *s)
{
	return str_of(s->type == SETTING_SIGNATURE ? s->column : s->name);
}

static bool
account_text_has(const struct setting *s, bool rules)
{
	return !rules || s->rule;
}

/* As a document has it: a number is written even if it means none. */
static struct str
account_text_value(struct arena *a, const struct setting *s,
    const struct store_account *v)
{
	uint64_t n;

	if (s->choices != NULL || s->type < SETTING_PORT)
		return setting_text(a, s, v);
	n = account_value_number(s, v);
	if (s->type == SETTING_MINUTES && n == 0)
		return S("off");
	return str_fmt(a, "%llu", (unsigned long long)n);
}

/* Is it empty, as in every new account? */
static bool
account_text_is_left_out(struct arena *a, const struct setting *s,
    const struct store_account *v)
{
	if (s->type == SETTING_PORT)
		return account_value_number(s, v) == 0;
	return account_text_value(a, s, v).n == 0 &&
	    (s->def == NULL || s->type == SETTING_SECURITY);
}

void
account_text_put(struct document_put *d, const struct store_account *v,
    bool rules)
{
	struct arena *a = d->c->arena;

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		struct str value = account_text_value(a, s, v);
		const char *key = account_text_key(s).p;

		if (!account_text_has(s, rules) ||
		    account_text_is_left_out(a, s, v))
			continue;
		if (s->type >= SETTING_CHOICE)
			yaml_put_word(d->y, key, value);
		else
			yaml_put_plain(d->y, key, value);
	}
}

void
account_text_keys(struct arena *a, bool rules, struct strs *out)
{
	for (int i = 0; i < SETTINGS; i++)
		if (account_text_has(&account_setting[i], rules))
			str_push(a, out, account_text_key(&account_setting[i]));
}

static void
account_text_copy(const struct setting *s, const struct store_account *from,
    struct store_account *to)
{
	if (s->type < SETTING_CHOICE)
		account_value_put(s, account_value_text(s, from), to);
	else if (s->choices != NULL)
		(void)account_value_take(s, account_value_word(s, from), to);
	else
		account_value_count(s, account_value_number(s, from), to);
}

/* Of the same form as a value of `account edit`. */
static int
account_text_put_one(struct arena *a, const struct setting *s, struct str text,
    struct args *given, struct store_account *v, struct err *e)
{
	const struct arg_spec one[] = {
		SETTING_ARGS_EDIT(s->name, s->type, s->choices, s->means),
		{ 0 },
	};
	struct args check;

	if (text.n == 0 && s->type < SETTING_CHOICE) {
		account_value_put(s, text, v);
		return 0;
	}
	if (s->type == SETTING_SIGNATURE)
		return setting_signature_take(a, s, text, v, e);
	/* An option of minutes is a text: "off" is one of its values. */
	args_init(&check, one, a);
	if (args_add(&check, a, &check.v[0], text, e) < 0 ||
	    args_check(&check, a, e) < 0 ||
	    args_add(given, a, args_find(given, str_of(s->name)), text, e) < 0)
		return -1;
	return setting_put(a, s, text, v, e);
}

static int
account_text_take_one(struct arena *a, const struct setting *s,
    const struct yaml_node *x, const struct store_account *was,
    struct args *given, struct store_account *v, struct err *e)
{
	struct str text;

	if (document_text(x, &text, e) < 0)
		return -1;
	if (s->type >= SETTING_WORD)
		text = document_word(x);
	if (was != NULL && str_eq(text, account_text_value(a, s, was))) {
		account_text_copy(s, was, v);
		return 0;
	}
	return account_text_put_one(a, s, text, given, v, e) < 0
	    ? document_at(x, e)
	    : 0;
}

int
account_text_take(const struct document *d, const struct yaml_node *map,
    const struct store_account *was, bool rules, struct store_account *v,
    struct err *e)
{
	struct arg_spec table[SETTINGS + 1] = { { 0 } };
	struct args given;

	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];

		table[i] = (struct arg_spec)SETTING_ARGS_EDIT(s->name, s->type,
		    s->choices, s->means);
	}
	args_init(&given, table, d->a);
	/* In the table's order: a path is checked for its backend. */
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &account_setting[i];
		const struct yaml_node *x =
		    document_member(d, map, account_text_key(s).p);

		if (x != NULL && account_text_has(s, rules) &&
		    account_text_take_one(d->a, s, x, was, &given, v, e) < 0)
			return -1;
	}
	setting_defaults(v);
	return setting_check(d->a, &given, v, e) < 0 ? document_at(map, e) : 0;
}

void
account_text_put_oauth(struct document_put *d, const struct store_oauth *x)
{
	if (x->provider.n == 0 && x->issuer.n == 0)
		return;
	yaml_put_map(d->y, "oauth");
	if (x->provider.n > 0)
		yaml_put_plain(d->y, "provider", x->provider);
	if (x->issuer.n > 0)
		yaml_put_plain(d->y, "issuer", x->issuer);
	if (x->scope.n > 0)
		yaml_put_plain(d->y, "scope", x->scope);
	yaml_put_end(d->y);
}

int
account_text_take_oauth(const struct document *d, const struct yaml_node *map,
    struct store_oauth *out, struct err *e)
{
	struct str keys[] = { S("provider"), S("issuer"), S("scope") };
	const struct strs known = { keys, sizeof(keys) / sizeof(keys[0]) };

	*out = (struct store_oauth){ 0 };
	if (document_check_keys(d, map, &known, e) < 0 ||
	    document_text(document_member(d, map, "provider"), &out->provider,
		e) < 0 ||
	    document_text(document_member(d, map, "issuer"), &out->issuer, e) <
		0)
		return -1;
	return document_text(document_member(d, map, "scope"), &out->scope, e);
}
