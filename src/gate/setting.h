#ifndef GATE_SETTING_H
#define GATE_SETTING_H

/*
 * The settings of an account as an operator writes them: the same words in an
 * option, a form, a declaration and in what is shown.  What goes into the store
 * was checked here.
 */
#include "gate/args.h"
#include "store/account_setting.h"

/* An account of which nothing was said yet. */
struct store_account setting_new(struct str name);
/* Its value in words; empty: not set. */
struct str setting_text(struct arena *a, const struct setting *s,
    const struct store_account *v);
/* "--imap-host" */
struct str setting_option(struct arena *a, const struct setting *s);
/* A word of somebody's between quotes, as much as is of use. */
struct str setting_quote(struct arena *a, struct str s);
/* Puts a value into the account.  Paths become absolute, so that what is in
 * the store can be used from any folder, and addresses canonical.  ERR_USAGE.
 */
int setting_put(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e);
/* Every setting that was given; a port brings its kind of TLS along. */
int setting_apply(struct arena *a, const struct args *given,
    struct store_account *v, struct err *e);
/* The kind of TLS that goes with a port; empty: it tells none. */
struct str setting_port_kind(uint16_t port);
/* A server's TLS and port where they were not said; none without a server. */
void setting_defaults(struct store_account *v);

/* setting_edit.c: the same for an account that is there, which then holds
 * together.  ERR_USAGE. */
int setting_edit(struct arena *a, const struct args *given,
    struct store_account *v, struct err *e);
/* A setting that differs, in words, or the name. */
struct setting_change {
	const char *name;
	struct str was, is; /* empty: not set */
};
#define SETTING_CHANGES (SETTINGS + 2)
/* How many there are. */
size_t setting_edit_changes(struct arena *a, const struct store_account *was,
    const struct store_account *is, struct setting_change out[SETTING_CHANGES]);

/* setting_check.c: does the whole hold together?  Of what was given the place
 * is looked at, too.  ERR_USAGE. */
int setting_check(struct arena *a, const struct args *given,
    const struct store_account *v, struct err *e);
int setting_check_name(struct str name, struct err *e);
/* The same, and nobody has it; a store that is not there yet is NULL. */
int setting_check_new(struct store *s, struct arena *a, struct str name,
    struct err *e);
int setting_check_host(struct str host, struct str option, struct err *e);

/* setting_place.c: is what its path names a Maildir, or an mbox?  ERR_USAGE. */
int setting_place(struct arena *a, const struct store_account *v,
    struct err *e);

#endif
