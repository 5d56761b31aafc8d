/* SPDX-License-Identifier: Apache-2.0 */
/* What of a mark is to be put back, given the row and what is there now. */
#include "../rows.h"

#include "gate/undo_plan.h"

enum {
	R = FLAG_READ,
	F = FLAG_FLAGGED,
	A = FLAG_ANSWERED
};

static const struct mark_row {
	const char *why;
	unsigned set, clear;
	const char *add, *drop; /* labels, separated by blanks */
	unsigned kept;          /* of an undo */
	const char *kept_labels;
	unsigned before;
	const char *labels_before;
	unsigned now;
	const char *labels_now;
	enum undo_fate want;
	unsigned want_set, want_clear;
	const char *want_add, *want_drop;
} rows[] = {
	{ "what was set is cleared", R, 0, "", "", 0, "", 0, "", R, "",
	    UNDO_BACK, 0, R, "", "" },
	{ "what was cleared is set", 0, R, "", "", 0, "", R, "", 0, "",
	    UNDO_BACK, R, 0, "", "" },
	{ "what stood so before is left", R | F, 0, "", "", 0, "", R, "", R | F,
	    "", UNDO_BACK, 0, F, "", "" },
	{ "all of it did", R, F, "x", "y", 0, "", R, "x", R, "x", UNDO_NOTHING,
	    0, 0, "", "" },
	{ "also where somebody has changed it since", R, 0, "", "", 0, "", R,
	    "", 0, "", UNDO_NOTHING, 0, 0, "", "" },
	{ "a flag that a person took away stays away", R, 0, "", "", 0, "", 0,
	    "", 0, "", UNDO_CHANGED, 0, 0, "", "" },
	{ "and one that he set again stays", 0, F, "", "", 0, "", F, "", F, "",
	    UNDO_CHANGED, 0, 0, "", "" },
	{ "the other one is put back", R | F, 0, "", "", 0, "", 0, "", F, "",
	    UNDO_PART, 0, F, "", "" },
	{ "what is no part of the change is left", R, 0, "", "", 0, "", F, "",
	    R | A, "z", UNDO_BACK, 0, R, "", "" },
	{ "a label is taken away and given", 0, 0, "x", "y", 0, "", 0, "y", 0,
	    "x", UNDO_BACK, 0, 0, "y", "x" },
	{ "whatever its case", 0, 0, "x", "Y", 0, "", 0, "y", 0, "X", UNDO_BACK,
	    0, 0, "Y", "x" },
	{ "one that was there before is left", 0, 0, "x w", "", 0, "", 0, "x",
	    0, "x w", UNDO_BACK, 0, 0, "", "w" },
	{ "and so are those that a person changed", 0, 0, "x w", "y", 0, "", 0,
	    "y", 0, "x y", UNDO_PART, 0, 0, "", "x" },
	{ "what an undo left is not put back", 0, R | F, "", "", R, "", R | F,
	    "", R, "", UNDO_BACK, F, 0, "", "" },
	{ "nor a label", 0, 0, "x w", "", 0, "x", 0, "", 0, "x w", UNDO_BACK, 0,
	    0, "", "w" },
};

static struct strs
words(struct arena *a, const char *text)
{
	struct str rest = str_of(text), one;
	struct strs out = { 0 };

	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &one, &rest);
		str_push(a, &out, one);
	}
	return out;
}

static struct str
joined(struct arena *a, const struct strs *l)
{
	struct str out = S("");

	for (size_t i = 0; i < l->n; i++)
		out = str_fmt(a, "%.*s%s%.*s", STR_ARG(out), i > 0 ? " " : "",
		    STR_ARG(l->v[i]));
	return out;
}

static void
mark(void **state)
{
	const struct mark_row *r = *state;
	struct arena *a = arena_open(1 << 20);
	const struct store_journal of = { .set = r->set,
		.clear = r->clear,
		.add = words(a, r->add),
		.drop = words(a, r->drop) };
	const struct store_journal_message v = { .flags = r->before,
		.labels = words(a, r->labels_before),
		.kept = r->kept,
		.kept_labels = words(a, r->kept_labels) };
	struct strs now = words(a, r->labels_now);
	struct store_journal_message undo = { 0 };
	struct flag_change got, again;
	struct store_journal row;

	assert_int_equal(undo_plan_mark(a, &of, &v, r->now, &now, &got),
	    r->want);
	assert_int_equal(got.set, r->want_set);
	assert_int_equal(got.clear, r->want_clear);
	rows_same(joined(a, &got.add), str_of(r->want_add));
	rows_same(joined(a, &got.drop), str_of(r->want_drop));
	/* The undo's own row asks for just that. */
	undo_plan_row(&of, &row);
	undo_plan_keep(a, &row, &got, &undo);
	undo_plan_wanted(a, &row, &undo, &again);
	assert_true(undo_plan_same(&got, &again));
	arena_close(&a);
}

ROWS_MAIN("gate/undo_plan", rows, mark)
