#ifndef DOOR_SELECTOR_H
#define DOOR_SELECTOR_H

/*
 * Several mailboxes under one set of tools: which there are for a caller, what
 * they are called, and which one a model means.  For every door whose tools
 * have a `mailbox` in place of the account.
 */
#include "gate/boxes.h"
#include "op/op.h"

/* What every door with a choice of mailboxes takes: selector_opts(). */
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
	bool always;   /* a choice even among one */
	bool quiet;    /* no word of those that are left out */
};

/* The mailboxes a model may choose from. */
struct selector {
	struct boxes_row *box; /* the usable ones */
	size_t n;
	bool by_label;
	struct strs called; /* each box, where there is a choice */
	struct op_selector shown;
};

/* What SELECTOR_ARGS say. */
struct selector_opts selector_opts(const struct args *args);
/*
 * Those of the gate's caller, in the accounts' order.  One without its
 * credentials is left out, with a warning on stderr; ERR_CONFIG when none is
 * left.
 */
int selector_open(struct selector *s, struct gate *g, struct arena *a,
    const struct selector_opts *o, struct err *e);
/*
 * Makes the labels, for `v` in the accounts' order: addresses, each once, or
 * names, of which equal ones get " #2", " #3".  With one box there is no
 * choice, unless `always`.
 */
void selector_init(struct selector *s, struct arena *a, struct boxes_row *v,
    size_t n, bool by_label, bool always);
/*
 * The account a model's value stands for; whoever has no choice names nothing.
 * NULL: *say is the sentence for it.
 */
const struct boxes_row *selector_find(const struct selector *s, struct arena *a,
    struct str value, struct str *say);
/* The address that the account of that name goes by. */
struct str selector_address(const struct selector *s, struct str account);
/* What goes before a tool's description. */
struct str selector_prefix(const struct selector *s, struct arena *a);
/* The description itself, with that before it where a mailbox is meant. */
struct str selector_describe(const struct selector *s, const struct op *op,
    struct arena *a);
/* Does that say what it does for this one, for whatever mailboxes? */
bool selector_describes(const struct op *op, struct str text);
/* The mailboxes in a line for a model, where there are several; else empty. */
struct str selector_map(const struct selector *s, struct arena *a);

#endif
