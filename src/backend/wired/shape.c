/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structs of the contract that travel, field by field.  A field that is
 * not here does not arrive: tests/unit/backend/wired_shape.c sets each of them.
 */
#include "backend/wired/shape.h"

static const struct wired_field str_fields[] = {
	{ .kind = WIRED_TEXT, .max = LIMIT_WIRED },
};
const struct wired_shape wired_shape_str = SHAPE(struct str, str_fields);

static const struct wired_field strs_fields[] = {
	ITEM_LIST(struct strs, v, n, wired_shape_str, LIMIT_PLACES),
};
const struct wired_shape wired_shape_strs = SHAPE(struct strs, strs_fields);

static const struct wired_field ref_fields[] = {
	NUMBER(struct ref, uid, UINT32_MAX),
	TEXT(struct ref, id, LIMIT_ARGV),
};
const struct wired_shape wired_shape_ref = SHAPE(struct ref, ref_fields);

static const struct wired_field refs_fields[] = {
	ITEM_LIST(struct refs, v, n, wired_shape_ref, ITEMS),
};
const struct wired_shape wired_shape_refs = SHAPE(struct refs, refs_fields);

static const struct wired_field next_fields[] = {
	TEXT(struct query_next, folder, WORDS),
	NUMBER(struct query_next, uid_max, UINT32_MAX),
};
const struct wired_shape wired_shape_next =
    SHAPE(struct query_next, next_fields);

static const struct wired_field query_fields[] = {
	TEXT(struct query, folder, WORDS),
	NUMBER(struct query, uid_min, UINT32_MAX),
	NUMBER(struct query, uid_max, UINT32_MAX),
	MAYBE(struct query, among, wired_shape_refs),
	TEXT(struct query, from, WORDS),
	TEXT(struct query, to, WORDS),
	TEXT(struct query, subject, WORDS),
	TEXT(struct query, text, WORDS),
	TEXT(struct query, message_id, WORDS),
	SIGNED(struct query, since_s),
	SIGNED(struct query, before_s),
	LIST(struct query, senders, wired_shape_str, ITEMS),
	YES(struct query, even),
	SIGNED(struct query, received_s),
	TEXT(struct query, thread, WORDS),
	TEXT(struct query, behind, WORDS),
	SIGNED(struct query, behind_s),
	LIST(struct query, threads, wired_shape_str, ITEMS),
	YES(struct query, outline),
	TEXT(struct query, list, WORDS),
	NUMBER(struct query, with, FLAGS),
	NUMBER(struct query, without, FLAGS),
	LIST(struct query, next, wired_shape_next, LIMIT_SEARCH_FOLDERS),
};
const struct wired_shape wired_shape_query = SHAPE(struct query, query_fields);

static const struct wired_field change_fields[] = {
	NUMBER(struct flag_change, set, FLAGS),
	NUMBER(struct flag_change, clear, FLAGS),
	LIST(struct flag_change, add, wired_shape_str, LIMIT_LABELS),
	LIST(struct flag_change, drop, wired_shape_str, LIMIT_LABELS),
};
const struct wired_shape wired_shape_change =
    SHAPE(struct flag_change, change_fields);

static const struct wired_field copying_fields[] = {
	MAYBE(struct copying, copies, wired_shape_refs),
	NUMBER(struct copying, uidvalidity, UINT32_MAX),
	NUMBER(struct copying, from_uidvalidity, UINT32_MAX),
	YES(struct copying, gives_up),
};
const struct wired_shape wired_shape_copying =
    SHAPE(struct copying, copying_fields);

static const struct wired_field copied_fields[] = {
	PART(struct wired_copied, copies, wired_shape_refs),
	NUMBER(struct wired_copied, uidvalidity, UINT32_MAX),
};
const struct wired_shape wired_shape_copied =
    SHAPE(struct wired_copied, copied_fields);

static const struct wired_field state_fields[] = {
	NUMBER(struct folder_state, uidvalidity, UINT32_MAX),
	NUMBER(struct folder_state, uidnext, UINT32_MAX),
	NUMBER(struct folder_state, exists, UINT32_MAX),
	TEXT(struct folder_state, listing, WORDS),
};
const struct wired_shape wired_shape_state =
    SHAPE(struct folder_state, state_fields);

static const struct wired_field folder_fields[] = {
	TEXT(struct folder, name, WORDS),
	NUMBER(struct folder, delimiter, UINT8_MAX),
	YES(struct folder, selectable),
	NUMBER(struct folder, role, FOLDER_TRASH),
};
const struct wired_shape wired_shape_folder =
    SHAPE(struct folder, folder_fields);

