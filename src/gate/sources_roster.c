/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What policy says about a source before any call.  The rules are in policy;
 * here is only the effect of each operation of the contract.
 */
#include "gate/rules.h"
#include "gate/sources.h"

/* As declared by the operations: tests/unit/op/serves.c. */
static const enum effect effects[ROLE_OPS] = {
	[ROLE_LIST_RECENT_THREADS] = EFFECT_READ,
	[ROLE_READ_THREAD] = EFFECT_READ,
	[ROLE_LIST_DRAFTS] = EFFECT_READ,
	[ROLE_LIST_SENT_SINCE] = EFFECT_READ,
	[ROLE_CREATE_DRAFT] = EFFECT_DRAFT,
	[ROLE_THREAD_URL] = EFFECT_READ,
	[ROLE_SEARCH_THREADS] = EFFECT_READ,
};

/* As text, for a table of what each can do. */
static const struct {
	const char *reason, *why;
} words[] = {
	{ "ro_mode", "the account's mode is RO: nothing may be written" },
	{ "no_outbound", "the account's outbound level is none" },
};

static const char *
sources_roster_words_for(const char *reason)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_eq(str_of(reason), str_of(words[i].reason)))
			return words[i].why;
	return "the account's policy refuses it";
}

/*
 * Without recipients no whitelist applies: what is refused then is refused for
 * every call.
 */
static void
bar_source(struct role_source *src, const struct store_account *acct)
{
	const struct policy_rules rules = rules_standing(acct);

	for (enum role_op op = 0; op < ROLE_OPS; op++) {
		const struct policy_facts f = { .effect = effects[op] };
		struct decision d = policy_decide(&rules, &f);

		if (d.verdict == VERDICT_DENY)
			src->bar[op] = (struct role_bar){ d.why,
				sources_roster_words_for(d.why) };
	}
	src->supports = roster_supports(src);
}

int
sources_roster(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e)
{
	struct store_account acct = { 0 };

	if (roster_load(s, a, out, n, e) < 0)
		return -1;
	for (size_t i = 0; i < *n; i++) {
		if (store_account_get(s, a, (*out)[i].name, &acct, e) < 0)
			return -1;
		bar_source(&(*out)[i], &acct);
	}
	return 0;
}

void
sources_roster_unbar(struct role_source *src)
{
	for (enum role_op op = 0; op < ROLE_OPS; op++)
		src->bar[op] = (struct role_bar){ 0 };
	src->supports = roster_supports(src);
}
