/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_COLUMN_H
#define DOOR_CLI_COLUMN_H

/*
 * A member of a result as a person reads it, specified by an operation's
 * `columns` and `heads`.
 */
#include "base/buf.h"
#include "base/json.h"
#include "base/local.h"

enum {
	COLUMNS_MAX = 16
};

/* "member.sub=HEADING<?none", "member=HEADING!", "member=HEADING@", "member+"
 */
struct column {
	char *member;
	char *sub; /* a member of it; "*": name and address; or NULL */
	struct str head;
	struct str none; /* the text for null */
	bool cut;        /* cut if long, because others may have written it */
	bool whole;      /* never cut: it is to be typed again */
	bool onoff;      /* true is on, false off */
	bool seldom;     /* no column if no row has it */
	bool time;       /* RFC 3339, shown in the reader's zone ... */
	bool zoned;      /* ... and with the zone's offset: "@@" */
	struct local zone;
};

/* Parses the words; returns their number. */
size_t column_read(struct arena *a, const char *words,
    struct column out[COLUMNS_MAX]);
/* A value in one line, unchanged; "-" if empty. */
struct str column_value(struct arena *a, const struct json_value *v,
    const char *sub);
/* The row's member in one line that is safe for a terminal. */
struct str column_cell(struct arena *a, const struct json_value *row,
    const struct column *col);

#endif
