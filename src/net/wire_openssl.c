/* SPDX-License-Identifier: Apache-2.0 */
#include <openssl/crypto.h>

#include "net/internal.h"

void
wire_openssl_begin(void)
{
	if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1)
		err_bug("OpenSSL cannot be set up");
}
