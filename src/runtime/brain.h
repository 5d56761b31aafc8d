#ifndef RUNTIME_BRAIN_H
#define RUNTIME_BRAIN_H

/*
 * The manifest of a home: its sources, how its program is started, and the
 * mailbox that was declared for it.  It is YAML that other programs read too,
 * and it contains no secrets.
 */
#include "base/err.h"
#include "base/str.h"

/* `mailbox:` as declared; members that were not declared are empty. */
struct brain_mailbox {
	struct str transport; /* empty: there is no declaration */
	struct str principal_id, address;
	struct str filesystem_root;
	struct str base_url, jmap_url, management_url;
};

/* A file of the user's that was added to the home. */
struct brain_file {
	struct str from, to;
	bool link;
};

struct brain {
	struct str built_at; /* RFC 3339 */
	struct str tool, agent, role, setup;
	struct strs skills;
	struct str root, home_id, home_path;
	struct str variable,
	    executable; /* the variable for its home; its program */
	const struct brain_file *file;
	size_t files;
	struct declaration mailbox;
	struct strs warnings; /* of what was read and has no effect */
};

/* ERR_LIMIT: the manifest would be too long. */
int brain_write(const struct brain *b, struct arena *a, struct str *out,
    struct err *e);
/*
 * Reads a manifest of any program; unknown members are skipped, and `file` is
 * left empty.  ERR_CONFIG says what is wrong with it.
 */
int brain_read(struct str text, struct arena *a, struct brain *out,
    struct err *e);

#endif
