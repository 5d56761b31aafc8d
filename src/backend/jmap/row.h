/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_ROW_H
#define BACKEND_JMAP_ROW_H

/* Email objects, RFC 8621 section 4, and their flags. */
#include "backend/jmap/internal.h"

/* -- row.c: Email objects, RFC 8621 section 4 ------------------------------ */

/* The properties of a complete row, or of one for filtering. */
void jmap_row_properties(struct json *out, bool light);
/*
 * Reads one; 0 if it is in another folder than box (empty: any) or has no
 * usable id, otherwise 1.
 */
int jmap_row_read(struct arena *a, const struct json_value *v, struct str box,
    struct jmap_mail *out);
/* Does the header match the query?  What it cannot decide counts as a match. */
bool jmap_row_fits(const struct row *r, const struct query *q);

/* -- flag.c: flags are keywords, and the folder for archived mail ---------- */

/* The keyword of a flag, RFC 8621 section 4.1.1; NULL: it is a folder. */
const char *jmap_flag_keyword(unsigned flag);
/* The flags that are keywords of an Email object. */
unsigned jmap_flag_read(const struct json_value *email);
/* The other keywords that are labels, at most LIMIT_LABELS of them. */
void jmap_flag_read_labels(struct arena *a, const struct json_value *email,
    struct strs *out);
/* Adds what its folders say; these are known. */
void jmap_flag_add_boxes(const struct jmap *j, struct jmap_mail *m);
/*
 * The folder that is told for a message which is in several: INBOX, otherwise
 * the first that is shown; NULL: none is.
 */
const struct jmap_box *jmap_flag_place(const struct jmap *j,
    const struct strs *boxes);

#endif
