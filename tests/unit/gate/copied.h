/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_GATE_COPIED_H
#define TESTS_UNIT_GATE_COPIED_H

/* A store that has to copy first, and a move that was cut off after it. */
#include "../rows.h"

#include "../../fake/house.h"
#include "../../fake/verbs.h"
#include "gate/internal.h"
#include "gate/undo.h"
#include "store/journal.h"

#define ID(n) "Message-ID: <" #n "@us.example>\r\n"

static inline void
organises(struct store_account *acct)
{
	acct->organise = ORGANISE_ON;
}

static inline void
organises_not(struct store_account *acct)
{
	acct->organise = ORGANISE_OFF;
}

static inline void
begin(struct house *h)
{
	fake_reset();
	house_open(h, (struct terms){ 0 });
	house_change(h, "work", organises);
	fake_add(ID(1) BOSS);
	fake_add(ID(2) BOSS);
	fake_add(ID(3) BOSS);
	fake.folder[fake.folders++] = (struct folder){ .name = S("Old"),
		.selectable = true,
		.role = FOLDER_ARCHIVE };
	fake.copies = true;
}

/* Messages 1 and 3; the line drops when the copies were told of. */
static inline struct reply
archive(struct house *h)
{
	return house_call(h, "archive", WORK, "uid", "1", "uid", "3", NULL);
}

static inline void
cut_off(struct house *h)
{
	begin(h);
	fake.end = FAKE_END_COPIED;
	rows_same(str_of(house_word(archive(h))), S("network"));
	fake.end = FAKE_END_WELL;
}

static inline struct store_journal
change_of(struct house *h, int64_t id)
{
	struct store_journal row;
	struct err e = { 0 };

	if (store_journal_get(h->store, h->a, id, &row, &e) < 0)
		fail_msg("change %d: %s", (int)id, e.say);
	return row;
}

/* After the next call that changes mail. */
static inline struct store_journal
settled(struct house *h, int64_t id)
{
	(void)house_call(h, "mark", WORK, "uid", "2", "read", "", NULL);
	return change_of(h, id);
}

/* "1 2 3 | 4": the messages by Message-ID, in INBOX and in Old. */
static inline const char *
where(struct house *h)
{
	struct buf b;

	buf_init(&b, h->a, 4096);
	for (int old = 0; old < 2; old++) {
		for (size_t i = 0; i < fake.n; i++) {
			const char *in = fake.mail[i].folder;

			in = in != NULL ? in : "INBOX";
			if (strcmp(in, old ? "Old" : "INBOX") == 0)
				buf_fmt(&b, "%c ",
				    strchr(fake.mail[i].head, '<')[1]);
		}
		buf_str(&b, old ? S("") : S("| "));
	}
	return str_c(h->a, str_trim(buf_view(&b)));
}

/* The operator takes it back: the state that he is told, or an error. */
static inline const char *
operator_undoes(struct house *h, int64_t id)
{
	static const struct op undo = { .name = "undo" };
	const struct undo_want want = { .id = id };
	struct call c = { .op = &undo, .arena = h->a, .gate = h->gate };
	struct undone *out = NULL;
	struct err e = { 0 };
	size_t n = 0;
	const struct str agent = h->gate->principal;
	int r;

	h->gate->operates = &undo;
	h->gate->principal = S("operator");
	r = undo_operate(&c, &want, &out, &n, &e);
	h->gate->operates = NULL;
	h->gate->principal = agent;
	return r < 0 ? err_code(e.kind) : n == 1 ? out[0].state : "none";
}

/* And another agent asks. */
static inline void
freeze(struct house *h)
{
	house_sql(h,
	    "INSERT INTO freeze (agent, account_id, why, at_s) "
	    "VALUES ('agent', 0, 'stop', 1)");
	house_caller(h, (struct gate_caller){ .principal = S("eve") });
}

static inline void
thaw(struct house *h)
{
	house_sql(h, "DELETE FROM freeze");
}

#endif
