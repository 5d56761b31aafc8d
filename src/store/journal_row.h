/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_JOURNAL_ROW_H
#define STORE_JOURNAL_ROW_H

/* The journal as rows. */
#include "store/internal.h"
#include "store/journal.h"

/* Its locks are in the outbox's file, far above those of messages. */
#define JOURNAL_LOCK (INT64_C(1) << 40)

/* A text of any labels, and back. */
struct str journal_row_labels(struct arena *a, const struct strs *labels);
void journal_row_labels_read(struct arena *a, struct str text,
    struct strs *out);
enum store_journal_state journal_row_state_of(struct str word);
const char *journal_row_word(enum store_journal_state state);

#define JOURNAL_ROW_COLUMNS                                                    \
	"j.id, j.account_id, j.audit_id, j.principal, j.kind, j.folder,"       \
	" j.uidvalidity, j.target, j.target_uidvalidity, j.flags_set,"         \
	" j.flags_clear, j.labels_add, j.labels_drop, j.state, j.messages,"    \
	" j.created_s, j.changed_s, (SELECT count(*) FROM journal_message m"   \
	" WHERE m.journal_id = j.id AND m.done <> 0), (SELECT count(*) FROM"   \
	" journal_message m WHERE m.journal_id = j.id AND m.done = 0 AND"      \
	" (m.new_uid <> 0 OR m.new_ref <> '')), j.undoes,"                     \
	" (SELECT count(*) FROM journal_message m"                             \
	" WHERE m.journal_id = j.id AND m.done <> 0 AND m.undone <> 0)"

/* A row of these columns, without messages. */
void journal_row_read(struct stmt *st, struct arena *a,
    struct store_journal *out);
/* Its messages. */
int journal_row_messages(struct store *s, struct arena *a,
    struct store_journal *row, struct err *e);
/*
 * journal_undo.c, in the transaction that writes an undo: ERR_LIMIT if its
 * messages are being taken back, or were.
 */
int journal_undo_refuse(struct store *s, const struct store_journal *row,
    struct err *e);
/* In that which settles one: what it took back is undone, and what that had
 * taken back itself is in effect again. */
int journal_undo_mark(struct store *s, const struct store_journal *row,
    struct err *e);

#endif
