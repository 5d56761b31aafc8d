/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ACCOUNT_H
#define DESK_ACCOUNT_H

/* What init and the account commands that ask share. */
#include "base/buf.h"
#include "desk/note.h"
#include "gate/setting.h"
#include "store/store.h"

struct discover;

/* account_args.c */
extern const struct arg_spec account_args_add[], account_args_edit[];

/* account_new.c: fills in the user name from the address, or the address from
 * the user name, where only one of the two is given. */
void account_new_derive(struct arena *a, struct store_account *v);
/*
 * What an operator may not expect of it: who can be seen, who can be written
 * to.  in and out are how many entries its lists have.
 */
void account_new_notes(struct notes *n, const struct store_account *v,
    size_t in, size_t out);
/* Of one that may send, to whom. */
void account_new_note_out(struct notes *n, const struct store_account *v,
    size_t entries);
/* What is there now, and what to do next: members of *out, and lines. */
void account_new_put(struct notes *n, struct json *out,
    const struct store_account *v, size_t in, size_t listed_out);

/* account_ask.c: asks a person for all of a new account, and keeps it.
 * ERR_USAGE when the person gave up. */
int account_ask(struct notes *n, struct json *out, struct err *e);

/*
 * account_find.c: fills in servers that were not given, when the address tells
 * them: shown first, and agreed to.  ERR_USAGE when nothing was.
 */
int account_find(struct call *c, struct store_account *v, struct err *e);
/* What is after the @ of an address. */
struct str account_find_domain(struct str address);
/* An answer in words. */
void account_find_tell(struct buf *b, const struct discover *d);

/* account_secret.c */
/* Was one of --password-file, -stdin, -command or -ask given? */
bool account_secret_given(const struct call *c);
/* ERR_USAGE for one given to an account whose provider takes none. */
int account_secret_fits(const struct call *c, const struct store_account *v,
    struct err *e);
/*
 * Reads it from where the options say, or else asks.  *out stays NULL for
 * --password-file "".  ERR_USAGE, also when there is nobody to ask.
 */
int account_secret_read(const struct call *c, const char *question,
    struct secret **out, struct err *e);

/* account_form.c */
/* Is nothing said but whose account it is, and how to ask? */
bool account_form_wanted(const struct args *args);
/* What was given, put into an account that is there, which then holds
 * together.  ERR_USAGE. */
int account_form_into(struct arena *a, const struct args *args,
    struct store_account *v, struct err *e);
/*
 * Asks a person what is to change.  *args become the options that say so,
 * *password a new one or NULL.  ERR_USAGE when the person gave up.
 */
int account_form(const struct call *c, const struct store_account *was,
    struct args *args, struct secret **password, struct err *e);

#endif
