/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_UIDS_H
#define TESTS_CONFORM_UIDS_H

/* What is asked of stores with uids of their own. */
#include "asked.h"

static void
uids_bound_from_both_sides(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	uint32_t hi = all.v[1].uid, lo = all.v[3].uid;

	assert_asked(t,
	    find(t, (struct query){ .uid_min = lo, .uid_max = hi }, 50),
	    "gr\xc3\xbc\xc3\x9f,with a file,a needle");
	assert_asked(t,
	    find(t, (struct query){ .uid_min = lo, .uid_max = hi }, 1),
	    "gr\xc3\xbc\xc3\x9f");
	assert_asked(t, find(t, (struct query){ .uid_min = hi }, 50),
	    "last,gr\xc3\xbc\xc3\x9f");
	assert_asked(t, find(t, (struct query){ .uid_max = lo }, 50),
	    "a needle,two senders,first");
	assert_asked(t,
	    find(t, (struct query){ .uid_min = lo, .uid_max = lo }, 50),
	    "a needle");
	assert_asked(t,
	    find(t, (struct query){ .uid_min = hi, .uid_max = lo }, 50), "");
	/* "n:*" names the last message too: it must not come. */
	assert_asked(t,
	    find(t, (struct query){ .uid_min = all.v[0].uid + 1 }, 50), "");
	assert_asked(t, find(t, (struct query){ .uid_min = UINT32_MAX }, 50),
	    "");
}

/* Each folder answers as if nothing else were asked, and so does the next. */
static void
what_is_asked_next_changes_no_answer(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct query_next next[] = { { S("Nowhere"), 0 },
		{ site.inbox, all.v[3].uid } };
	struct query q = { .subject = S("E"), .next = { next, 2 } };

	assert_asked(t, find(t, q, 2), "with a file,a needle");
	q.folder = next[0].folder;
	q.next = (struct query_nexts){ next + 1, 1 };
	assert_int_equal(find(t, q, 2), -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	q.folder = next[1].folder;
	q.uid_max = next[1].uid_max;
	q.next.n = 0;
	assert_asked(t, find(t, q, 2), "a needle,two senders");
	assert_true(t->st.uidvalidity != 0 && t->st.exists > 0);
	assert_asked(t, find(t, (struct query){ 0 }, 1), "last");
}

#endif
