/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server that has to copy before it can remove: what is cut off between the
 * two is finished by the next call that may, and each message is there once.
 */
#include "copied.h"

/* -- what happens before the next call ------------------------------------- */

static void
nothing(struct house *h)
{
	(void)h;
}

static void
organise_off(struct house *h)
{
	house_change(h, "work", organises_not);
}

static void
organise_on(struct house *h)
{
	house_change(h, "work", organises);
}

static void
original_gone(struct house *h)
{
	(void)h;
	fake.mail[0].folder = "nowhere";
}

static void
originals_gone(struct house *h)
{
	original_gone(h);
	fake.mail[2].folder = "nowhere";
}

/* Of message 1. */
static void
copy_gone(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE].times = 1;
	fake.mail[3].folder = "nowhere";
}

static void
copies_gone(struct house *h)
{
	copy_gone(h);
	fake.mail[4].folder = "nowhere";
}

static void
made_again(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] = (struct fake_fault){ .kind = ERR_NOT_FOUND,
		.after = 1,
		.times = 1 };
}

static void
line_drops(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NETWORK, .after = 1, .times = 1 };
}

/* A day after the move. */
static void
line_drops_late(struct house *h)
{
	line_drops(h);
	house_sql(h, "UPDATE journal SET created_s = created_s - 90000");
}

/* And nothing can be asked any more. */
static void
line_drops_always(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_MOVE].times = 0;
}

static void
login_is_refused(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_AUTH, .after = 1 };
}

/* Neither removing nor giving up is allowed; he may have marked them. */
static void
all_is_refused(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_REJECTED, .after = 1 };
}

static void
folder_is_gone(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_NOT_FOUND, .after = 1 };
}

static void
folder_is_gone_late(struct house *h)
{
	line_drops_late(h);
	folder_is_gone(h);
}

static void
line_holds(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] = (struct fake_fault){ 0 };
}

/* In the target nothing can be looked for; the answer is not this once. */
static void
target_is_broken(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_HEADERS] = (struct fake_fault){ .kind = ERR_UNSUPPORTED,
		.after = fake.calls[FAKE_HEADERS] + 2 };
}

static void
look_is_lost(struct house *h)
{
	line_drops_late(h);
	fake.fault[FAKE_HEADERS] = (struct fake_fault){ .kind = ERR_NETWORK,
		.after = fake.calls[FAKE_HEADERS] + 2,
		.times = 1 };
}

static void
numbered_again(struct house *h)
{
	house_sql(h,
	    "UPDATE journal SET uidvalidity = 77, target_uidvalidity = 78");
	fake.fault[FAKE_MOVE].times = 1;
}

static void
server_refuses(struct house *h)
{
	(void)h;
	fake.fault[FAKE_MOVE] =
	    (struct fake_fault){ .kind = ERR_REJECTED, .after = 1, .times = 1 };
}

static void
never_written(struct house *h)
{
	house_sql(h,
	    "UPDATE journal_message SET new_uid = 0;"
	    "UPDATE journal SET target_uidvalidity = 0");
}

