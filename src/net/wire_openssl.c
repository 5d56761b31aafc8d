#include <openssl/ssl.h>

#include "net/internal.h"

void
wire_openssl_begin(void)
{
	if (OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1)
		err_bug("OpenSSL cannot be set up");
}
