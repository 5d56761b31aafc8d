/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on whitelists share. */
#include "desk/whitelist.h"

#include "gate/operate.h"

const char *
whitelist_word(enum store_list which)
{
	return which == STORE_LIST_IN ? "in" : "out";
}

int
whitelist_find(const struct call *c, struct store_account *acct, struct err *e)
{
	return store_account_get(operate_store(c), c->arena,
	    args_text(c->args, "account"), acct, e);
}

bool
whitelist_in_force(enum store_list which, const struct store_account *acct)
{
	return which == STORE_LIST_IN ? acct->in_on : acct->out_on;
}

void
whitelist_note_force(struct call *c, enum store_list which,
    const struct store_account *acct)
{
	const char *word = whitelist_word(which);

	if (!whitelist_in_force(which, acct))
		gate_tell(c,
		    "note: whitelist %s is off for this account; emcli "
		    "whitelist %s on --account %.*s turns it on",
		    word, word, STR_ARG(acct->name));
}

void
whitelist_note_auth(struct call *c, const struct store_account *acct)
{
	if (acct->authserv_id.n == 0)
		gate_tell(c,
		    "note: emcli verifies signatures, which costs a body per "
		    "message; emcli account edit %.*s --authserv-id ID trusts "
		    "the mail server's result instead",
		    STR_ARG(acct->name));
}

int
whitelist_read_entries(const struct call *c,
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

int
whitelist_load(const struct call *c, enum store_list which,
    const struct store_account *acct, struct whitelist_entries *out,
    struct err *e)
{
	*out = (struct whitelist_entries){ 0 };
	if (store_list_get(operate_store(c), c->arena, acct->id, which,
		&out->plain, e) < 0)
		return -1;
	if (which != STORE_LIST_IN)
		return 0;
	return store_list_get(operate_store(c), c->arena, acct->id,
	    STORE_LIST_IN_DMARC, &out->dmarc, e);
}
