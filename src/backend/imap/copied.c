/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COPYUID, RFC 4315 section 3: which uid each message has in the target.  It
 * decides which originals may be removed (copy.c), and where the caller finds
 * them again.  So one thing in it that cannot be true, and nothing of it is
 * believed.
 */
#include "backend/imap/change.h"
#include "base/limits.h"

/* Numbers of a set, one by one in its order; 0 after the last. */
struct walk {
	const struct imap_set *set;
	size_t at;
	uint32_t next;
};

static uint32_t
imap_copied_next(struct walk *w)
{
	const struct imap_range *r;

	if (w->at == w->set->n)
		return 0;
	r = &w->set->v[w->at];
	if (w->next < r->lo)
		w->next = r->lo;
	if (w->next < r->hi)
		return w->next++;
	w->at++;
	w->next = 0;
	return r->hi;
}

static uint64_t
imap_copied_count(const struct imap_set *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += (uint64_t)s->v[i].hi - s->v[i].lo + 1;
	return n;
}

/* Is each original one of ours, and each copy newer than all before it? */
static bool
imap_copied_pair(struct imap_copied *c, const struct imap_set *from,
    const struct imap_set *to)
{
	struct walk old = { .set = from }, new = { .set = to };
	uint32_t uid;

	while ((uid = imap_copied_next(&old)) != 0) {
		size_t at = imap_uids_place(c->from, uid);
		uint32_t copy = imap_copied_next(&new);

		/* Some servers say it twice. */
		if (at < c->from->n && copy != 0 && c->to[at] == copy)
			continue;
		if (at == c->from->n || c->to[at] != 0 || copy < c->next ||
		    copy == UINT32_MAX)
			return false;
		c->to[at] = copy;
		c->next = copy + 1;
		c->n++;
	}
	return true;
}

static bool
imap_copied_read(struct imap_copied *c, struct arena *a, struct str text)
{
	struct imap_set from = { .a = a }, to = { .a = a };
	struct str validity, old, new;
	uint32_t uidvalidity;

	/* Two ranges for each would be too many already. */
	if (text.n > (c->from->n + 1) * 4 * sizeof("4294967295"))
		return false;
	return str_cut(text, ' ', &validity, &text) &&
	    str_cut(text, ' ', &old, &new) &&
	    str_to_u32(validity, UINT32_MAX, &uidvalidity) &&
	    uidvalidity != 0 && uidvalidity == c->uidvalidity &&
	    imap_set_parse(&from, old) && imap_set_parse(&to, str_trim(new)) &&
	    !from.over && !to.over &&
	    imap_copied_count(&from) == imap_copied_count(&to) &&
	    imap_copied_count(&from) <= c->from->n &&
	    imap_copied_pair(c, &from, &to);
}

void
imap_copied_take(struct imap_session *s, struct str word, struct str rest,
    void *ctx)
{
	struct imap_copied *c = ctx;

	if (!str_eq_case(word, S("COPYUID")) || c->wrong)
		return;
	c->wrong = !imap_copied_read(c, s->reader.scratch, rest);
	if (!c->wrong)
		return;
	memset(c->to, 0, c->from->n * sizeof(*c->to));
	c->n = 0;
}
