/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_MAGIC_H
#define MIME_MAGIC_H

/*
 * Compares a file's first bytes with its name and type.  A hint before opening
 * the file; no proof that it is harmless.
 */
#include "base/str.h"

/* The number of first bytes that are examined. */
#define MAGIC_BYTES 1088UL

/*
 * Do these first bytes contradict the declared type or the extension of the
 * name?  A type for arbitrary bytes counts only by the name.
 */
bool magic_mismatch(struct str type, struct str name, struct str bytes);

#endif
