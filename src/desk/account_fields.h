/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ACCOUNT_FIELDS_H
#define DESK_ACCOUNT_FIELDS_H

/* An account in a result, without its secret. */
#include "base/json.h"
#include "store/account_setting.h"

/* Puts the fields of account_fields_list.h into an open object. */
void account_fields_put(struct json *j, struct arena *a,
    const struct store_account *v);

#endif
