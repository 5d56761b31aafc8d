#ifndef DESK_ACCOUNT_FIELDS_H
#define DESK_ACCOUNT_FIELDS_H

/* An account in a result, no secret in it. */
#include "base/json.h"
#include "store/account_setting.h"

/* Puts what account_fields_list.h names into an open object. */
void account_fields_put(struct json *j, struct arena *a,
    const struct store_account *v);

#endif
