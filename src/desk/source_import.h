/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SOURCE_IMPORT_H
#define DESK_SOURCE_IMPORT_H

/* A declaration's settings, only for source import. */
#include "base/limits.h"
#include "gate/gate.h"
#include "gate/setting.h"
#include "source/declare.h"

/* A changed setting of an account. */
struct source_import_change {
	struct str account;
	struct setting_change setting;
};

struct source_import_changes {
	struct source_import_change *v;
	size_t n;
};

/*
 * source_import_settings.c: adds remarks on a declaration's settings; `to` as
 * from declare_bind().
 */
int source_import_settings_judge(struct call *c, struct declare *d,
    const struct role_source *all, const size_t *to, struct err *e);
/* Sets them in the accounts; adds the changes. */
int source_import_settings_keep(struct call *c, const struct declare *d,
    const struct role_source *all, const size_t *to,
    struct source_import_changes *out, struct err *e);

#endif
