/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_ATTACH_SAVE_H
#define GATE_ATTACH_SAVE_H

/*
 * Writes attachments into a folder below the account's attach_dir, where `send`
 * finds them.  emcli changes their names only as far as necessary; it never
 * overwrites a file and follows no link.
 */
#include "base/err.h"
#include "base/str.h"

struct gate_saves;
struct mailbox;

struct attach_save {
	struct arena *a;
	int folder;
	const struct gate_saves *far; /* the caller writes them, or NULL */
	struct str dir; /* its name for `send`; empty: attach_dir itself */
	struct strs made;
	bool kept;
};

/*
 * Opens the folder.  Called before any mail is read, so that the answer does
 * not depend on mail.  ERR_POLICY (reason "attach_dir") without an attach_dir
 * or outside it, ERR_NOT_FOUND.
 */
int attach_save_open(struct mailbox *m, struct str dir, struct attach_save *out,
    struct err *e);
/*
 * Writes one file; *saved is its path relative to attach_dir, or
 * absolute in one that is not the first of several.  ERR_LIMIT over
 * LIMIT_ATTACHMENTS, ERR_CONFIG.
 */
int attach_save_file(struct attach_save *s, struct str name, struct str bytes,
    struct str *saved, struct err *e);
/*
 * Writes a new file into an open folder: under the name STEM EXT, or with -2,
 * -3 ... between the two if there is one of that name.  Which it is, with its
 * name; 0: none is free; -1 with ERR_CONFIG.
 */
int attach_save_new(int folder, struct str stem, struct str ext,
    struct str bytes, struct arena *a, struct str *file, struct err *e);
/* Keeps the files: without this call, attach_save_close() removes them. */
int attach_save_keep(struct attach_save *s, struct err *e);
/* For CLEANUP(); safe if nothing was opened, with -1 as the folder. */
void attach_save_close(struct attach_save *s);

#endif
