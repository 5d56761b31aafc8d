/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_SKILL_H
#define SKILL_SKILL_H

/*
 * The catalogue of skills: a text about a part of the operations, and the list
 * of these.  Made at build time (tools/skillgen.c) from skills/NAME/SKILL.md
 * and the operations' table, validated, and constant after that: ordered by
 * name, each text with its operations.  The format is that of agentskills.io.
 *
 * The room refuses a text whose front matter breaks the rules.
 */
#include "base/err.h"
#include "base/str.h"

struct skill_file {
	const char *path; /* "references/warnings.md"; NULL ends a list */
	struct str text;
	const char *digest; /* "sha256:" and 64 hexadecimal digits, of text */
};

struct skill {
	const char *name;  /* "mail-read" */
	const char *label; /* "Mail: read", for people */
	const char *description;
	struct str body;    /* the Markdown after the front matter */
	struct str file;    /* all of SKILL.md, as it is served and exported */
	const char *digest; /* of `file`, as above */
	const char *const *ops; /* names, in the table's order; NULL ends */
	const struct skill_file *resources;
	bool submits;   /* it is entirely about sending */
	bool organises; /* it is about marking and moving mail */
	bool whole; /* "mail": the content of all others.  It can be found and
		       loaded, but is not a resource beside its parts. */
	bool added; /* an operator's own: it has operations of the others, and
		       callers that may use those may use them through it too */
};

/* By position, NULL after the last. */
const struct skill *skill_at(size_t i);
/*
 * Those that go into every agent's home and tell of its own mailbox: they have
 * no operations of the table, so that none can be found or loaded by the other
 * functions here.  NULL after the last.
 */
const struct skill *skill_home_at(size_t i);
/*
 * By its id, which is normalised: lower case, characters other than letters,
 * digits, "_" and "-" become "_", none at the ends; "_" and "-" are the same.
 * NULL: none.
 */
const struct skill *skill_find(struct str id);
/*
 * The skill of an operation, never the whole one nor an added one.  NULL: none,
 * the operation is always available.
 */
const struct skill *skill_of_op(struct str op);
/* Is the operation one of this skill's? */
bool skill_has_op(const struct skill *s, struct str op);
/* NULL: there is none with exactly that path. */
const struct skill_file *skill_resource(const struct skill *s, struct str path);

/* -- skill/front.c: reading SKILL.md -------------------------------------- */

struct skill_front {
	struct str name, description, license, compatibility, label, tools;
	struct str body; /* the text after the front matter, trimmed */
	bool whole;      /* set by the metadata: see above */
	bool home;       /* set by the metadata: see skill_home_at() */
};

/*
 * Parses a SKILL.md strictly.  `folder` is the name of its folder; empty:
 * unknown.  ERR_USAGE says what is wrong, and in which line.
 */
int skill_front_read(struct str text, struct str folder, struct arena *a,
    struct skill_front *out, struct err *e);

/* -- skill/dir.c: an operator's own --------------------------------------- */

/*
 * Adds the skills of that folder after emcli's, for this process and until the
 * next call; NULL: none.  For an invalid skill: with `strict`, ERR_USAGE says
 * why; otherwise it is left out.  ERR_CONFIG, ERR_NOT_FOUND: the folder.
 */
int skill_dir_load(const char *dir, bool strict, struct err *e);

/* A skill that was left out: a folder's name, in ASCII, and the reason. */
struct skill_left {
	const char *name, *why;
};

/* By position, NULL after the last. */
const struct skill_left *skill_dir_left(size_t i);

#endif
