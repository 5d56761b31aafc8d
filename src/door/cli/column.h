#ifndef DOOR_CLI_COLUMN_H
#define DOOR_CLI_COLUMN_H

/* A member of a result as a person reads it, as an operation's `columns` and
 * `heads` spell it. */
#include "base/buf.h"
#include "base/json.h"

enum {
	COLUMNS_MAX = 16
};

/* "member.sub=HEADING<?none", "member=HEADING!" */
struct column {
	char *member;
	char *sub; /* a member of that; "*": name and address; or NULL */
	struct str head;
	struct str none; /* what null is shown as */
	bool cut;        /* where it is long, since it may be anybody's */
	bool onoff;      /* true is on, false off */
};

/* Reads the words; how many there are. */
size_t column_read(struct arena *a, const char *words,
    struct column out[COLUMNS_MAX]);
/* A value in one line, as it is; "-" where there is nothing. */
struct str column_value(struct arena *a, const struct json_value *v,
    const char *sub);
/* The row's member in one line that is harmless to a terminal. */
struct str column_cell(struct arena *a, const struct json_value *row,
    const struct column *col);

#endif
