/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_INTERNAL_H
#define OP_INTERNAL_H

/* The operations, for the table. */
#include "op/op.h"

extern const struct op op_list, op_get, op_search, op_watch, op_ack, op_send,
    op_send_status, op_folders, op_list_recent_threads, op_search_threads,
    op_read_thread, op_list_sent_since, op_list_drafts, op_create_draft,
    op_draft_status, op_thread_url, op_sources, op_doctor, op_list_skills,
    op_load_skill, op_unload_skill, op_read_skill_resource, op_freeze_self,
    op_forward, op_mark, op_move, op_archive, op_trash, op_labels, op_changes,
    op_undo;

/* Those on an agent's own mailbox. */
extern const struct op op_mail_status, op_mail_check, op_mail_send,
    op_mail_reply, op_mail_post, op_mail_state, op_mail_list, op_mail_peek,
    op_mail_read, op_mail_mark, op_mail_move, op_mail_archive,
    op_mail_attachment, op_mail_unread, op_mail_wait, op_mail_notifier,
    op_mail_notifier_set, op_mail_notifier_off;

#endif
