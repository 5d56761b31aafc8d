/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a message in several folders: which of them is chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/limits.h"
#include "gate/thread.h"

/*
 * One word per message: its place (l, i, s, d: the list's folder, INBOX, sent,
 * drafts; in upper case a draft in that place), its id, and "!" if it was
 * requested.  "-" is no id.
 */
static const struct case_row {
	const char *why, *in, *want;
} rows[] = {
	{ "nothing", "", "" },
	{ "two messages", "la lb", "la lb" },
	{ "a copy in INBOX", "la ia", "la" },
	{ "in whatever order they are found", "ia la", "la" },
	{ "what was sent counts", "la sa ib", "sa ib" },
	{ "two in one folder are for the engine", "la la ia", "la la" },
	{ "also where they were sent", "sa la sa", "sa sa" },
	{ "without an id none is a copy", "l- i- s-", "l- i- s-" },
	{ "a draft is a copy of what was sent", "sa Da", "sa" },
	{ "and of nothing else", "la Da", "la Da" },
	{ "a draft in the list's folder", "La ia", "La ia" },
	{ "drafts are no copies of each other", "Da Ia", "Da Ia" },
	{ "what is asked for stays so", "la! sa", "sa!" },
	{ "and nobody else is", "la! sa lb", "sa! lb" },
};

static struct mailbox_thread_message
message(struct str word)
{
	struct mailbox_thread_message x = { 0 };
	char c = (char)(word.p[0] | 32);

	x.place = (unsigned)(strchr("lisd", c) - "lisd");
	x.draft = c != word.p[0];
	x.sent = x.place == THREAD_SENT && !x.draft;
	x.seed = str_ends(word, S("!"));
	if (word.p[1] != '-')
		x.mail.env.message_id = str_first(str_from(word, 1), 1);
	return x;
}

static struct str
text(struct arena *a, const struct mailbox_thread_messages *l)
{
	struct str out = S("");

	for (size_t i = 0; i < l->n; i++) {
		const struct mailbox_thread_message *x = &l->v[i];
		struct str id = x->mail.env.message_id;

		out = str_fmt(a, "%.*s%s%c%.*s%s", STR_ARG(out),
		    i > 0 ? " " : "", (x->draft ? "LISD" : "lisd")[x->place],
		    STR_ARG((id.n > 0 ? id : S("-"))), x->seed ? "!" : "");
	}
	return out;
}

static void
one_of_each_is_left(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct mailbox_thread_message v[8];
		struct mailbox_thread_messages l = { .v = v };
		struct str word, rest = str_of(rows[i].in);

		while (rest.n > 0) {
			(void)str_cut(rest, ' ', &word, &rest);
			v[l.n++] = message(word);
		}
		thread_copies_drop(a, &l);
		if (!str_eq(text(a, &l), str_of(rows[i].want)))
			fail_msg("%s: got \"%.*s\"", rows[i].why,
			    STR_ARG(text(a, &l)));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_each_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
