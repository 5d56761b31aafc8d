/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_ENDPOINT_H
#define SOURCE_ENDPOINT_H

/* Addresses of services that the operator names and others connect to. */
#include "base/err.h"
#include "base/str.h"

/*
 * May requests go there?  https, or http on this machine: net/http.h.
 * ERR_CONFIG: libcurl is missing.
 */
int endpoint_ok(struct str url, bool *ok, struct err *e);

#endif
