/* SPDX-License-Identifier: Apache-2.0 */
/* How full an account is: QUOTA, RFC 9208 sections 4.2.2 and 5.1. */
#include <inttypes.h>

#include "backend/imap/internal.h"
#include "backend/imap/token.h"

/* Is it nearer to its limit than the other? */
static bool
imap_quota_is_fuller(const struct imap_quota *q, uint64_t used, uint64_t limit)
{
	return !q->told ||
	    (double)used * (double)q->limit > (double)q->used * (double)limit;
}

static bool
imap_quota_number(const struct imap_node *n, uint64_t *out)
{
	return imap_token_is_number(n) && str_to_u64(n->text, UINT64_MAX, out);
}

/* "STORAGE 10 512 MESSAGE 3 100"; false: it is something else. */
static bool
imap_quota_take_list(struct imap_quota *q, const struct imap_node *list)
{
	const struct imap_node *n;
	uint64_t used, limit;

	if (list == NULL || list->kind != IMAP_LIST)
		return false;
	for (n = list->child; n != NULL; n = imap_token_at(n, 3)) {
		if (!imap_quota_number(imap_token_at(n, 1), &used) ||
		    !imap_quota_number(imap_token_at(n, 2), &limit))
			return false;
		if (!imap_token_is(n, "STORAGE") ||
		    !imap_quota_is_fuller(q, used, limit))
			continue;
		q->told = true;
		q->used = used;
		q->limit = limit;
	}
	return true;
}

/*
 * "* QUOTA "User quota" (STORAGE 10 512)", of each root.  An account works
 * without it, so one that cannot be read is no failure.
 */
static int
imap_quota_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	const struct imap_node *n;
	struct imap_quota *q = ctx;
	struct err bad = { 0 };

	(void)e;
	if (!str_eq_case(r->name, S("QUOTA")))
		return 0;
	if (r->cut || imap_token_parse(s->reader.scratch, r, &n, &bad) < 0 ||
	    !imap_quota_take_list(q, imap_token_at(n, 1)))
		q->unclear = true;
	return 0;
}

int
imap_quota(struct imap_session *s, struct imap_quota *out, struct err *e)
{
	struct imap_cmd c;

	*out = (struct imap_quota){ 0 };
	s->data = imap_quota_take;
	s->ctx = out;
	if (imap_command_begin(s, &c, "GETQUOTAROOT INBOX", e) < 0 ||
	    imap_command_end(s, &c, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	s->data = NULL;
	out->unclear = out->unclear || c.status != IMAP_OK;
	out->told = out->told && c.status == IMAP_OK;
	return 0;
}

bool
imap_quota_is_near(const struct imap_quota *q)
{
	return q->told && q->used >= q->limit - q->limit / 10;
}

struct str
imap_quota_say(const struct imap_quota *q, struct arena *a)
{
	if (q->told)
		return str_fmt(a, "%" PRIu64 " of %" PRIu64 " KiB are used",
		    q->used, q->limit);
	return q->unclear ? S("the server does not tell how full it is")
			  : S("the server sets no limit");
}
