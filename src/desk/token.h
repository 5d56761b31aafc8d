/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_TOKEN_H
#define DESK_TOKEN_H

#include "base/err.h"

enum {
	TOKEN_RAW = 32,
	TOKEN_HEAD = 6, /* "emcli_", for scanners of leaked secrets */
	/* With its line end. */
	TOKEN_TEXT = TOKEN_HEAD + 2 * TOKEN_RAW + 1
};

/* Fills it in; the caller wipes it.  ERR_INTERNAL. */
int token_make(char text[TOKEN_TEXT], struct err *e);

#endif
