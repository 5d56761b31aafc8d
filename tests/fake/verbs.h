/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_VERBS_H
#define TESTS_FAKE_VERBS_H

/* What the files of the fake stores share. */
#include "fake.h"

/* What is put into them lives as long as the program. */
extern struct arena *fake_kept;

/* Every verb begins with it: is anything wrong? */
int fake_begin(const struct backend_account *acct, enum fake_verb v,
    struct err *e);
/* The same of one that is about a folder. */
int fake_begin_in(struct conn *c, enum fake_verb v, struct str folder,
    struct err *e);
bool fake_has_folder(struct str name);
/* The message, also where the folder is empty; or NULL. */
struct fake_mail *fake_find_ref(struct str folder, const struct ref *ref);
struct ref fake_ref(const struct conn *c, struct arena *a,
    const struct fake_mail *m);

/* out.c: does what is wrong concern this account? */
bool fake_is_down(const struct backend_account *acct);
/* The same: a connection was made. */
void fake_opened(const struct backend_account *acct);
/* The same: slots of struct backend. */
int fake_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e);
int fake_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e);
int fake_drafts(struct conn *c, struct arena *a, struct str *folder,
    struct err *e);
int fake_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e);
int fake_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
int fake_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);
int fake_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e);
struct str fake_message_id(struct arena *a, const unsigned char rnd[16],
    int64_t date_s);

#endif
