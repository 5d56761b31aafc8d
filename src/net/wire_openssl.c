/* SPDX-License-Identifier: Apache-2.0 */
#include <openssl/crypto.h>

#include "net/internal.h"

/*
 * Without the file that OPENSSL_CONF names: it can name code.  At the end
 * nothing is taken apart: what held a key was wiped when it was closed, and the
 * rest goes with the process.
 */
void
wire_openssl_begin(void)
{
	if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG |
		    OPENSSL_INIT_NO_ATEXIT,
		NULL) != 1)
		err_bug("OpenSSL cannot be set up");
}
