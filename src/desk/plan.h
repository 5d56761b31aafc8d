/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_PLAN_H
#define DESK_PLAN_H

/* What a document changes in the store, difference by difference. */
#include "gate/gate.h"

struct plan_line {
	char sign;          /* '+', '-' or '~' */
	struct str what;    /* "account work", "agent bot" */
	struct str setting; /* of it; or empty */
	struct str was, is;
	bool list; /* it is one entry of a list */
};

struct plan {
	struct arena *a;
	struct plan_line *v;
	size_t n;
};

extern const struct field plan_fields[];

void plan_put(struct plan *p, const struct plan_line *x);
/* Something is added or removed. */
void plan_added(struct plan *p, struct str what);
void plan_removed(struct plan *p, struct str what);
/* A value, if the two differ. */
void plan_value(struct plan *p, struct str what, struct str setting,
    struct str was, struct str is);
/* A value of what is new, if it has one. */
void plan_given(struct plan *p, struct str what, struct str setting,
    struct str is);
/* In order, and each once. */
struct strs plan_sorted(struct arena *a, const struct strs *l);
/* Is it in such a list? */
bool plan_has(const struct strs *sorted, struct str s);
/* What is in only one of two such lists: a line each. */
void plan_strs(struct plan *p, struct str what, struct str setting,
    const struct strs *was, const struct strs *is, struct strs *added,
    struct strs *dropped);
/* ERR_LIMIT: its text would be cut. */
int plan_check(const struct plan *p, struct err *e);
bool plan_same(const struct plan *x, const struct plan *y);
/* The member "changes" of the reply. */
void plan_to_json(const struct plan *p, struct json *out);
/* As text, a line each. */
struct str plan_text(const struct plan *p);
/* Its beginning, entries of lists last, for a row of the audit log. */
struct str plan_note(const struct plan *p);

#endif
