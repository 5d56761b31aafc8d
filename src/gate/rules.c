/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the operator's settings into policy, and checks them before they are
 * stored.
 */
#include "gate/rules.h"

#include "backend/backend.h"
#include "mime/address.h"

/*
 * Entries are stored in canonical form, and made canonical again here: the
 * compared forms must be this program's, not those of the one that wrote them.
 */
static int
rules_load_list(struct arena *a, const struct strs *raw, struct strs *out,
    struct err *e)
{
	for (size_t i = 0; i < raw->n; i++) {
		struct str entry;

		if (address_entry(a, raw->v[i], &entry, e) < 0)
			return err_set(e, ERR_CONFIG,
			    "the account's settings are not usable");
		str_push(a, out, entry);
	}
	return 0;
}

struct strs
rules_folders(struct arena *a, struct str text)
{
	struct strs out = { 0 };
	struct str one;
	bool more = text.n > 0;

	while (more) {
		more = str_cut(text, ',', &one, &text);
		str_push(a, &out, str_trim(one));
	}
	return out;
}

struct policy_rules
rules_standing(const struct store_account *acct)
{
	return (struct policy_rules){
		.mode = acct->mode,
		.outbound = acct->outbound,
		.organise = acct->organise,
		.forward = acct->forward,
		.in_on = acct->in_on,
		.out_on = acct->out_on,
	};
}

int
rules_load(struct store *s, struct arena *a, const struct store_account *acct,
    struct policy_rules *out, struct err *e)
{
	struct strs raw[STORE_LISTS];
	char why[128];

	*out = rules_standing(acct);
	out->folders = rules_folders(a, acct->organise_folders);
	if (store_list_get_all(s, a, acct->id, raw, e) < 0 ||
	    rules_load_list(a, &raw[STORE_LIST_IN], &out->in, e) < 0 ||
	    rules_load_list(a, &raw[STORE_LIST_IN_DMARC], &out->in_dmarc, e) <
		0 ||
	    rules_load_list(a, &raw[STORE_LIST_OUT], &out->out, e) < 0)
		return -1;
	if (acct->subject_regex.n == 0)
		return 0;
	out->subject = policy_regex_open(acct->subject_regex, why, sizeof(why));
	if (out->subject == NULL) {
		(void)err_set(e, ERR_CONFIG,
		    "the account's settings are not usable");
		return err_because(e, "subject_regex: %s", why);
	}
	return 0;
}

void
rules_close(struct policy_rules *r)
{
	policy_regex_close(&r->subject);
}

int
rules_entry(struct arena *a, struct str in, struct str *out, struct err *e)
{
	/* "*" is allowed in an address, but never occurs in a real one. */
	if (str_has_char(in, '*') || address_entry(a, in, out, e) < 0)
		return address_say(a, in, true, e);
	return 0;
}

int
rules_entry_kept(struct arena *a, struct str in, struct str *out, struct err *e)
{
	return address_entry(a, in, out, e);
}

int
rules_address(struct arena *a, struct str in, struct str *out, struct err *e)
{
	return address_canonical(a, in, out, e);
}

int
rules_regex(struct str pattern, struct err *e)
{
	char why[128];
	struct policy_regex *re = policy_regex_open(pattern, why, sizeof(why));

	if (re == NULL)
		return err_set(e, ERR_USAGE,
		    "the subject regex is not valid: %s", why);
	policy_regex_close(&re);
	return 0;
}

const char *
rules_backend_at(size_t n)
{
	const struct backend *be;

	for (size_t i = 0; (be = backend_at(i)) != NULL; i++)
		if ((be->caps & CAP_READ) != 0 && n-- == 0)
			return be->name;
	return NULL;
}

bool
rules_backend(struct str name)
{
	const struct backend *be = backend_find(name);

	return be != NULL && (be->caps & CAP_READ) != 0;
}
