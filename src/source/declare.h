/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_DECLARE_H
#define SOURCE_DECLARE_H

/*
 * A project's declaration of mail sources: the table with the columns Backend,
 * Role, Mandatory and Notes under "## Mail sources" in a Markdown file, and
 * tables with the columns Key, Backend and Value.  Every error is reported with
 * its line; doubtful content is a warning.  Nothing is guessed.
 *
 *   role-cell = role *( ( ";" / "+" / " and " ) role )
 *   role      = "primary" / "fallback" / "optional" /
 *               "preferred for" op *( "," op )
 */
#include "source/role.h"

enum declare_weight {
	DECLARE_ERROR, /* zero: the declaration must not be used */
	DECLARE_WARNING,
	DECLARE_NOTE, /* something was skipped */
};

struct declare_remark {
	enum declare_weight weight;
	unsigned line; /* from 1; 0: the whole file */
	struct str
	    say; /* may contain words of the file: clean it before showing it */
};

/*
 * A backend, in order of first appearance; rows with the same name are joined.
 */
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
	struct str backend; /* a source's name or kind; empty: every source */
	struct str value;
	unsigned line;
};

struct declare {
	struct declare_row *v;
	size_t n;
	struct declare_setting *setting;
	size_t settings;
	struct declare_remark
	    *remark; /* in the order in which they were found */
	size_t remarks;
	size_t errors; /* how many of them are errors */
};

/*
 * Reads a file: at most LIMIT_DECLARATION bytes, LIMIT_SOURCES rows,
 * LIMIT_SETTINGS settings, LIMIT_REMARKS remarks.  Reports failures only as
 * remarks.  Texts are in the arena or point into `file`.
 */
void declare_read(struct arena *a, struct str file, struct declare *out);
/*
 * declare_bind.c: the account for each row: the one with that name, or the only
 * one with that backend.  *to has an entry for each row, an index into v; adds
 * remarks.  Roles in v are ignored.
 */
void declare_bind(struct arena *a, struct declare *d,
    const struct role_source *v, size_t n, size_t **to);
/* declare_setting.c: does it apply to that row, which means that account? */
bool declare_setting_is_of(const struct declare_setting *s,
    const struct declare_row *row, const struct role_source *account);
/* For other readers of the file: adds a remark. */
void declare_remark(struct arena *a, struct declare *d,
    enum declare_weight weight, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* "error", "warning", "note". */
const char *declare_weight_name(enum declare_weight w);

#endif