static const struct cut {
	const char *why;
	void (*meanwhile)(struct house *h);
	enum store_journal_state state;
	size_t done, copied;
	const char *where;
	unsigned asked;                /* of `move`, after the first */
	void (*then)(struct house *h); /* before the call after that */
	const char *at_last;           /* where they are then */
} cuts[] = {
	{ "it is finished", nothing, STORE_JOURNAL_DONE, 2, 0, "2 | 1 3", 1,
	    nothing, "2 | 1 3" },
	{ "the rest of it", original_gone, STORE_JOURNAL_DONE, 2, 0, "2 | 1 3",
	    1, nothing, "2 | 1 3" },
	{ "nothing was left to do", originals_gone, STORE_JOURNAL_DONE, 2, 0,
	    "2 | 1 3", 1, nothing, "2 | 1 3" },
	{ "somebody took the copies: the originals stay", copies_gone,
	    STORE_JOURNAL_PARTLY, 0, 0, "1 2 3 |", 2, nothing, "1 2 3 |" },
	{ "one of them: its original stays", copy_gone, STORE_JOURNAL_PARTLY, 1,
	    0, "1 2 | 3", 2, nothing, "1 2 | 3" },
	{ "a folder was made again: both are in both", made_again,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "the server refuses it: both are in both", server_refuses,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "the line drops again: the call after that does it", line_drops,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 1, nothing, "2 | 1 3" },
	{ "a day later it is given up", line_drops_late, STORE_JOURNAL_PARTLY,
	    0, 2, "1 2 3 | 1 3", 2, nothing, "1 2 3 | 1 3" },
	{ "which has to succeed", line_drops_always, STORE_JOURNAL_BEGUN, 0, 2,
	    "1 2 3 | 1 3", 2, line_holds, "2 | 1 3" },
	{ "no login is no answer", login_is_refused, STORE_JOURNAL_BEGUN, 0, 2,
	    "1 2 3 | 1 3", 2, line_holds, "2 | 1 3" },
	{ "what may have the mark is not over", all_is_refused,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 2, line_holds,
	    "2 | 1 3" },
	{ "a folder that is gone may come back", folder_is_gone,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 2, line_holds,
	    "2 | 1 3" },
	{ "for a day", folder_is_gone_late, STORE_JOURNAL_PARTLY, 0, 2,
	    "1 2 3 | 1 3", 2, nothing, "1 2 3 | 1 3" },
	{ "what cannot be seen then is as it was written", target_is_broken,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "what was not answered is looked at again", look_is_lost,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 2, nothing, "2 | 1 3" },
	{ "all is numbered again: nobody knows which is which", numbered_again,
	    STORE_JOURNAL_PARTLY, 0, 0, "1 2 3 | 1 3", 2, nothing,
	    "1 2 3 | 1 3" },
	{ "for one who is frozen nothing is moved", freeze, STORE_JOURNAL_BEGUN,
	    0, 2, "1 2 3 | 1 3", 0, thaw, "2 | 1 3" },
	{ "where nothing may be moved any more, nothing is", organise_off,
	    STORE_JOURNAL_BEGUN, 0, 2, "1 2 3 | 1 3", 0, organise_on,
	    "2 | 1 3" },
	{ "what nobody wrote down is a copy that stays", never_written,
	    STORE_JOURNAL_PARTLY, 0, 2, "1 2 3 | 1 3", 0, nothing,
	    "1 2 3 | 1 3" },
};

static void
a_cut(void **state)
{
	const struct cut *k = *state;
	struct store_journal row;
	struct house h;

	cut_off(&h);
	rows_same(str_of(where(&h)), S("1 2 3 | 1 3"));
	row = change_of(&h, 1);
	assert_true(row.state == STORE_JOURNAL_BEGUN && row.copied == 2);
	assert_true(store_journal_has_copies(&row));
	k->meanwhile(&h);
	row = settled(&h, 1);
	assert_int_equal(row.state, k->state);
	assert_true(row.done == k->done && row.copied == k->copied);
	rows_same(str_of(where(&h)), str_of(k->where));
	assert_int_equal(fake.calls[FAKE_MOVE], 1 + k->asked);
	/* Unless giving up fails, too. */
	assert_int_equal(fake.gave_up,
	    k->asked == 2 && fake.fault[FAKE_MOVE].times == 1);
	k->then(&h);
	row = settled(&h, 1);
	assert_true(row.state != STORE_JOURNAL_BEGUN);
	rows_same(str_of(where(&h)), str_of(k->at_last));
	house_close(&h);
}

int
main(void)
{
	ROWS(cuts, a_cut);
	return cmocka_run_group_tests_name("gate/journal_copied", rows_tests,
	    NULL, NULL);
}
