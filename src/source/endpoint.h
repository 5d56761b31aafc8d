#ifndef SOURCE_ENDPOINT_H
#define SOURCE_ENDPOINT_H

/* Addresses of services that the operator names and others are to ask. */
#include "base/err.h"
#include "base/str.h"

/* May it be asked?  https, or http on this machine: net/http.h.  ERR_CONFIG:
 * there is nothing here to ask with. */
int endpoint_ok(struct str url, bool *ok, struct err *e);

#endif
