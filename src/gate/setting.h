/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SETTING_H
#define GATE_SETTING_H

/*
 * The settings of an account as an operator writes them: the same words in
 * options, forms, declarations and output.  Values are checked here before they
 * are stored.
 */
#include "gate/args.h"
#include "store/account_setting.h"

/* An account with defaults only. */
struct store_account setting_new(struct str name);
/* Its value as text; empty: not set. */
struct str setting_text(struct arena *a, const struct setting *s,
    const struct store_account *v);
/* "--imap-host" */
struct str setting_option(struct arena *a, const struct setting *s);
/* A given word in quotes, cut to a useful length. */
struct str setting_quote(struct arena *a, struct str s);
/*
 * Sets a value in the account.  Paths become absolute, so that they work from
 * any folder, and addresses canonical.  ERR_USAGE.
 */
int setting_put(struct arena *a, const struct setting *s, struct str text,
    struct store_account *v, struct err *e);
/* Sets every setting that was given; a port implies its kind of TLS. */
int setting_apply(struct arena *a, const struct args *given,
    struct store_account *v, struct err *e);
/* The kind of TLS that a port implies; empty: none. */
struct str setting_port_kind(uint16_t port);
/* A server's default TLS and port; nothing without a server. */
void setting_defaults(struct store_account *v);

/*
 * setting_edit.c: the same for an existing account, then checks that its
 * settings are consistent.  ERR_USAGE.
 */
int setting_edit(struct arena *a, const struct args *given,
    struct store_account *v, struct err *e);
/* A setting that differs, as text, or the name. */
struct setting_change {
	const char *name;
	struct str was, is; /* empty: not set */
};
#define SETTING_CHANGES (SETTINGS + 2)
/* How many there are. */
size_t setting_edit_changes(struct arena *a, const struct store_account *was,
    const struct store_account *is, struct setting_change out[SETTING_CHANGES]);

/*
 * setting_check.c: are the settings consistent?  Also checks the places of the
 * given ones.  ERR_USAGE.
 */
int setting_check(struct arena *a, const struct args *given,
    const struct store_account *v, struct err *e);
int setting_check_name(struct str name, struct err *e);
/* The same, and the name is not taken; NULL: the store does not exist yet. */
int setting_check_new(struct store *s, struct arena *a, struct str name,
    struct err *e);
int setting_check_host(struct str host, struct str option, struct err *e);

/* setting_signature.c: keeps the text of the file; an empty path: none.
 * ERR_USAGE, ERR_LIMIT. */
int setting_signature_put(struct arena *a, const struct setting *s,
    struct str path, struct store_account *v, struct err *e);
/* The same of a text itself. */
int setting_signature_take(struct arena *a, const struct setting *s,
    struct str text, struct store_account *v, struct err *e);

/* setting_place.c: does its path name a Maildir, or an mbox?  ERR_USAGE. */
int setting_place(struct arena *a, const struct store_account *v,
    struct err *e);

#endif
