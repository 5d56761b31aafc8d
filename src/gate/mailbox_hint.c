/*
 * Whom a server is asked for.  With a whitelist on it goes into every question
 * from the first page on: a server that looked through hidden mail as well
 * would answer a question about its words by what the answer costs.
 */
#include "base/limits.h"
#include "base/utf8.h"
#include "gate/internal.h"

bool
mailbox_hint_is_needed(const struct mailbox *m)
{
	return m->rules->in_on || m->rules->subject != NULL;
}

/*
 * An entry's domain, or as much of its end as is in mail in one spelling: a
 * label beyond ASCII has two.  What is before it has too many (quotes,
 * escapes), and servers read them differently.  Any other domain is there
 * as it is, whatever else a sender does to an address (idna.c): or a server
 * that is asked would leave out what may be seen.
 */
static struct str
mailbox_hint_common_end(struct str entry)
{
	struct str rest, label, end;
	bool more = true;
	/* The last one: a quoted local part may hold another. */
	size_t at = entry.n;

	while (at > 0 && entry.p[at - 1] != '@')
		at--;
	rest = end = str_from(entry, at);
	while (more) {
		more = str_cut(rest, '.', &label, &rest);
		if (str_starts(label, S("xn--")))
			end = more ? rest : S("");
	}
	return end;
}

static bool
mailbox_hint_add_entry(struct arena *a, struct str entry, struct strs *out)
{
	entry = mailbox_hint_common_end(entry);
	if (entry.n == 0 || !utf8_ascii(entry))
		return false;
	if (!str_among(out, entry))
		str_push(a, out, entry);
	return out->n <= LIMIT_WHITELIST_HINTS;
}

bool
mailbox_hint(const struct mailbox *m, struct strs *out)
{
	const struct policy_rules *r = m->rules;
	const struct strs *lists[] = { &r->in, &r->in_dmarc };

	*out = (struct strs){ 0 };
	if (!r->in_on)
		return false;
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < lists[i]->n; k++) {
			if (mailbox_hint_add_entry(m->arena, lists[i]->v[k],
				out))
				continue;
			*out = (struct strs){ 0 };
			return false;
		}
	}
	return out->n > 0;
}

bool
mailbox_hint_and(const struct mailbox *m, struct str entry, struct strs *out)
{
	if (mailbox_hint(m, out) &&
	    (entry.n == 0 || mailbox_hint_add_entry(m->arena, entry, out)))
		return true;
	*out = (struct strs){ 0 };
	return false;
}
