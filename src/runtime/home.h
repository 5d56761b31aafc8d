#ifndef RUNTIME_HOME_H
#define RUNTIME_HOME_H

/*
 * Agents' homes: folders in which an agent's program finds its settings, its
 * role and its skills.  All that goes into one is looked at before any of it is
 * written; a new home is made under another name and gets its own in one step.
 * The folder that an agent works in is never touched.
 */
#include <sys/types.h>

#include "runtime/brain.h"
#include "runtime/place.h"

/* A program that agents run in; folders and files are below its home. */
struct home_host {
	const char *name;       /* "claude" */
	const char *variable;   /* it finds its home by: "CLAUDE_CONFIG_DIR" */
	const char *executable; /* what is started */
	const char *skills;     /* the folder of its skills' folders */
	const char *about;      /* what it wants in each skill of ours besides
				 * SKILL.md; or NULL */
	const char *role;       /* the file with the text of its role */
	const char *mcp;        /* the file that names MCP servers */
};

/* host_table.c: by its name, or NULL. */
const struct home_host *host_table_find(struct str tool);

enum home_kind {
	HOME_TEXT,   /* a file of `text` */
	HOME_COPY,   /* a copy of the file `from` */
	HOME_LINK,   /* a link to `from` */
	HOME_FOLDER, /* a folder, which may be empty */
};

/* One file that is to be in a home. */
struct home_file {
	enum home_kind kind;
	mode_t mode;      /* 0600 or 0700 */
	bool same;        /* it is there already */
	struct str path;  /* below the home */
	struct str text;  /* HOME_TEXT */
	struct str below; /* HOME_COPY: the folder that `from` is below */
	struct str from;
};

/* A home on its way. */
struct home {
	struct arena *a;
	const struct home_host *host;
	struct place place;
	int homes, manifests;   /* folders; the first is locked */
	struct str id;          /* its name */
	struct str path;        /* where it is, or will be */
	struct str manifest;    /* likewise, the file that describes it */
	int old;                /* it, where it is there already, or -1 */
	struct strs skills;     /* the names of those in it, ours first */
	struct strs stale;      /* folders in it that are to go */
	struct home_file *file; /* by order of their being added */
	size_t files, room;
	size_t bytes;   /* of those that are copied */
	size_t written; /* of the files: those that were not there */
};

/* Which home it is to be. */
struct home_name {
	struct str root; /* the runtime root; empty: by the environment */
	struct str id;   /* empty: a new one by tool and time */
	bool reuse;      /* a home of that name is built into */
};

/*
 * home.c.  Opens the runtime root for a build, takes away what a killed build
 * left, and chooses the name.  ERR_USAGE: there is a home of that name, or it
 * cannot be one; ERR_CONFIG, ERR_LIMIT.  home_end() follows in any case.
 */
int home_begin(struct home *h, const struct home_host *host,
    const struct home_name *name, struct arena *a, struct err *e);
/*
 * Writes what differs, and then the manifest; `b` says what home_begin() does
 * not know.  Nothing is there before it is whole: a new home at once, in one
 * that exists a file at a time.  Where all is as it should be, nothing is
 * written.
 */
int home_commit(struct home *h, struct brain *b, struct err *e);
void home_end(struct home *h);
/* Takes a home and its manifest away.  ERR_NOT_FOUND. */
int home_remove(struct str root, struct str id, struct arena *a, struct err *e);

/* How a home is found. */
enum home_state {
	HOME_READY,
	HOME_MISSING, /* there is a manifest alone */
	HOME_DAMAGED, /* the manifest cannot be read */
};

struct home_entry {
	struct str id, path, manifest;
	struct str text;    /* of the manifest */
	struct brain brain; /* empty when it is damaged */
	enum home_state state;
	struct str why; /* it is not ready */
};

/* home_list.c: all of them in order of their names, or one.  ERR_NOT_FOUND. */
int home_list(struct str root, struct arena *a, struct home_entry **out,
    size_t *n, struct err *e);
int home_list_find(struct str root, struct str id, struct arena *a,
    struct home_entry *out, struct err *e);

/* home_plan.c: adds a file, in the place of what was planned by that path. */
int home_plan_put(struct home *h, struct str path, struct str text,
    struct err *e);
/* The text that the path has by now: as it was planned, or as it is in a home
 * that is built into; empty: neither. */
int home_plan_text(struct home *h, struct str path, struct str *out,
    struct err *e);
/* A copy of a file with a secret, or a link to it; its path must be free. */
int home_plan_auth(struct home *h, struct str from, struct str to, bool link,
    struct err *e);
/* Is there a file by that path? */
bool home_plan_has(struct home *h, struct str path);
/* Adds a file of any kind. */
int home_plan_add(struct home *h, const struct home_file *f, struct err *e);

/* home_tree.c: adds a copy of all that is in a folder, below `to`; `what` names
 * it in errors.  ERR_USAGE: there is something else in it than files and
 * folders; ERR_LIMIT. */
int home_tree_add(struct home *h, const char *what, struct str dir,
    struct str to, struct err *e);

/* project.c: adds the two skills on an agent's own mailbox, */
int project_ours(struct home *h, struct err *e);
/* and one in a folder of the operator's.  ERR_USAGE: it is none. */
int project_skill(struct home *h, struct str dir, struct err *e);
/* Finds in a home that is built into the skills' folders with anything in them
 * that is not of the skill, and the skills that ours stand for now, */
void project_look(struct home *h);
/* and takes them out of it. */
int project_settle(struct home *h, struct err *e);

/* home_put.c: finds out which files are there as they are to be; none is in a
 * stale folder, */
int home_put_look(struct home *h, int folder, struct err *e);
/* and writes the others. */
int home_put_files(struct home *h, int folder, struct err *e);

#endif
