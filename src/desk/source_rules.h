/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SOURCE_RULES_H
#define DESK_SOURCE_RULES_H

#include "store/source.h"

/* Can v[at] have its role, beside those of the others?  ERR_USAGE. */
int source_rules_check(const struct store_source *v, size_t n, size_t at,
    struct err *e);

#endif
