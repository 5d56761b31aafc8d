#ifndef GATE_ATTACH_SAVE_H
#define GATE_ATTACH_SAVE_H

/*
 * Attachments written into a folder below the account's attach_dir, where
 * `send` finds them.  Names are ours as far as they must be; nothing is ever
 * written over, and no link is followed.
 */
#include "base/err.h"
#include "base/str.h"

struct mailbox;

struct attach_save {
	struct arena *a;
	int folder;
	struct str dir; /* its name below attach_dir; empty: attach_dir */
	struct strs made;
	bool kept;
};

/*
 * Opens the folder.  Before any mail is looked at, so that it answers the same
 * whatever there is.  ERR_POLICY (reason "attach_dir") without an attach_dir
 * or outside of it, ERR_NOT_FOUND.
 */
int attach_save_open(struct mailbox *m, struct str dir, struct attach_save *out,
    struct err *e);
/*
 * Writes one file; *saved is where, relative to attach_dir.  ERR_LIMIT over
 * LIMIT_ATTACHMENTS, ERR_CONFIG.
 */
int attach_save_file(struct attach_save *s, struct str name, struct str bytes,
    struct str *saved, struct err *e);
/* All went well: without this what was written is taken back. */
int attach_save_keep(struct attach_save *s, struct err *e);
/* For CLEANUP(); fine on what was never opened, but for its folder: -1. */
void attach_save_close(struct attach_save *s);

#endif
