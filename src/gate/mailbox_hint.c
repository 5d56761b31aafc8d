/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The senders in requests to a server.  With a whitelist on, they are part of
 * every request from the first page on: a server that also searched hidden mail
 * would reveal its words by the cost of the answer.
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
 * An entry's domain, or the last part of it that has only one spelling in mail:
 * a label beyond ASCII has two.  The part before the domain has too many
 * (quotes, escapes), and servers parse them differently.  Any other domain
 * appears unchanged in every form of an address (idna.c).  Otherwise a server
 * would omit visible mail.
 */
static struct str
mailbox_hint_common_end(struct str entry)
{
	struct str rest, label, end;
	bool more = true;
	/* The last "@": a quoted local part may contain another. */
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
