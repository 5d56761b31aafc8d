/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_MD5_H
#define BASE_MD5_H

/*
 * MD5, RFC 1321: for identifiers that other programs compute alike.  It
 * protects nothing.
 */
#include "base/str.h"

void md5_of(struct str bytes, unsigned char out[16]);

#endif
