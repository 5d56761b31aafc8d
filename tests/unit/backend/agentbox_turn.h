/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_AGENTBOX_TURN_H
#define TESTS_AGENTBOX_TURN_H

/*
 * One message for each turn of a loop in which system calls fail, and how often
 * it was delivered.
 */
#include "agentbox_faults.h"

#include "backend/agentbox/deliver.h"

#define AB "a.b+c@agents.example.test"

/* Of the loop: names the message. */
static long turn;

static int
send_one(struct site *s, struct agentbox_sent *out)
{
	struct agentbox_file f = { SI("plan.txt"), SI("text/plain"), { 0 } };
	struct agentbox_send m = { .principal = S("HOUMAO-ci"),
		.address = S(CI),
		.body = S("body\n"),
		.file = &f,
		.files = 1 };

	f.bytes = str_fmt(s->a, "plan %ld\n", turn);
	m.subject = m.key = str_fmt(s->a, "turn %ld", turn);
	str_push(s->a, &m.to, S(WRITER));
	str_push(s->a, &m.cc, S(AB));
	return agentbox_deliver(s->r, &m, s->a, out, &s->e);
}

static inline long
count(struct site *s, const char *db, const char *sql)
{
	return strtol(site_sql(s, db,
			  str_fmt(s->a, "%s'turn %ld'", sql, turn).p)
			  .p,
	    NULL, 10);
}

/* How many copies of this turn's message exist: the same number everywhere. */
static inline long
delivered(struct site *s)
{
	static const char state[] =
	    "SELECT count(*) FROM message_state WHERE subject = ";
	static const char *const boxes[] = { "mailboxes/" WRITER
					     "/mailbox.sqlite",
		"mailboxes/" AB "/mailbox.sqlite",
		"mailboxes/" CI "/mailbox.sqlite" };
	long n = count(s, "index.sqlite",
	    "SELECT count(*) FROM messages WHERE subject = ");

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(count(s, boxes[i], state), n);
	assert_int_equal(count(s, "index.sqlite",
			     "SELECT count(*) FROM mailbox_projections JOIN"
			     " messages USING (message_id) WHERE subject = "),
	    3 * n);
	assert_int_equal(count(s, "index.sqlite",
			     "SELECT count(*) FROM message_attachments JOIN"
			     " messages USING (message_id) WHERE subject = "),
	    n);
	return n;
}

#endif
