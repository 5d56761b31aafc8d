#ifndef DESK_SOURCE_IMPORT_H
#define DESK_SOURCE_IMPORT_H

/* A declaration's settings, for source import; nobody else includes it. */
#include "base/limits.h"
#include "gate/gate.h"
#include "gate/setting.h"
#include "source/declare.h"

/* A setting of an account that was changed. */
struct source_import_change {
	struct str account;
	struct setting_change setting;
};

struct source_import_changes {
	struct source_import_change *v;
	size_t n;
};

/* source_import_settings.c: adds remarks on a declaration's settings; `to` as
 * declare_bind() has it. */
int source_import_settings_judge(struct call *c, struct declare *d,
    const struct role_source *all, const size_t *to, struct err *e);
/* Puts them into the accounts; adds what changed. */
int source_import_settings_keep(struct call *c, const struct declare *d,
    const struct role_source *all, const size_t *to,
    struct source_import_changes *out, struct err *e);

#endif
