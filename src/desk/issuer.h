/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ISSUER_H
#define DESK_ISSUER_H

/* Shared by the commands about the identity provider. */
#include "desk/desk.h"
#include "store/issuer.h"

/* Without a final slash, for comparing. */
struct str issuer_bare(struct str issuer);
/* Can its texts be what they are for?  ERR_USAGE. */
int issuer_fits(const struct store_issuer *x, struct err *e);
/* Puts it as the fields of issuer_fields. */
void issuer_put(struct json *out, const struct store_issuer *x);
extern const struct field issuer_fields[];

#endif