static const struct wired_field row_fields[] = {
	PART(struct row, ref, wired_shape_ref),
	TEXT(struct row, head, LIMIT_WIRED),
	NUMBER(struct row, size, UINT64_MAX),
	SIGNED(struct row, received_s),
	YES(struct row, has_attachments),
	YES(struct row, ambiguous),
	YES(struct row, forgeable),
	YES(struct row, draft),
	TEXT(struct row, thread, WORDS),
	NUMBER(struct row, flags, FLAGS),
	LIST(struct row, labels, wired_shape_str, LIMIT_LABELS),
	TEXT(struct row, folder, WORDS),
	LIST(struct row, places, wired_shape_str, LIMIT_PLACES),
	YES(struct row, vouched),
	YES(struct row, outline),
	TEXT(struct row, draft_id, WORDS),
};
const struct wired_shape wired_shape_row = SHAPE(struct row, row_fields);

static const struct wired_field drafted_fields[] = {
	TEXT(struct drafted, id, WORDS),
	PART(struct drafted, ref, wired_shape_ref),
	TEXT(struct drafted, thread, WORDS),
};
const struct wired_shape wired_shape_drafted =
    SHAPE(struct drafted, drafted_fields);

/* A recipient on the way there, and on the way back. */
static const struct wired_field addressee_fields[] = {
	TEXT(struct recipient, addr, LIMIT_ADDRESS),
};
const struct wired_shape wired_shape_addressee =
    SHAPE(struct recipient, addressee_fields);

static const struct wired_field outcome_fields[] = {
	NUMBER(struct recipient, code, 999),
	TEXT(struct recipient, status, LIMIT_LINE),
};
const struct wired_shape wired_shape_outcome =
    SHAPE(struct recipient, outcome_fields);

static const struct wired_field submission_fields[] = {
	TEXT(struct submission, from, LIMIT_ADDRESS),
	ITEM_LIST(struct submission, to, n, wired_shape_addressee,
	    LIMIT_RECIPIENTS),
	TEXT(struct submission, message, LIMIT_MESSAGE),
	YES(struct submission, smtputf8),
};
const struct wired_shape wired_shape_submission =
    SHAPE(struct submission, submission_fields);

static const struct wired_field probe_fields[] = {
	TEXT(struct probe, what, LIMIT_LINE),
	YES(struct probe, ok),
	YES(struct probe, note),
	TEXT(struct probe, say, LIMIT_LINE),
	TEXT(struct probe, next, LIMIT_LINE),
	TEXT(struct probe, detail, LIMIT_LINE),
	SIGNED(struct probe, ms),
};
const struct wired_shape wired_shape_probe = SHAPE(struct probe, probe_fields);

static const struct wired_field linked_fields[] = {
	PART(struct wired_linked, ref, wired_shape_ref),
	LIST(struct wired_linked, ids, wired_shape_str, LIMIT_THREAD_IDS),
};
const struct wired_shape wired_shape_linked =
    SHAPE(struct wired_linked, linked_fields);

static const struct wired_field sign_fields[] = {
	TEXT(struct wired_sign, text, LIMIT_LINE),
	TEXT(struct wired_sign, mac, WIRED_MAC),
};
const struct wired_shape wired_shape_sign =
    SHAPE(struct wired_sign, sign_fields);

static const struct wired_field progress_fields[] = {
	NUMBER(struct wired_progress, done, INT64_MAX),
	NUMBER(struct wired_progress, all, INT64_MAX),
};
const struct wired_shape wired_shape_progress =
    SHAPE(struct wired_progress, progress_fields);

static const struct wired_field fault_fields[] = {
	NUMBER(struct wired_fault, kind, ERR_KINDS - 1),
	NUMBER(struct wired_fault, scope, ERR_SCOPE_CONN),
	TEXT(struct wired_fault, reason, sizeof(((struct err *)0)->say)),
	TEXT(struct wired_fault, hint, LIMIT_PATH),
	TEXT(struct wired_fault, say, sizeof(((struct err *)0)->say)),
	TEXT(struct wired_fault, detail, sizeof(((struct err *)0)->detail)),
};
const struct wired_shape wired_shape_fault =
    SHAPE(struct wired_fault, fault_fields);

static const struct wired_field head_fields[] = {
	NUMBER(struct wired_head, left_ms, LIMIT_WIRED_LEFT_MS),
	YES(struct wired_head, trace),
	YES(struct wired_head, progress),
	YES(struct wired_head, signs),
};
const struct wired_shape wired_shape_head =
    SHAPE(struct wired_head, head_fields);
