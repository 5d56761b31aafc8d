/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SELECTOR_H
#define DOOR_SELECTOR_H

/*
 * Several mailboxes for one set of tools: the mailboxes of a caller, their
 * labels, and which one a model names.  For every door whose tools have a
 * `mailbox` instead of the account.
 */
#include "gate/boxes.h"
#include "op/op.h"

/* The options of every door with a choice of mailboxes: selector_opts(). */
#define SELECTOR_ARGS                                                          \
	{ "selector", ARG_CHOICE, 0,                                           \
		"how tools name the mailboxes, if there are several",          \
		.choices = "address|alias", .def = "address" },                \
	{                                                                      \
		"selector_always", ARG_FLAG, 0,                                \
		    "require a mailbox even if there is only one, so that "    \
		    "the tools stay the same when another is added",           \
		    .def = NULL                                                \
	}

struct selector_opts {
	bool by_label; /* labels, not addresses */
	bool always;   /* a choice even with one mailbox */
	bool quiet;    /* no warning about those left out */
};

/* The mailboxes that a model can choose from. */
struct selector {
	struct boxes_row *box; /* the usable ones */
	size_t n;
	bool by_label;
	struct strs called; /* the label of each box, if there is a choice */
	struct op_selector shown;
};

/* The values of SELECTOR_ARGS. */
struct selector_opts selector_opts(const struct args *args);
/*
 * The mailboxes of the gate's caller, in the accounts' order.  One without
 * credentials is left out, with a warning on stderr; ERR_CONFIG if none is
 * left.
 */
int selector_open(struct selector *s, struct gate *g, struct arena *a,
    const struct selector_opts *o, struct err *e);
/*
 * Makes the labels, for `v` in the accounts' order: addresses, each once, or
 * names, with " #2", " #3" added to equal ones.  With one box there is no
 * choice, unless `always`.
 */
void selector_init(struct selector *s, struct arena *a, struct boxes_row *v,
    size_t n, bool by_label, bool always);
/*
 * The account for a model's value; without a choice, it names nothing.  NULL:
 * *say has the error.
 */
const struct boxes_row *selector_find(const struct selector *s, struct arena *a,
    struct str value, struct str *say);
/* The address of the account with that name. */
struct str selector_address(const struct selector *s, struct str account);
/* The text before a tool's description. */
struct str selector_prefix(const struct selector *s, struct arena *a);
/* The complete description, with that text before it if a mailbox is meant. */
struct str selector_describe(const struct selector *s, const struct op *op,
    struct arena *a);
/* Is that the description of this operation, for any mailboxes? */
bool selector_describes(const struct op *op, struct str text);
/* The mailboxes in one line for a model, if there are several; else empty. */
struct str selector_map(const struct selector *s, struct arena *a);

#endif
