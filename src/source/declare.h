#ifndef SOURCE_DECLARE_H
#define SOURCE_DECLARE_H

/*
 * An adopter's declaration of mail sources: the table with the columns
 * Backend, Role, Mandatory and Notes under "## Mail sources" in a Markdown
 * file, and those with the columns Key, Backend and Value.  Everything that is
 * wrong is told, each with its line; what is only doubtful is a warning.
 * Nothing is ever guessed.
 *
 *   role-cell = role *( ( ";" / "+" / " and " ) role )
 *   role      = "primary" / "fallback" / "optional" /
 *               "preferred for" op *( "," op )
 */
#include "source/role.h"

enum declare_weight {
	DECLARE_ERROR, /* zero: the declaration is not to be used */
	DECLARE_WARNING,
	DECLARE_NOTE, /* something was skipped */
};

struct declare_remark {
	enum declare_weight weight;
	unsigned line;  /* from 1; 0: the file as a whole */
	struct str say; /* may hold words of the file: make it fit to show */
};

/* A backend, in the order of first appearance; rows of one name are joined. */
struct declare_row {
	struct str name;
	enum role role;
	unsigned prefers; /* 1 << enum role_op */
	bool mandatory;
	unsigned line; /* of its first row */
};

/* A row of the table Key | Backend | Value. */
struct declare_setting {
	struct str key;     /* "imap_drafts_folder" */
	struct str backend; /* a source's name or kind; empty: each of them */
	struct str value;
	unsigned line;
};

struct declare {
	struct declare_row *v;
	size_t n;
	struct declare_setting *setting;
	size_t settings;
	struct declare_remark *remark; /* in the order they were found */
	size_t remarks;
	size_t errors; /* how many of them are errors */
};

/*
 * Reads a file: at most LIMIT_DECLARATION bytes, LIMIT_SOURCES rows,
 * LIMIT_SETTINGS settings, LIMIT_REMARKS remarks.  Never fails but by its
 * remarks.  Texts are in the arena or point into `file`.
 */
void declare_read(struct arena *a, struct str file, struct declare *out);
/*
 * declare_bind.c: which account each row means: the one of that name, or the
 * only one whose backend is called so.  *to has an entry for each row, an
 * index into v; adds remarks.  What v says of roles is not looked at.
 */
void declare_bind(struct arena *a, struct declare *d,
    const struct role_source *v, size_t n, size_t **to);
/* declare_setting.c: is it said of that row, which means that account? */
bool declare_setting_is_of(const struct declare_setting *s,
    const struct declare_row *row, const struct role_source *account);
/* For whoever reads along: adds a remark. */
void declare_remark(struct arena *a, struct declare *d,
    enum declare_weight weight, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* "error", "warning", "note". */
const char *declare_weight_name(enum declare_weight w);

#endif
