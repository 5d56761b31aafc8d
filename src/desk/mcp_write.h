/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MCP_WRITE_H
#define DESK_MCP_WRITE_H

/*
 * Changes another program's file in one step: a reader finds the old or the new
 * one, and the old one stays beside it as a backup.
 */
#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"

struct mcp_write {
	struct str text;    /* its content; empty if it does not exist */
	const char *backup; /* path of the backup, once it was overwritten */
	bool written;
	/* The rest is private to mcp_write.c. */
	const char *dir, *name; /* with links resolved */
	int folder;
	bool there;
	struct stat was;
};

/* ERR_CONFIG; call mcp_write_done() in any case. */
int mcp_write_read(const char *path, struct arena *a, struct mcp_write *w,
    struct err *e);
int mcp_write_put(struct mcp_write *w, struct str text, struct arena *a,
    struct err *e);
void mcp_write_done(struct mcp_write *w);

#endif
