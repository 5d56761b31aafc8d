#ifndef DESK_MCP_WRITE_H
#define DESK_MCP_WRITE_H

/*
 * A file of somebody else's, changed in one step: who reads it meanwhile finds
 * the old or the new one, and the old one stays beside it.
 */
#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"

struct mcp_write {
	struct str text;    /* what is in it; empty when it is not there */
	const char *backup; /* where the old one is, once it was written over */
	bool written;
	/* The rest is mcp_write.c's. */
	const char *dir, *name; /* with no link on the way */
	int folder;
	bool there;
	struct stat was;
};

/* ERR_CONFIG; whatever comes of it, mcp_write_done() follows. */
int mcp_write_read(const char *path, struct arena *a, struct mcp_write *w,
    struct err *e);
int mcp_write_put(struct mcp_write *w, struct str text, struct arena *a,
    struct err *e);
void mcp_write_done(struct mcp_write *w);

#endif
