/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_FIELDS_SOURCE_H
#define OP_FIELDS_SOURCE_H

/*
 * Arguments and results that the operations of the contract of mail sources
 * share.
 */
#include "gate/mailbox_thread.h"
#include "gate/sources.h"
#include "op/fields.h"

/* The source: for operations of the contract of mail sources. */
#define FIELDS_ARGS_SOURCE                                                     \
	{ "account", ARG_ACCOUNT,                                              \
		.help = "default: by the roles, or the only one that can" },   \
	    { "source", ARG_ACCOUNT,                                           \
		    .help =                                                    \
			"instead of the one by the roles; needs a reason" },   \
	{                                                                      \
		"reason", ARG_TEXT, ARG_EMPTY,                                 \
		    .help = "with source: why, for the record"                 \
	}

/* The last members of every reply of the contract; the gate puts them. */
#define FIELDS_RESOLUTION                                                      \
	{ "resolution", FIELD_OBJECT,                                          \
		.help = "which source served this, how it was chosen, and "    \
			"which were skipped",                                  \
		.sub = sources_fields_resolution },                            \
	    { "thread_id_kind", FIELD_TEXT, .nullable = true,                  \
		    .help = "the kind of this source's thread ids" },          \
	    FIELDS_WARNINGS

/* A thread's name: ids of different kinds are never compared. */
#define FIELDS_THREAD_ID                                                       \
	{                                                                      \
		"thread_id", FIELD_OBJECT,                                     \
		    .help =                                                    \
			"of the thread; in arguments it is written kind:id",   \
		    .sub = fields_source_thread_id                             \
	}

extern const struct field fields_source_thread_id[];
/* A message in a thread, and a draft. */
extern const struct field fields_source_row[];
extern const struct field fields_source_draft[];

/* A member with that name, {kind, id}. */
void fields_source_put_id(struct json *j, struct arena *a, const char *key,
    const struct mailbox_thread_name *name);
/* A Message-ID, or null for none. */
void fields_source_put_msgid(struct json *j, struct arena *a, const char *key,
    struct str id);
/* The first members of every reply about a thread: thread_id, list, subject. */
void fields_source_put_thread(struct json *j, struct arena *a,
    const struct mailbox_thread *t, struct str list);
/* The end of a page of threads: truncated, next_cursor. */
void fields_source_put_page(struct json *j, const struct mailbox_threads *l);
/* RFC 3339 in UTC, or null. */
void fields_source_put_moment(struct json *j, struct arena *a, const char *key,
    int64_t unix_s, bool known);
/* A message of a thread, as members of an open object. */
void fields_source_put_row(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg);
void fields_source_put_draft(struct json *j, struct arena *a,
    const struct mailbox_thread_message *msg);
/* The moment of `since`.  ERR_USAGE. */
int fields_source_since(const struct args *args, int64_t *out, struct err *e);

#endif
