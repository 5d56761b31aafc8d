#ifndef SKILL_SKILL_H
#define SKILL_SKILL_H

/*
 * The catalogue: what can be learned about a part of the operations, and which
 * operations that part is.  It is made at build time (tools/skillgen.c) out of
 * skills/NAME/SKILL.md and the operations' table, validated on the way, and
 * constant from then on: in order of names, each text with the operations it
 * is about.  The format is that of agentskills.io.
 *
 * The room refuses: a text whose front matter does not keep the rules.
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
	struct str body;    /* the Markdown behind the front matter */
	struct str file;    /* all of SKILL.md, as it is served and exported */
	const char *digest; /* of `file`, as above */
	const char *const *ops; /* names, in the table's order; NULL ends */
	const struct skill_file *resources;
	bool submits; /* it is all about what leaves */
	bool whole;   /* "mail": what the others have, all together.  It can be
		       * found and loaded, but is no resource beside its
		       * parts. */
	bool added;   /* an operator's own: it has operations of the others,
		       * and who may have those may have them by it, too */
};

/* By position, NULL behind the last. */
const struct skill *skill_at(size_t i);
/*
 * Those that go into every agent's home and tell of its own mailbox: they have
 * no operations of the table, so that none can be found or loaded by the other
 * functions here.  NULL behind the last.
 */
const struct skill *skill_home_at(size_t i);
/*
 * By its id, which is normalised: lower case, what is no letter, digit, "_" or
 * "-" becomes "_", none at the ends; "_" and "-" are the same.  NULL: none.
 */
const struct skill *skill_find(struct str id);
/* The skill an operation belongs to, never the whole one nor an added.  NULL:
 * to none, it is always there. */
const struct skill *skill_of_op(struct str op);
/* Is the operation one of this skill's? */
bool skill_has_op(const struct skill *s, struct str op);
/* NULL: there is none of exactly that path. */
const struct skill_file *skill_resource(const struct skill *s, struct str path);

/* -- skill/front.c: reading SKILL.md -------------------------------------- */

struct skill_front {
	struct str name, description, license, compatibility, label, tools;
	struct str body; /* behind the front matter, without space around it */
	bool whole;      /* metadata says so: see above */
	bool home;       /* metadata says so: see skill_home_at() */
};

/*
 * Reads a SKILL.md strictly.  `folder` is the name of the folder it is in;
 * empty: not known.  ERR_USAGE says what is wrong with it, and in which line.
 */
int skill_front_read(struct str text, struct str folder, struct arena *a,
    struct skill_front *out, struct err *e);

/* -- skill/dir.c: an operator's own --------------------------------------- */

/*
 * Puts the skills of that folder behind ours, for this process and until the
 * next call; NULL: none.  Of a skill that is not valid ERR_USAGE says why when
 * `strict`; else it is left out.  ERR_CONFIG, ERR_NOT_FOUND: the folder.
 */
int skill_dir_load(const char *dir, bool strict, struct err *e);

/* What was left out then: a folder's name, in ASCII, and what is wrong. */
struct skill_left {
	const char *name, *why;
};

/* By position, NULL behind the last. */
const struct skill_left *skill_dir_left(size_t i);

#endif
