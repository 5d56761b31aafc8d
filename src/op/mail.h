/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_MAIL_H
#define OP_MAIL_H

/*
 * What the operations on an agent's own mailbox share: `agents mail` and the
 * gateway's routes.  Members, refs and bodies are those of the upstream
 * program; what is ours comes only to a call with `extensions`.
 */
#include "base/limits.h"
#include "gate/gate.h"
#include "gate/mailbox.h"
#include "gate/outbox.h"

/* The arguments that every one of them takes. */
#define MAIL_ARGS                                                              \
	{ "account", ARG_ACCOUNT, 0, "the mailbox's account", .def = NULL },   \
	    { "schema_version", ARG_COUNT, 0, "1", .min = 1, .max = 1,         \
		    .def = "1" },                                              \
	    { "if_bindings_version", ARG_TEXT, ARG_QUIET,                      \
		    "refuse unless the binding is of this version",            \
		    .def = NULL },                                             \
	{                                                                      \
		"extensions", ARG_FLAG, 0,                                     \
		    "also answer what the upstream program does not",          \
		    .def = NULL                                                \
	}

/* Which messages, for those on several and for those on one. */
#define MAIL_ARG_REFS                                                          \
	{                                                                      \
		"message_refs", ARG_REF, ARG_REQUIRED | ARG_MANY,              \
		    "refs of messages, none twice", .def = NULL                \
	}
#define MAIL_ARG_REF                                                           \
	{                                                                      \
		"message_ref", ARG_REF, ARG_REQUIRED, "which message",         \
		    .def = NULL                                                \
	}
#define MAIL_ARG_BOX                                                           \
	{                                                                      \
		"box", ARG_FOLDER, ARG_BOX, "the box it has to be in",         \
		    .def = NULL                                                \
	}

/* What those that list take. */
#define MAIL_ARG_PAGE                                                          \
	{ "limit", ARG_COUNT, 0, "how many at most", .min = 1,                 \
		.max = LIMIT_PAGE, .def = NULL },                              \
	    { "since", ARG_DATE, 0, "only those of that time or later",        \
		    .def = NULL },                                             \
	{                                                                      \
		"cursor", ARG_TEXT, ARG_QUIET, "the next page: next_cursor",   \
		    .def = NULL                                                \
	}

/* What those that write take. */
#define MAIL_ARG_BODY                                                          \
	{                                                                      \
		"body_content", ARG_LONG_TEXT, ARG_REQUIRED | ARG_EMPTY,       \
		    "text of the message", .max = LIMIT_AGENTBOX_BODY          \
	}
#define MAIL_ARG_FILES                                                         \
	{ "attachments", ARG_PATH, ARG_MANY,                                   \
		"files below the account's attach_dir", .def = NULL },         \
	    { "attachment_labels", ARG_TEXT, ARG_MANY | ARG_EMPTY,             \
		    "what each is called; empty: as its file", .def = NULL },  \
	{                                                                      \
		"idempotency_key", ARG_TEXT, 0,                                \
		    "a name for this message: repeating the call with it "     \
		    "sends nothing twice",                                     \
		    .def = NULL                                                \
	}

/* The first members of every answer. */
#define MAIL_HEAD                                                              \
	{ "schema_version", FIELD_INT, false, false, "1", NULL },              \
	    { "transport", FIELD_TEXT, false, false, "filesystem or stalwart", \
		    NULL },                                                    \
	    { "principal_id", FIELD_TEXT, false, false, "whose mailbox it is", \
		    NULL },                                                    \
	{                                                                      \
		"address", FIELD_TEXT, false, false, "its address", NULL       \
	}
#define MAIL_EXTENSIONS                                                        \
	{ "total_count", FIELD_INT, true, true,                                \
		"messages that match; null: more than were counted", NULL },   \
	    { "next_cursor", FIELD_TEXT, true, true,                           \
		    "pass as `cursor` for the next page; null: no more",       \
		    NULL },                                                    \
	    { "warnings", FIELD_TEXTS, true, false,                            \
		    "stable codes: hints, never permissions", NULL },          \
	{                                                                      \
		"warning_counts", FIELD_COUNTS, true, false,                   \
		    "how often each of them occurred", NULL                    \
	}

