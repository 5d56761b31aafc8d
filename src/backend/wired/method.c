/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The methods of the contract: what each of them sends, and what comes back.
 * What is told before the answer is in tell.c.
 */
#include <string.h>

#include "backend/wired/shape.h"

#define ASK_TEXT(m, most) TEXT(struct wired_ask, m, most)
#define ANSWER(m, shape) PART(struct wired_answer, m, shape)
#define ROWS                                                                   \
	LIST(struct wired_answer, rows, wired_shape_row, LIMIT_THREAD_MESSAGES)

static const struct wired_field folder_only[] = { ASK_TEXT(folder, WORDS) };
static const struct wired_field state_only[] = {
	ANSWER(state, wired_shape_state),
};
static const struct wired_field text_only[] = {
	TEXT(struct wired_answer, text, LIMIT_WIRED),
};
static const struct wired_field yes_only[] = { YES(struct wired_answer, yes) };
static const struct wired_field state_rows[] = {
	ANSWER(state, wired_shape_state),
	ROWS,
};
static const struct wired_field folders_all[] = {
	LIST(struct wired_answer, folders, wired_shape_folder, LIMIT_FOLDERS),
};
static const struct wired_field find_ask[] = {
	PART(struct wired_ask, query, wired_shape_query),
	NUMBER(struct wired_ask, max, LIMIT_PAGE),
};
static const struct wired_field folder_refs[] = {
	ASK_TEXT(folder, WORDS),
	LIST(struct wired_ask, refs, wired_shape_ref, ITEMS),
};
static const struct wired_field body_ask[] = {
	ASK_TEXT(folder, WORDS),
	PART(struct wired_ask, ref, wired_shape_ref),
	NUMBER(struct wired_ask, max, LIMIT_MESSAGE),
};
static const struct wired_field state_ids[] = {
	ANSWER(state, wired_shape_state),
	LIST(struct wired_answer, ids, wired_shape_str, ITEMS),
};
static const struct wired_field changes_ask[] = {
	ASK_TEXT(folder, WORDS),
	ASK_TEXT(text, WORDS),
};
static const struct wired_field changes_answer[] = {
	ANSWER(state, wired_shape_state),
	LIST(struct wired_answer, ids, wired_shape_str, ITEMS),
	LIST(struct wired_answer, gone, wired_shape_str, ITEMS),
};
static const struct wired_field submit_ask[] = {
	PART(struct wired_ask, submission, wired_shape_submission),
};
static const struct wired_field submit_answer[] = {
	ITEM_LIST(struct wired_answer, to, n, wired_shape_outcome,
	    LIMIT_RECIPIENTS),
};
static const struct wired_field append_ask[] = {
	ASK_TEXT(folder, WORDS),
	ASK_TEXT(text, LIMIT_MESSAGE),
};
static const struct wired_field draft_ask[] = {
	ASK_TEXT(folder, WORDS),
	ASK_TEXT(text, LIMIT_MESSAGE),
	ASK_TEXT(to, WORDS),
};
static const struct wired_field draft_answer[] = {
	ANSWER(drafted, wired_shape_drafted),
};
static const struct wired_field mark_ask[] = {
	ASK_TEXT(folder, WORDS),
	LIST(struct wired_ask, refs, wired_shape_ref, ITEMS),
	PART(struct wired_ask, change, wired_shape_change),
};
static const struct wired_field move_ask[] = {
	ASK_TEXT(folder, WORDS),
	LIST(struct wired_ask, refs, wired_shape_ref, ITEMS),
	ASK_TEXT(to, WORDS),
	MAYBE(struct wired_ask, copying, wired_shape_copying),
};
static const struct wired_field move_answer[] = {
	LIST(struct wired_answer, refs, wired_shape_ref, ITEMS),
};
static const struct wired_field move_back_ask[] = {
	ASK_TEXT(folder, WORDS),
	LIST(struct wired_ask, refs, wired_shape_ref, ITEMS),
	ASK_TEXT(to, WORDS),
	LIST(struct wired_ask, was, wired_shape_strs, ITEMS),
};
static const struct wired_field watch_ask[] = {
	ASK_TEXT(folder, WORDS),
	NUMBER(struct wired_ask, wait_ms, LIMIT_WIRED_LEFT_MS),
};

static const struct wired_field token_answer[] = {
	NUMBER(struct wired_answer, lives_s, INT64_MAX),
};

#define NOTHING                                                                \
	{                                                                      \
		0, NULL, 0                                                     \
	}
#define ASK(fields) SHAPE(struct wired_ask, fields)
#define GETS(fields) SHAPE(struct wired_answer, fields)
#define METHOD(m, ask, back)                                                   \
	{                                                                      \
#m, offsetof(struct backend, m), ask, back, false, false,      \
		    false                                                      \
	}
#define CHANGE(m, ask, back)                                                   \
	{                                                                      \
#m, offsetof(struct backend, m), ask, back, false, true, false \
	}

const struct wired_method wired_method[WIRED_VERBS] = {
	[WIRED_OPEN] = METHOD(open, NOTHING, NOTHING),
	[WIRED_FOLDERS] = METHOD(folders, NOTHING, GETS(folders_all)),
	[WIRED_FIND] = METHOD(find, ASK(find_ask), GETS(state_rows)),
	[WIRED_HEADERS] = METHOD(headers, ASK(folder_refs), GETS(state_rows)),
	[WIRED_BODY] = METHOD(body, ASK(body_ask), GETS(text_only)),
	[WIRED_LINKS] = METHOD(links, ASK(folder_only), GETS(yes_only)),
	[WIRED_SCAN] = METHOD(scan, ASK(folder_only), GETS(state_ids)),
	[WIRED_LISTING] = METHOD(listing, ASK(folder_only), GETS(state_only)),
	[WIRED_CHANGES] =
	    METHOD(changes, ASK(changes_ask), GETS(changes_answer)),
	[WIRED_SUBMIT] = { "submit", offsetof(struct backend, submit),
	    ASK(submit_ask), GETS(submit_answer), true, true, false },
	[WIRED_APPEND] = CHANGE(append, ASK(append_ask), NOTHING),
	[WIRED_DRAFTS] = METHOD(drafts, NOTHING, GETS(text_only)),
	[WIRED_DRAFT] = CHANGE(draft, ASK(draft_ask), GETS(draft_answer)),
	[WIRED_MARK] = CHANGE(mark, ASK(mark_ask), NOTHING),
	[WIRED_MOVE] = CHANGE(move, ASK(move_ask), GETS(move_answer)),
	[WIRED_MOVE_BACK] = CHANGE(move_back, ASK(move_back_ask), NOTHING),
	[WIRED_WATCH] = METHOD(watch, ASK(watch_ask), GETS(yes_only)),
	[WIRED_PROBE] = { "probe", offsetof(struct backend, probe), NOTHING,
	    NOTHING, false, false, true },
	/* Whoever can be tested may have one. */
	[WIRED_TOKEN] = { "token", offsetof(struct backend, probe), NOTHING,
	    GETS(token_answer), false, false, true },
};

bool
wired_method_is_there(const struct backend *be, enum wired_verb verb)
{
	void (*slot)(void);

	memcpy(&slot, (const char *)be + wired_method[verb].slot, sizeof(slot));
	return slot != NULL;
}
