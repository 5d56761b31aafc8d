/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_HOME_H
#define RUNTIME_HOME_H

/*
 * Agents' homes: folders in which an agent's program finds its settings, its
 * role and its skills.  All contents are checked before anything is written; a
 * new home is made under a temporary name and renamed.  The folder that an
 * agent works in is never changed.
 */
#include <sys/types.h>

#include "runtime/brain.h"
#include "runtime/place.h"

/* A program that agents run in; paths are relative to its home. */
struct home_host {
	const char *name;       /* "claude" */
	const char *variable;   /* names its home: "CLAUDE_CONFIG_DIR" */
	const char *executable; /* the command to start */
	const char *skills;     /* the parent of its skills' folders */
	const char *rival;      /* where one of the same name counts more */
	const char *about;      /* extra file that our skills need, or NULL */
	const char *role;       /* the file with the text of its role */
	const char *mcp;        /* the file that names MCP servers */
	const char *call; /* before the name of a skill in a prompt: "/" */
	/* What a line on its screen begins with when it waits for a prompt,
	 * and what it shows elsewhere while it works; words by blanks, and by
	 * "|". */
	const char *prompt, *working;
	/* Its hooks: their file, and the events that say what the agent does;
	 * busy NULL: it only says that a turn is over. */
	const char *hooks, *busy, *idle;
};

/* host_table.c: finds one by name, or NULL. */
const struct home_host *host_table_find(struct str tool);

enum home_kind {
	HOME_TEXT,   /* a file of `text` */
	HOME_COPY,   /* a copy of the file `from` */
	HOME_LINK,   /* a link to `from` */
	HOME_FOLDER, /* a folder, which may be empty */
};

/* A file that a home will contain. */
struct home_file {
	enum home_kind kind;
	mode_t mode;      /* 0600 or 0700 */
	bool same;        /* the same file exists already */
	struct str path;  /* below the home */
	struct str text;  /* HOME_TEXT */
	struct str below; /* HOME_COPY: the folder that `from` is below */
	struct str from;
};

/* A home being built. */
struct home {
	struct arena *a;
	const struct home_host *host;
	struct place place;
	int homes, manifests;   /* folders; the first is locked */
	struct str id;          /* its name */
	struct str path;        /* its current or future path */
	struct str manifest;    /* the same for the file that describes it */
	int old;                /* the existing home, or -1 */
	struct strs skills;     /* the names of its skills, ours first */
	struct strs stale;      /* folders in it to remove */
	struct home_file *file; /* in the order added */
	size_t files, room;
	size_t bytes;   /* of copied files */
	size_t written; /* number of files written */
};

/* Selects a home. */
struct home_name {
	struct str root; /* the runtime root; empty: from the environment */
	struct str id;   /* empty: a new one, from tool and time */
	bool reuse;      /* update an existing home with that name */
};

/*
 * home.c.  Opens the runtime root for a build, removes the remains of a killed
 * build, and chooses the name.  ERR_USAGE: a home with that name exists, or the
 * name is invalid; ERR_CONFIG, ERR_LIMIT.  Call home_end() in any case.
 */
int home_begin(struct home *h, const struct home_host *host,
    const struct home_name *name, struct arena *a, struct err *e);
/*
 * Writes the differences, and then the manifest; `b` has the data that
 * home_begin() does not know.  Nothing incomplete is visible: a new home
 * appears at once, in an existing one files appear one by one.  If everything
 * is up to date, nothing is written.
 */
int home_commit(struct home *h, struct brain *b, struct err *e);
void home_end(struct home *h);
/* Removes a home and its manifest.  ERR_NOT_FOUND. */
int home_remove(struct str root, struct str id, struct arena *a, struct err *e);

/* The state of a home. */
enum home_state {
	HOME_READY,
	HOME_MISSING, /* only a manifest exists */
	HOME_DAMAGED, /* the manifest cannot be read */
};

struct home_entry {
	struct str id, path, manifest;
	struct str text;    /* of the manifest */
	struct brain brain; /* empty if it is damaged */
	enum home_state state;
	struct str why; /* why it is not ready */
};

/* home_list.c: all homes, sorted by name, or one.  ERR_NOT_FOUND. */
int home_list(struct str root, struct arena *a, struct home_entry **out,
    size_t *n, struct err *e);
int home_list_find(struct str root, struct str id, struct arena *a,
    struct home_entry *out, struct err *e);

/* home_plan.c: adds a file, replacing one planned for the same path. */
int home_plan_put(struct home *h, struct str path, struct str text,
    struct err *e);
/*
 * The current text at a path: the planned one, or that of an existing home;
 * empty: neither.
 */
int home_plan_text(struct home *h, struct str path, struct str *out,
    struct err *e);
/* A copy of a file with a secret, or a link to it; its path must be free. */
int home_plan_auth(struct home *h, struct str from, struct str to, bool link,
    struct err *e);
/* Is a file planned for that path? */
bool home_plan_has(struct home *h, struct str path);
/* Adds a file of any kind. */
int home_plan_add(struct home *h, const struct home_file *f, struct err *e);

/*
 * home_tree.c: adds a copy of a folder's whole content, below `to`; `what`
 * names the folder in errors.  ERR_USAGE: it contains something other than
 * files and folders; ERR_LIMIT.
 */
int home_tree_add(struct home *h, const char *what, struct str dir,
    struct str to, struct err *e);

/* project.c: adds the two skills for an agent's own mailbox. */
int project_ours(struct home *h, struct err *e);
/* Adds a skill from the operator's folder.  ERR_USAGE: it is not a skill. */
int project_skill(struct home *h, struct str dir, struct err *e);
/*
 * Finds, in an existing home, skills' folders with extra content, and skills
 * that ours have replaced.
 */
void project_look(struct home *h);
/* Moves them out of the home. */
int project_settle(struct home *h, struct err *e);

/*
 * home_put.c: finds the files that are already up to date; none of them is in a
 * stale folder.
 */
int home_put_look(struct home *h, int folder, struct err *e);
/* Writes the others. */
int home_put_files(struct home *h, int folder, struct err *e);

#endif