extern const struct field mail_put_message_fields[];
/* What a person sees of each message of a list, and above one's text. */
#define MAIL_COLUMNS                                                           \
	"message_ref+ unread=NEW created_at_utc=DATE sender.address=FROM "     \
	"subject<"
#define MAIL_HEADS                                                             \
	"sender.address=From to.address=To cc.address=Cc "                     \
	"created_at_utc=Date subject=Subject attachments.label=Attachments "   \
	"message_ref=Ref"

/* A call's mailbox. */
struct mail_box {
	const struct gate_binding *binding;
	struct folders folders; /* read when they are needed */
	bool extensions;
	bool states; /* answers tell what later versions of upstream tell */
};

/* Has the call a binding, of the version it asks for?  ERR_CONFIG with reason
 * "no_mailbox", ERR_USAGE with "stale_binding". */
int mail_begin(struct call *c, struct mail_box *b, struct err *e);
void mail_put_head(const struct mail_box *b, struct json *j);
/* The folder of a box, "inbox" by its role; what is no role is its name. */
int mail_box_folder(struct call *c, struct mail_box *b, struct str box,
    struct str *folder, struct err *e);
/* Reads the folders, once. */
int mail_box_learn(struct call *c, struct mail_box *b, struct err *e);
/* The box of a folder: by its role, or else its name.  They were read. */
struct str mail_box_name(const struct mail_box *b, struct str folder);
/* The messages that an argument names, in `box` or anywhere.  ERR_USAGE. */
int mail_refs(struct call *c, struct mail_box *b, const char *arg,
    struct str box, struct mailbox_pick *out, struct err *e);
/* "message_not_found", where that is what is wrong; returns -1. */
int mail_missing(struct err *e);
/* mail_put.c: one message as an object. */
int mail_put_message(struct call *c, struct mail_box *b, struct json *j,
    const char *key, const struct mail *m, bool body, struct err *e);
/* The same of one that was read already, as RFC 5322. */
void mail_put_raw(struct call *c, const struct mail_box *b, struct json *j,
    const char *key, const struct mail *m, struct str raw);
/* The same of a message that was just picked, as `message`. */
int mail_put_picked(struct call *c, struct mail_box *b, struct json *j,
    const char *operation, const struct mails *l, struct err *e);
/* operation, message_count, messages[]: after a change. */
int mail_put_changed(struct call *c, struct mail_box *b, struct json *j,
    const char *operation, const struct mails *l, struct err *e);
extern const struct field mail_put_changed_fields[];
extern const struct field mail_put_action_fields[];

/* mail_page.c: a page of a box and how it is put. */
struct mail_page {
	struct str folder;
	unsigned with, without; /* flags */
	bool body;
};

int mail_page_read(struct call *c, struct mail_box *b,
    const struct mail_page *p, struct mails *out, struct err *e);
/* messages[], and with extensions next_cursor and total_count. */
int mail_page_put(struct call *c, struct mail_box *b, const struct mail_page *p,
    const struct mails *l, struct json *j, struct err *e);

/* mail_out.c: what every message takes from its call. */
int mail_out_take(struct call *c, struct outgoing *m, struct err *e);
/* 1: an earlier call with this key sent it, and the answer is put. */
int mail_out_again(struct call *c, struct mail_box *b, const struct outgoing *m,
    const char *operation, struct json *out, struct err *e);
/* Sends it, and puts it as it was delivered. */
int mail_out_send(struct call *c, struct mail_box *b, const struct outgoing *m,
    const char *operation, struct json *out, struct err *e);
/* struct op's put_sent. */
void mail_out_put_sent(struct call *c, struct json *j, const struct sent *s);

#endif
